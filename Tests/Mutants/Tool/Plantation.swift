import Foundation

/// A copy of the package in which each mutated place asks which mistake is in force, so that one build has all of them.
struct Plantation {
    let root: URL
    let copy: URL

    /// The variable of the environment that says which mistake is in force.
    static let variable = "PLANTED_MISTAKE"
    /// The variable that names a file which the program makes when it comes to the mistake.
    static let reached = "PLANTED_MISTAKE_REACHED"

    private static let switchPath = "Sources/LocalData/PlantedMistake.swift"
    private static let switchText = """
        #if canImport(Darwin)
            import Darwin
        #else
            import Glibc
        #endif

        private let inForce: Int = getenv("\(variable)").flatMap { Int(String(cString: $0)) } ?? -1
        private nonisolated(unsafe) var isReached = false

        /// Whether that mistake is in force.
        public func plantedMistake(_ number: Int) -> Bool {
            guard number == inForce else { return false }
            if !isReached {
                isReached = true
                if let path = getenv("\(reached)") { close(open(path, O_CREAT | O_WRONLY, 0o644)) }
            }
            return true
        }

        """

    /// The package's files, from its folder: what git knows and what it would.
    func files() throws -> [String] {
        let output = try Shell.run(["git", "-C", root.path, "ls-files", "-co", "--exclude-standard", "-z"])
        return output.text.split(separator: "\0").map(String.init).sorted()
    }

    func source(_ path: String) throws -> String { try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8) }

    /// Copies what differs, with these mistakes by their numbers.
    func plant(_ mistakes: [(number: Int, mutation: Mutation)], among files: [String]) throws {
        let planted = Dictionary(grouping: mistakes, by: \.mutation.path)
        for path in files {
            let from = root.appendingPathComponent(path)
            guard var content = try? Data(contentsOf: from) else { continue }
            if let mistakes = planted[path] { content = Data(try Self.mutated(String(decoding: content, as: UTF8.self), mistakes).utf8) }
            try write(content, to: path)
            let mode = try FileManager.default.attributesOfItem(atPath: from.path)[.posixPermissions]
            if let mode {
                try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: copy.appendingPathComponent(path).path)
            }
        }
        try write(Data(Self.switchText.utf8), to: Self.switchPath)
    }

    private func write(_ content: Data, to path: String) throws {
        let place = copy.appendingPathComponent(path)
        guard (try? Data(contentsOf: place)) != content else { return }
        try FileManager.default.createDirectory(at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
        try content.write(to: place)
    }

    private static func mutated(_ source: String, _ mistakes: [(number: Int, mutation: Mutation)]) throws -> String {
        var bytes = Array(source.utf8)
        let edits = mistakes.flatMap { mistake in
            mistake.mutation.edits.map { ($0, $0.text.replacingOccurrences(of: "#", with: "plantedMistake(\(mistake.number))")) }
        }
        for (edit, text) in edits.sorted(by: { $0.0.begin > $1.0.begin }) { bytes.replaceSubrange(edit.begin..<edit.end, with: text.utf8) }
        let text = String(decoding: bytes, as: UTF8.self)
        let isInLocalData = mistakes[0].mutation.path.hasPrefix("Sources/LocalData/")
        return isInLocalData || source.contains("\nimport LocalData\n") ? text : "import LocalData; " + text
    }

    /// What measures: the arguments of `swift build`.
    static func products(withTests: Bool) -> [[String]] {
        let programs = ["mutant-search", "pairsim"].map { ["-c", "release", "--product", $0] }
        return withTests ? programs + [["--build-tests"]] : programs
    }

    /// Builds what measures, and takes out the mistakes that do not compile.
    /// - Returns: The numbers of those.
    func build(
        _ mistakes: [(number: Int, mutation: Mutation)], among files: [String], without known: Set<String>, withTests: Bool,
        report: (String) -> Void
    ) throws -> Set<Int> {
        var dropped = Set(mistakes.filter { known.contains($0.mutation.identity) }.map(\.number))
        while true {
            let kept = mistakes.filter { !dropped.contains($0.number) }
            try plant(kept, among: files)
            var log = ""
            var isBuilt = true
            for product in Self.products(withTests: withTests) where isBuilt {
                let output = try Shell.run(["swift", "build", "--package-path", copy.path] + product)
                log += output.text + output.errors
                isBuilt = output.status == 0
            }
            if isBuilt { return dropped }
            let crashing = try Self.functionsThatCrashTheCompiler(in: log)
            let faulty = Set(
                Self.errors(in: log).flatMap { error in error.causes(among: kept) }
                    + kept.filter { mistake in crashing.contains { $0.contains(mistake.mutation.declaration) } }.map(\.number))
            guard !faulty.isEmpty else { throw PlantationError.notBuilt(String(log.suffix(4_000))) }
            report("\(faulty.count) mistakes do not compile and are taken out: \(faulty.sorted())")
            dropped.formUnion(faulty)
        }
    }

    /// What a compiler that crashed says that it was at, such as `EncryptionHelper.isMasterKeyGone(of:accepting:)`.
    private static func functionsThatCrashTheCompiler(in log: String) throws -> [String] {
        guard log.contains("Stack dump:") else { return [] }
        let names = log.matches(of: /SIL function "@(\$s\w+)"/).map { String($0.output.1) }
        guard !names.isEmpty else { return [] }
        let demangled = try Shell.run(["swift-demangle", "-compact", "-simplified"] + names)
        return demangled.text.split(separator: "\n").map(String.init)
    }

    private struct CompilerError: Hashable {
        let path: String
        let line: Int

        /// The mistakes on its line; where there is none, the nearest of the file.
        func causes(among mistakes: [(number: Int, mutation: Mutation)]) -> [Int] {
            let near = mistakes.filter { path.hasSuffix($0.mutation.path) }
            let there = near.filter { $0.mutation.lines.contains(line) }
            let nearest = near.min { abs($0.mutation.lines.lowerBound - line) < abs($1.mutation.lines.lowerBound - line) }
            return (there.isEmpty ? [nearest].compactMap { $0 } : there).map(\.number)
        }
    }

    private static func errors(in log: String) -> Set<CompilerError> {
        let lines = log.split(separator: "\n").compactMap { line -> CompilerError? in
            let parts = line.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count > 3, parts[3].hasPrefix(" error"), let number = Int(parts[1]) else { return nil }
            return CompilerError(path: String(parts[0]), line: number)
        }
        return Set(lines)
    }
}

