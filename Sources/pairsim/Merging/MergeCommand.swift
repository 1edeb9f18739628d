import Foundation

/// `pairsim merge`: joins the reports of shards to what one invocation would have written.
final class MergeCommand {
    private let command: ParsedCommand
    private let host: Host
    private let console: Console
    private let requests: [ReportRequest]
    private var statuses: Set<ExitStatus> = []
    /// The folders that have been searched, so that a link leads into none twice.
    private var entered: Set<String> = []
    /// The folders that were named and have no report.
    private var bareFolders: [String] = []

    init(command: ParsedCommand, host: Host) throws(UsageError) {
        self.command = command
        self.host = host
        requests = command.texts(.report).compactMap { ReportRequest(option: $0) }
        let outputs = requests.count { $0.path == "-" }
        guard outputs + (command.has(.json) ? 1 : 0) <= 1 else {
            throw UsageError("Standard output (-) can take only one report, or the answer of --json", command: .merge)
        }
        console = Console(host: host, colour: command.text(.color), isOutputTaken: outputs > 0)
    }

    func run() throws(UsageError) -> ExitStatus {
        let outputs = try OutputFiles(of: .merge, reports: requests, files: host.files)
        let paths = command.operands.flatMap(paths)
        try outputs.check(against: paths)
        let given = read(paths)
        // What is joined is read by now, and whatever comes of it, no report of another day stays.
        guard outputs.emptyEarlier(on: console) else { return .cannotRun }
        if !paths.isEmpty { for folder in bareFolders { complain("there is no report in \(folder)", .cannotRun) } }
        guard !given.isEmpty else {
            if statuses.isEmpty {
                complain("nothing selected: there is no report in \(command.operands.joined(separator: ", "))", .nothingSelected)
            }
            return ExitStatus.foremost(statuses)
        }
        let roll = ShardRoll(given)
        for complaint in roll.complaints { complain(complaint, .cannotRun) }
        statuses.formUnion(roll.parts.map(\.status))
        var runs: [RunReport] = []
        var searches: [ExplorationReport] = []
        for part in roll.parts {
            switch part.content {
            case .runs(let report): runs.append(report)
            case .search(let report): searches.append(report)
            }
        }
        guard runs.isEmpty || searches.isEmpty else {
            throw UsageError("Some reports are of run and some of explore; join them apart", command: .merge)
        }
        if searches.isEmpty {
            try join(runs, of: roll)
        } else {
            try join(searches, of: roll)
        }
        return ExitStatus.foremost(statuses)
    }

    private func complain(_ text: String, _ status: ExitStatus) {
        console.complain(SafeText.line(text))
        statuses.insert(status)
    }

    // MARK: Reading

    private func read(_ paths: [String]) -> [ReportPart] {
        var parts: [ReportPart] = []
        for path in paths {
            do throws(FileError) {
                let data = try host.files.read(path)
                do throws(ReportFault) {
                    parts.append(try ReportPart(path: path, data: data))
                } catch {
                    complain("cannot join \(path): \(error.reason)", .cannotRun)
                }
            } catch {
                complain(error.text("read"), .cannotRun)
            }
        }
        return parts
    }

    /// A folder stands for its JSON reports, or if it has none for its XML reports, those of its folders among them.
    private func paths(of operand: String) -> [String] {
        do throws(FileError) {
            guard case .folder? = try host.files.kind(of: operand) else { return [operand] }
            entered = []
            let all = try files(in: operand)
            let reports = all.filter { Self.isReport($0, ["json"]) }
            let paths = reports.isEmpty ? all : reports
            if paths.isEmpty { bareFolders.append(operand) }
            return paths
        } catch {
            complain(error.text("read"), .cannotRun)
            return []
        }
    }

    private static func isReport(_ path: String, _ endings: [String] = ["json", "xml"]) -> Bool {
        endings.contains { path.lowercased().hasSuffix("." + $0) }
    }

