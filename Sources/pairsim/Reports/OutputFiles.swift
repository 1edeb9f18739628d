import Foundation

/// The files that a command line has written: no two outputs go to one file, and none replaces what the command reads, or any scenario.
struct OutputFiles {
    private let command: CommandName
    private let files: any FileAccess
    /// By what tells their files from all others.
    private var options: [String: String] = [:]
    /// Those that only what pairsim wrote may lie at, each with what would be written.
    private var replaced: [(path: String, what: String)] = []
    /// The reports of single runs.
    private var patterned: [String] = []

    init(of command: CommandName, files: any FileAccess) {
        self.command = command
        self.files = files
    }

    /// - Parameters:
    ///   - summary: The file that the page of a job is made of, where there is one.
    ///   - progress: What a search goes on from, and keeps: no report is to take its place.
    init(
        of command: CommandName, reports: [ReportRequest], trace: TraceTarget? = nil, summary: String? = nil, progress: String? = nil,
        files: any FileAccess
    ) throws(UsageError) {
        self.init(of: command, files: files)
        if command != .run, let pattern = reports.first(where: \.isPattern) {
            throw UsageError(
                "--report \(pattern.format.rawValue)=\(pattern.path): a file for each run is what run writes; leave {name} out",
                command: command)
        }
        for report in reports {
            guard !report.isPattern, report.path != "-" else { continue }
            try add(report.origin, report.path)
            replaced.append((report.path, report.purpose))
        }
        if let progress { try add("--resume \(progress)", progress) }
        if let summary { try add("GITHUB_STEP_SUMMARY=\(summary)", summary) }
        if case .path(let path)? = trace, !path.hasSuffix("/") {
            try add("--trace \(path)", path)
            replaced.append((path, "write the trace"))
        }
    }

    /// Adds the files that are named after runs, so that none of them is another output either: the reports of single runs, and the traces in a folder.
    ///
    /// - Parameters:
    ///   - records: Those that there may be a file of, each as far as its name goes.
    ///   - traces: The folder of traces, if there is one.
    ///   - interruption: Ends the work: of millions of runs it takes a while.
    mutating func add(
        _ reports: [ReportRequest], traces: TraceFolder?, of records: some Sequence<RunRecord>, interruption: Interruption
    ) throws(UsageError) {
        let patterns = reports.filter { $0.isPattern && $0.path != "-" }
        var names = ReportNames()
        var traces = traces
        guard !patterns.isEmpty || traces != nil else { return }
        for record in records {
            guard !interruption.isRequested else { return }
            if !patterns.isEmpty {
                let name = names.name(of: record)
                for pattern in patterns {
                    let path = pattern.path.replacing(ReportRequest.placeholder, with: name)
                    try add(pattern.origin, path)
                    patterned.append(path)
                }
            }
            // Of a file that cannot be run there is no trace.
            if record.problems.isEmpty, let path = traces?.path(for: record) { try add("--trace", path) }
        }
    }

    private mutating func add(_ option: String, _ path: String) throws(UsageError) {
        guard path != "-" else { return }
        for suffix in [ScenarioFinder.suffix, ".inc"] where path.lowercased().hasSuffix(suffix) {
            throw UsageError("\(option) would replace a scenario file; give it another ending", command: command)
        }
        // What is written to a device or a pipe replaces nothing.
        if case .other? = try? files.kind(of: path) { return }
        let key = key(of: path)
        if let other = options[key] {
            let file = [other, option].contains { !$0.hasSuffix("=" + path) } ? ", \(path)" : ""
            throw UsageError("\(other) and \(option) would write the same file\(file); give each a file of its own", command: command)
        }
        options[key] = option
    }

    /// - Parameter inputs: Files that the command reads, or folders.
    func check(against inputs: [String]) throws(UsageError) {
        guard !options.isEmpty else { return }
        for input in inputs {
            let key = key(of: input)
            if let option = options[key] {
                throw UsageError(
                    "\(option) would replace \(input), which is read; give it a file of its own", command: command)
            }
        }
    }

    /// Leaves nothing of what earlier commands wrote to the same files, before any other work is done: one that is killed midway, or ends because there is nothing
    /// to do, would leave reports that say something of another day, and a job that reads them would pass by them. What is empty is no report.
    ///
    /// Where somebody's own file lies in the place of an output, that file stays.
    /// - Returns: Whether that could be done of all. Complains of what could not.
    func emptyEarlier(on console: Console) -> Bool {
        var areEmpty = true
        for (path, what) in replaced {
            do throws(FileError) {
                try files.makeSureIsOurs(path)
            } catch {
                areEmpty = false
                console.complain(error.text(what))
                continue
            }
            if !empty(path, on: console) { areEmpty = false }
        }
        return areEmpty
    }

    /// The same of the reports of single runs, whose names are known once the runs are.
    func emptyEarlierOfRuns(on console: Console, interruption: Interruption) -> Bool {
        var areEmpty = true
        for path in patterned where !interruption.isRequested && !empty(path, on: console) { areEmpty = false }
        return areEmpty
    }

    private func empty(_ path: String, on console: Console) -> Bool {
        do throws(FileError) {
            guard try files.kind(of: path) == .file, try !files.read(path, first: 1).isEmpty else { return true }
            try files.replaceOurs(Data(), at: path)
            return true
        } catch {
            console.complain(error.text("replace"))
            return false
        }
    }

    /// One for each file, whatever it is called: what the file system knows it by, or where it would lie where there is none yet.
    private func key(of path: String) -> String {
        if let identity = files.identity(of: path) { return identity }
        let place = files.place(of: path)
        #if canImport(Darwin)
            // Most disks of a Mac take names for the same that differ in upper and lower case only.
            return place.precomposedStringWithCanonicalMapping.lowercased()
        #else
            return place
        #endif
    }
}