enum PlantationError: Error {
    case notBuilt(String)
    /// The rule, the mistake, and how often its place was found.
    case notThere(String, String, Int)
}

/// Other programs.
enum Shell {
    struct Output {
        let status: Int32
        let text: String
        let errors: String
        /// Whether it was ended since it took too long.
        let isOver: Bool
    }

    /// Runs it to its end, or ends it after so many seconds. What it writes goes through files, so that no pipe fills.
    static func run(_ command: [String], in folder: URL? = nil, environment: [String: String] = [:], seconds: Double? = nil) throws
        -> Output
    {
        let place = FileManager.default.temporaryDirectory.appendingPathComponent("mutants-\(ProcessInfo.processInfo.processIdentifier)")
        let (out, err) = (place.appendingPathExtension("out"), place.appendingPathExtension("err"))
        for file in [out, err] { try Data().write(to: file) }
        defer { for file in [out, err] { try? FileManager.default.removeItem(at: file) } }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        let limit = seconds.map { ["timeout", "-s", "KILL", String($0)] } ?? []
        process.arguments = limit + command
        process.currentDirectoryURL = folder
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardOutput = try FileHandle(forWritingTo: out)
        process.standardError = try FileHandle(forWritingTo: err)
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        let isOver = process.terminationStatus == 137 || (process.terminationReason == .uncaughtSignal && process.terminationStatus == 9)
        return Output(
            status: process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus,
            text: String(decoding: try Data(contentsOf: out), as: UTF8.self),
            errors: String(decoding: try Data(contentsOf: err), as: UTF8.self), isOver: seconds != nil && isOver)
    }
}
