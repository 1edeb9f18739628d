/// The files that a command line has written: no two outputs go to one file, and none replaces what the command reads, or any scenario.
struct OutputFiles {
    private let command: CommandName
    private let files: any FileAccess
    private var outputs: [(option: String, path: String, key: String)] = []
    /// Those that only what pairsim wrote may lie at, each with what would be written.
    private var replaced: [(path: String, what: String)] = []

    init(of command: CommandName, files: any FileAccess) {
        self.command = command
        self.files = files
    }

    init(of command: CommandName, reports: [ReportRequest], trace: TraceTarget? = nil, files: any FileAccess) throws(UsageError) {
        self.init(of: command, files: files)
        if command != .run, let pattern = reports.first(where: \.isPattern) {
            throw UsageError(
                "--report \(pattern.format.rawValue)=\(pattern.path): a file for each run is what run writes; leave {name} out",
                command: command)
        }
        for report in reports {
            try add(report.origin, report.path)
            if !report.isPattern, report.path != "-" { replaced.append((report.path, report.purpose)) }
        }
        if case .path(let path)? = trace, !path.hasSuffix("/") {
            try add("--trace \(path)", path)
            replaced.append((path, "write the trace"))
        }
    }

    private mutating func add(_ option: String, _ path: String) throws(UsageError) {
        guard path != "-" else { return }
        for suffix in [ScenarioFinder.suffix, ".inc"] where path.lowercased().hasSuffix(suffix) {
            throw UsageError("\(option) would replace a scenario file; give the report another ending", command: command)
        }
        let key = key(of: path)
        if let other = outputs.first(where: { $0.key == key }) {
            throw UsageError("\(other.option) and \(option) would write the same file; give each a file of its own", command: command)
        }
        outputs.append((option, path, key))
    }

    /// - Parameter inputs: Files that the command reads.
    func check(against inputs: [String]) throws(UsageError) {
        guard !outputs.isEmpty else { return }
        for input in inputs {
            let key = key(of: input)
            if let output = outputs.first(where: { $0.key == key }) {
                throw UsageError(
                    "\(output.option) would replace \(input), which is read; give the report a file of its own", command: command)
            }
        }
    }

    /// Complains of every output that lies where somebody's own file is, before any work is done for it.
    /// - Returns: Whether there is none.
    func areOurs(on console: Console) -> Bool {
        var areOurs = true
        for (path, what) in replaced {
            do throws(FileError) {
                try files.makeSureIsOurs(path)
            } catch {
                areOurs = false
                console.complain(error.text(what))
            }
        }
        return areOurs
    }

    /// One for each file, whatever it is called: what the file system knows it by, or its path without detours where there is none yet.
    private func key(of path: String) -> String {
        if let identity = files.identity(of: path) { return identity }
        var parts: [Substring] = []
        for part in path.split(separator: "/") where part != "." {
            if part == "..", let last = parts.last, last != ".." { parts.removeLast() } else { parts.append(part) }
        }
        return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
    }
}
