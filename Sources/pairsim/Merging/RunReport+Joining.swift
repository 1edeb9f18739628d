extension RunReport {
    /// The report of the whole, of those of its parts. Joined shards give, byte for byte, the JSON report of an invocation without shards.
    ///
    /// - Parameters:
    ///   - reports: At least one, in the order of the shards.
    ///   - areShards: Whether they are parts of one selection; otherwise their runs keep the order of the reports.
    init(joining reports: [RunReport], areShards: Bool) {
        var records = reports.flatMap(\.records)
        var extent = reports.count == 1 || areShards ? reports.first?.extent : nil
        if areShards {
            if records.allSatisfy({ $0.position != nil }) {
                records.sort { ($0.position ?? 0) < ($1.position ?? 0) }
            } else {
                records.sort { $0.path != $1.path ? $0.path < $1.path : $0.name < $1.name }
            }
        } else if reports.count > 1 {
            for index in records.indices { records[index].position = nil }
            extent = nil
        }
        var summary = RunSummary()
        for record in records { summary.count(record) }
        summary.notRun = reports.reduce(0) { $0 + $1.summary.notRun }
        self.init(
            records: records, summary: summary, seconds: reports.reduce(0) { $0 + $1.seconds }, seed: reports.first?.seed ?? 0,
            status: ExitStatus.foremost(reports.map(\.status)), extent: extent, version: reports.first?.version ?? HelpText.versionNumber)
    }

    /// What several parts have both run, which shards of one whole never do.
    var namesThatAreThereTwice: [String] {
        struct Run: Hashable {
            let name: String
            let variation: RunVariation?
        }
        var seen: Set<Run> = []
        var names: [String] = []
        for record in records where !seen.insert(Run(name: record.name, variation: record.variation)).inserted && names.last != record.name
        {
            names.append(record.name)
        }
        return names
    }
}
