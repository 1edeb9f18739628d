extension ExplorationReport {
    /// The report of a whole search, of those of its shards: of failures that several found, the smallest is kept.
    ///
    /// - Returns: `nil` for no reports.
    init?(joining reports: [ExplorationReport]) {
        guard let first = reports.first else { return nil }
        var found: [FoundFailure] = []
        for failure in reports.flatMap(\.found) {
            if let place = found.firstIndex(where: { $0.signature == failure.signature }) {
                if failure.isBetter(than: found[place]) { found[place] = failure }
            } else {
                found.append(failure)
            }
        }
        found.sort { ($0.run, $0.signature) < ($1.run, $1.signature) }
        self.init(
            search: first.search, runs: reports.reduce(0) { $0 + $1.runs }, failingRuns: reports.reduce(0) { $0 + $1.failingRuns },
            states: reports.reduce(0) { $0 + $1.states }, seconds: reports.reduce(0) { $0 + $1.seconds }, found: found,
            status: ExitStatus.foremost(reports.map(\.status)), version: first.version)
    }
}
