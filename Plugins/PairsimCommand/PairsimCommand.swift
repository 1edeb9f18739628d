import Foundation
import PackagePlugin

/// `swift package pairsim run …`: the command line over the package's own apps and catalogs.
///
/// Builds the package's executable that depends on `PairsimTool`, or `pairsim` itself where there is none, and calls it in the package's folder with the
/// arguments as they are. Two options are the plugin's own, and stand before the tool's command: `--product NAME` where several executables depend on
/// `PairsimTool`, and `--configuration release`.
@main struct PairsimCommand: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) async throws {
        let call = try Call(arguments)
        let product = try Self.product(of: context.package, named: call.product)
        try call.refuseTerminal(for: product)

        var parameters = PackageManager.BuildParameters(configuration: call.isOptimized ? .release : .debug, logging: .concise)
        // Tests and the executable of an app see what is internal in it.
        if call.isOptimized { parameters.otherSwiftcFlags = ["-enable-testing"] }
        let build = try packageManager.build(.product(product), parameters: parameters)
        guard build.succeeded,
            let program = build.builtArtifacts.first(where: { $0.kind == .executable && $0.url.lastPathComponent == product })
        else { throw Trouble("\(product) does not build:\n\(build.logText)") }

        let process = Process()
        process.executableURL = program.url
        process.arguments = call.passedOn
        process.currentDirectoryURL = context.package.directoryURL
        process.environment = ProcessInfo.processInfo.environment.merging([
            "PAIRSIM_PROGRAM": "swift package pairsim\(call.ownOptions)",
            // Whoever ends `swift package` means the tool, which is in a group of processes of its own.
            "PAIRSIM_ENDS_WITH_PARENT": "1",
        ]) { $1 }
        try process.run()
        process.waitUntilExit()
        // Package commands end with 0 or 1.
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            throw Trouble("\(product) ended with the status \(process.terminationStatus)")
        }
    }

    /// The executable product that is called.
    private static func product(of package: Package, named name: String?) throws -> String {
        let targets = package.targets.compactMap { $0 as? SwiftSourceModuleTarget }.filter { target in
            target.kind == .executable && target.dependencies.contains { $0.isTool }
        }
        let products = package.products(ofType: ExecutableProduct.self)
        let found = targets.map { target in products.first { $0.mainTarget.id == target.id }?.name ?? target.name }.sorted()
        if let name {
            guard found.contains(name) else {
                throw Trouble(
                    "no executable \(name) depends on PairsimTool; those that do: \(found.isEmpty ? "none" : found.joined(separator: ", "))"
                )
            }
            return name
        }
        guard found.count < 2 else {
            throw Trouble(
                "\(found.joined(separator: " and ")) depend on PairsimTool; say which: swift package pairsim --product \(found[0]) …")
        }
        if found.isEmpty {
            Diagnostics.remark("no executable of this package depends on PairsimTool, so scenarios run with the app that they configure")
        }
        return found.first ?? "pairsim"
    }
}

extension TargetDependency {
    fileprivate var isTool: Bool {
        switch self {
        case .product(let product): product.name == "PairsimTool"
        case .target(let target): target.name == "PairsimTool"
        @unknown default: false
        }
    }
}

/// What the plugin was called with.
private struct Call {
    var product: String?
    var isOptimized = false
    /// The tool's arguments.
    var passedOn: [String] = []

    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        while let first = rest.first, ["--product", "--configuration", "-c"].contains(first) {
            rest.removeFirst()
            guard let value = rest.popFirst() else { throw Trouble("\(first) needs a value") }
            switch (first, value) {
            case ("--product", _): product = value
            case (_, "release"): isOptimized = true
            case (_, "debug"): isOptimized = false
            default: throw Trouble("there is no configuration \(value); there are debug and release")
            }
        }
        passedOn = Array(rest)
    }

    /// The plugin's options, for commands to paste.
    var ownOptions: String { (product.map { " --product \($0)" } ?? "") + (isOptimized ? " --configuration release" : "") }

    /// A plugin gets neither the terminal nor standard input. What needs one is called without it.
    func refuseTerminal(for product: String) throws {
        guard let command = passedOn.first(where: { !$0.hasPrefix("-") }) else { return }
        let isConversation =
            command == "debug" && !passedOn.contains { $0 == "--do" || $0.hasPrefix("--do=") || $0 == "--help" || $0 == "-h" }
        guard isConversation || command == "lsp" || passedOn.contains("-") else { return }
        let words = passedOn.map { $0.contains(where: { $0.isWhitespace || "'\"$*?[]()&;<>|\\".contains($0) }) ? "'\($0)'" : $0 }
        throw Trouble(
            "\(command) needs the terminal or standard input, which swift package keeps from plugins; call the same program without it:\n"
                + "  swift run \(isOptimized ? "-c release -Xswiftc -enable-testing " : "")\(product) \(words.joined(separator: " "))")
    }
}

/// Why the command cannot be carried out.
private struct Trouble: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
