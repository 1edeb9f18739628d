/// How far a search has come, in a file, so that one that was ended goes on where it was: on a machine that is taken away, in a job with a time limit.
///
/// The file is the search's own JSON report of the runs that were made, from the first one on without a gap. It is written whole or not at all.
struct SearchProgress {
    /// How often it is written, in seconds of the host. So much is lost to a SIGKILL.
    static let interval = 30.0

    let path: String
    let files: any FileAccess
    /// The program that goes on, as ``Host/build`` tells it.
    let build: String?

    /// What was reached; `nil` where the file is not there yet.
    /// - Throws: What is wrong with it, as a sentence.
    func read() throws(SearchProgressFault) -> ExplorationReport? {
        do {
            guard try files.kind(of: path) != nil else { return nil }
            let part = try ReportPart(path: path, data: files.read(path))
            guard case .search(let report) = part.content else { throw ReportFault("it is no report of a search") }
            return report
        } catch let error as FileError {
            throw SearchProgressFault(text: error.text("read") + "; give --resume another file")
        } catch {
            throw fault((error as? ReportFault)?.reason ?? "it cannot be read")
        }
    }

    /// - Throws: Why a search cannot go on from what was reached, as a sentence.
    func check(_ report: ExplorationReport, for search: ExplorationReport.Search, shard: Shard?) throws(SearchProgressFault) {
        guard report.version == HelpText.versionNumber else {
            throw fault("pairsim \(report.version) wrote it, whose searches may draw other runs than \(HelpText.versionNumber)")
        }
        guard report.search == search else {
            throw fault("it is of another search: seed, strategies, steps, files or what they say differ")
        }
        guard report.shard?.notation == shard?.notation else {
            throw fault("it is of \(report.shard.map { "shard \($0.notation)" } ?? "the whole search")")
        }
        guard report.seen != nil else { throw fault("it does not say which states were seen") }
    }

    private func fault(_ reason: String) -> SearchProgressFault {
        SearchProgressFault(text: "\(path): \(reason). Give --resume another file, or remove this one to begin anew")
    }

    /// Whether another build of the program made the runs, such as one of before the code that they tried was changed: what passed then says nothing of now.
    func isOfAnotherBuild(_ report: ExplorationReport) -> Bool { build != nil && report.program != build }

    func write(_ report: ExplorationReport) throws(FileError) {
        var report = report
        report.program = build
        try files.write(.init(report.json().utf8), to: path)
    }
}

/// Why a search cannot go on where it was.
struct SearchProgressFault: Error, CustomStringConvertible {
    let text: String
    var description: String { text }
}
