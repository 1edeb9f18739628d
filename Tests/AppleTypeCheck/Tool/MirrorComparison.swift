import Foundation

/// Holds the mirror of WatchConnectivity, which hosts without Apple's framework get, against what Apple's public documentation declares: every
/// symbol that iOS or watchOS has, with the same declaration, and none besides but those that serve the simulation.
struct MirrorComparison {
    let toolchain: Toolchain
    let root: URL
    let work: URL

    /// What the mirror has of its own: how a simulation answers for a session.
    private static let own = [
        "WCSessionBackend", "WCSessionBackends", "WCSessionDelegateMethod", "WCSession.backend", "WCSession.init(backend:)",
        "WCSession.tellObservers(of:)", "ProgressObservers", "ProgressObservers.tell(_:)",
    ]
    /// Key-value observing, which Apple declares in Foundation, for every `NSObject`, and hosts without Objective-C do not have.
    private static let foundations = [
        "NSKeyValueObservation", "NSKeyValueObservedChange", "NSKeyValueObservingOptions", "WCSession.observe(_:options:changeHandler:)",
        "Progress.observe(_:options:changeHandler:)",
    ]
    /// What apps get and never make, so a backend has to; and what Swift's importer gives an error of Apple's without its being declared.
    private static let made = [
        "WCSessionFile.init(fileURL:metadata:)", "WCSessionFileTransfer.init(file:)", "WCError.init(_:failureReason:)", "WCError.Code.name",
        "WCError.Code._ErrorType", "WCError.description", "WCError.errorCode", "WCError.errorUserInfo", "WCError.localizedDescription",
    ]

    func differences(platforms: [ApplePlatform]) throws -> [String] {
        let mirror = try symbols(in: mirrorModules())
        var problems: [String] = []
        var apples: Set<String> = []
        for platform in platforms where platform.standIns.contains("WatchConnectivity") {
            let standIn = try symbols(in: work.appendingPathComponent("\(platform.rawValue)/modules"))
            apples.formUnion(standIn.keys)
            for (path, declarations) in standIn.sorted(by: { $0.key < $1.key }) {
                guard let mirrored = mirror[path] else {
                    problems.append("Sources/WatchConnectivity: error: '\(path)', which \(platform.rawValue) has, is missing")
                    continue
                }
                for declaration in declarations.subtracting(mirrored).sorted() {
                    problems.append(
                        "Sources/WatchConnectivity: error: '\(path)' is declared as `\(mirrored.sorted().joined(separator: "`, `"))`, "
                            + "on \(platform.rawValue) as `\(declaration)`")
                }
            }
        }
        // What one platform alone has can be told from what nobody has only where both were looked at.
        guard Set(platforms).isSuperset(of: [.iOS, .watchOS]) else { return problems }
        for path in mirror.keys.sorted() where !apples.contains(path) && !isOwn(path) {
            problems.append("Sources/WatchConnectivity: error: '\(path)' is not among Apple's declarations")
        }
        if problems.isEmpty { print("passed  the mirror of WatchConnectivity has the \(apples.count) symbols of Apple's") }
        return problems
    }

    private func isOwn(_ path: String) -> Bool {
        Self.made.contains(path) || (Self.own + Self.foundations).contains { path == $0 || path.hasPrefix($0 + ".") }
    }

    private func mirrorModules() throws -> URL {
        let modules = work.appendingPathComponent("mirror")
        try FileManager.default.createDirectory(at: modules, withIntermediateDirectories: true)
        let files = try CheckedModule(name: "WatchConnectivity", sources: ["Sources/WatchConnectivity"]).files(below: root)
        let output = try toolchain.frontend(
            [
                "-emit-module", "-o", modules.appendingPathComponent("WatchConnectivity.swiftmodule").path, "-module-name",
                "WatchConnectivity",
            ]
                + ["-parse-as-library", "-swift-version", "6", "-package-name", "localdata"]
                + files.map { root.appendingPathComponent($0).path })
        guard output.status == 0 else { throw Toolchain.Failure(description: "the mirror does not compile:\n\(output.string)") }
        return modules
    }

    /// The declarations of a module's public symbols, by their paths.
    private func symbols(in modules: URL) throws -> [String: Set<String>] {
        var found: [String: Set<String>] = [:]
        for graph in try SymbolGraph.extract("WatchConnectivity", searching: modules, into: modules.appendingPathComponent("symbols")) {
            for symbol in graph.symbols { found[symbol.path, default: []].insert(symbol.declaration) }
        }
        return found
    }
}
