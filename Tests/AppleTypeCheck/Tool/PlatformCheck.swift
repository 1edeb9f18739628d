import Foundation

/// Checks modules for one platform, in a folder of its own with the stand-ins' modules and rewritten sources.
struct PlatformCheck {
    let platform: ApplePlatform
    let toolchain: Toolchain
    let root: URL
    let work: URL
    private var availability: SymbolAvailability
    private let rewriter: SourceRewriter

    init(platform: ApplePlatform, toolchain: Toolchain, root: URL, work: URL, availability: SymbolAvailability) throws {
        self.platform = platform
        self.toolchain = toolchain
        self.root = root
        self.work = work.appendingPathComponent(platform.rawValue)
        self.availability = availability
        rewriter = SourceRewriter(platform: platform)
        try FileManager.default.createDirectory(at: modules, withIntermediateDirectories: true)
    }

    var modules: URL { work.appendingPathComponent("modules") }
    private var standIns: String { "Tests/AppleTypeCheck/StandIns" }

    // MARK: Stand-ins

    mutating func makeStandIns() throws {
        for name in platform.standIns {
            // The mirror that hosts have says what Apple's says.
            let sources = (name == "Combine" ? ["Sources/Combine"] : []) + ["\(standIns)/\(name).swift"]
            try makeModule(name, of: CheckedModule(name: name, sources: sources).files(below: root).map { try rewritten($0) })
            try availability.read(name, searching: modules)
        }
        if platform == .macOS {
            let mirror = CheckedModule(name: "WatchConnectivity", sources: ["Sources/WatchConnectivity"])
            try makeModule(mirror.name, of: mirror.files(below: root).map { try rewritten($0) })
        }
    }

    private func makeModule(_ name: String, of files: [String]) throws {
        let path = modules.appendingPathComponent("\(name).swiftmodule").path
        let output = try toolchain.frontend(
            ["-emit-module", "-o", path, "-module-name", name, "-parse-as-library", "-swift-version", "6", "-package-name", "localdata"]
                + common + files)
        guard output.status == 0 else {
            throw Toolchain.Failure(description: "the stand-in \(name) does not compile for \(platform.rawValue):\n\(shown(output.string))")
        }
    }

    // MARK: Modules

    /// - Returns: what was found, sorted by place.
    func check(_ module: CheckedModule) throws -> [ExpectationResult] {
        let files = try module.files(below: root).map { try rewritten($0) }
        return try check(files, as: module)
    }

    func check(_ files: [String], as module: CheckedModule) throws -> [ExpectationResult] {
        let language =
            [
                "-module-name", module.name, "-parse-as-library", "-swift-version", module.languageMode, "-package-name", "localdata",
                "-import-module", "FoundationOnApple",
            ] + (module.isOfMainActor ? ["-default-isolation", "MainActor", "-enable-upcoming-feature", "InferIsolatedConformances"] : [])
        let compiled = try toolchain.frontend(
            [
                "-emit-sil", "-Onone", "-o", "/dev/null", "-emit-module-path",
                modules.appendingPathComponent("\(module.name).swiftmodule").path,
            ]
                + language + common + files)
        var findings = diagnostics(in: compiled.string)
        if compiled.status != 0 && findings.isEmpty {
            findings.append(ExpectationResult(place: module.name, message: "the compiler failed:\n\(shown(compiled.string))"))
        }
        // A tree of sources that do not compile says nothing.
        guard findings.isEmpty else { return findings }
        let tree = try toolchain.frontend(["-dump-ast", "-dump-ast-format", "json"] + language + common + files)
        return try SyntaxTreeReader(platform: platform, availability: availability).findings(in: tree.text).map {
            ExpectationResult(place: shown($0.place), message: $0.message)
        }
    }

    private var common: [String] {
        ["-I", modules.path]
    }

    /// Errors, and warnings too: with them a build in CI fails.
    private func diagnostics(in text: String) -> [ExpectationResult] {
        var findings: [ExpectationResult] = []
        for line in text.split(separator: "\n") {
            guard let match = line.wholeMatch(of: #/(\/.+?:\d+:\d+): (?:error|warning): (.+)/#) else { continue }
            let finding = ExpectationResult(place: shown(String(match.1)), message: String(match.2))
            if !findings.contains(finding) { findings.append(finding) }
        }
        return findings
    }

    /// With paths of the project instead of those of the working folder.
    private func shown(_ text: String) -> String {
        text.replacingOccurrences(of: work.path + "/", with: "")
    }

    /// Rewrites a file into the working folder, at the same path below it.
    private func rewritten(_ path: String) throws -> String {
        let text = try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
        return try write(rewriter.rewrite(text), at: path)
    }

    func rewritten(_ text: String, at path: String) throws -> String { try write(rewriter.rewrite(text), at: path) }

    private func write(_ text: String, at path: String) throws -> String {
        let file = work.appendingPathComponent(path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
        return file.path
    }
}