    /// The files of a folder and of its folders that may be reports. Complains of what may be one and cannot be seen: it would be passed over in silence
    /// otherwise, and what it says of failures with it.
    private func files(in folder: String) throws(FileError) -> [String] {
        guard case .folder(let identity)? = try host.files.kind(of: folder), entered.insert(identity).inserted else { return [] }
        var paths: [String] = []
        for name in try host.files.names(in: folder).sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) where !name.hasPrefix(".") {
            let path = folder.hasSuffix("/") ? folder + name : folder + "/" + name
            do throws(FileError) {
                switch try host.files.kind(of: path) {
                case .file where Self.isReport(name): paths.append(path)
                case .folder: paths += try files(in: path)
                case .file: continue
                case .other:
                    if Self.isReport(name) { throw FileError(path: path, reason: "it is not a regular file") }
                case nil: throw FileError(path: path, reason: ScenarioFinder.whyNothing(name))
                }
            } catch {
                complain(error.text("read"), .cannotRun)
            }
        }
        return paths
    }

    // MARK: Joining runs

    private func join(_ reports: [RunReport], of roll: ShardRoll) throws(UsageError) {
        if let json = requests.first(where: { $0.format == .json }), let junit = roll.parts.first(where: \.isJUnit) {
            throw UsageError("--report json=\(json.path) is made of JSON reports, and \(junit.path) is JUnit", command: .merge)
        }
        var report = RunReport(joining: reports, areShards: roll.count != nil)
        for name in report.namesThatAreThereTwice.prefix(20) { complain("\(name) is there twice", .cannotRun) }
        // A report may say of itself that all passed, and of a run that it failed.
        statuses.formUnion(report.summary.statuses)
        report.status = ExitStatus.foremost(statuses)
        for record in report.records where !record.isGreen {
            for line in FailureText.lines(of: record, style: console.style, program: host.program) { console.print(line) }
            console.print()
        }
        let faults = report.neverTriggered.lines(style: console.style, isVerbose: command.has(.verbose))
        if !faults.isEmpty, !command.has(.quiet) { for line in faults + [""] { console.print(line) } }
        // JUnit's form has less than a JSON report needs.
        if !roll.parts.contains(where: \.isJUnit) { console.answer(JSONReport.document(report)) }
        conclude(report.summary.text, roll, isGood: report.summary.failures == 0)
        for request in requests where !console.write(report, as: request, files: host.files) { statuses.insert(.cannotRun) }
    }

    /// - Parameter reservation: What the summary does not say.
    private func conclude(_ summary: String, _ roll: ShardRoll, isGood: Bool, reservation: String = "") {
        guard !command.has(.quiet) else { return }
        let parts = roll.count.map { "\(roll.parts.count) of \(Plural.of($0, "shard"))" } ?? Plural.of(roll.parts.count, "report")
        let isGreen = isGood && ExitStatus.foremost(statuses) == .passed
        console.print(console.style.paint("\(summary): \(parts)\(reservation)", isGreen ? .green : .boldRed))
    }

    // MARK: Joining searches

    private func join(_ reports: [ExplorationReport], of roll: ShardRoll) throws(UsageError) {
        if let request = requests.first(where: { !ReportFormat.ofExplorations.contains($0.format) }) {
            throw UsageError("These are the reports of a search, which has no \(request.format.rawValue) report", command: .merge)
        }
        guard var report = ExplorationReport(joining: reports) else { return }
        statuses.formUnion(report.found.map(\.invariant.status))
        let folder = command.text(.save).map { FoundFolder(path: $0, files: host.files) }
        if let remark = report.comparisons?.remark { console.remark(remark) }
        for failure in report.found {
            if !console.show(failure, savingIn: folder) { statuses.insert(.cannotRun) }
            console.print()
        }
        report.status = ExitStatus.foremost(statuses)
        if !command.has(.quiet) { for line in report.exhaustive.flatMap(\.lines) { console.print(line) } }
        report.coverageReport = report.coverage.map { CoverageReport($0) }
        if let covered = report.coverageReport, !command.has(.quiet) {
            for line in covered.lines(style: console.style, columns: host.columns ?? 80) { console.print(line) }
            console.print()
        } else if reports.contains(where: { $0.coverage != nil }), report.coverage == nil {
            console.complain("some of the shards do not say what they exercised; run all of them with --coverage to have it joined")
        }
        console.answer(report.document)
        let failures = "\(Plural.of(report.failingRuns, "failing run")) of \(Plural.of(report.found.count, "kind"))"
        let compared = report.comparisons.map { "\($0.summary), " } ?? ""
        conclude(
            "\(Plural.of(report.runs, "run")), \(compared)\(report.failingRuns == 0 ? "no failure" : failures)", roll,
            isGood: report.found.isEmpty, reservation: report.failingRuns == 0 ? ExplorationReport.reservation(report.unchecked) : "")
        for request in requests where !console.write(report, as: request, files: host.files) { statuses.insert(.cannotRun) }
    }
}
