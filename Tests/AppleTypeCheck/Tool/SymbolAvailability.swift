import Foundation

/// Since which system each symbol of the toolchain's own modules exists, as their declarations say: the standard library and Foundation carry the
/// availability of Apple's systems on every host.
struct SymbolAvailability {
    private static let modules = [
        "Swift", "_Concurrency", "_StringProcessing", "Synchronization", "FoundationEssentials", "FoundationInternationalization",
        "Foundation",
        "Observation",
    ]

    struct Symbol {
        let name: String
        let introduced: [ApplePlatform: SystemVersion]
    }

    /// By precise identifier, only what is newer than the oldest system of some platform.
    private(set) var newer: [String: Symbol] = [:]
    private let folder: URL

    init(work: URL) throws {
        folder = work.appendingPathComponent("symbols")
        for module in Self.modules { try read(module) }
        guard newer.keys.contains(where: { $0.hasPrefix("s:15Synchronization") }) else {
            throw Toolchain.Failure(
                description: "the toolchain's symbols carry no availability of Apple's systems, so nothing can be told from them")
        }
    }

    /// Adds the symbols of a module, such as a stand-in's.
    mutating func read(_ module: String, searching path: URL? = nil) throws {
        for graph in try SymbolGraph.extract(module, searching: path, into: folder) {
            for symbol in graph.symbols {
                let introduced = symbol.introduced
                guard ApplePlatform.allCases.contains(where: { $0.minimum < introduced[$0] ?? $0.minimum }) else { continue }
                newer[symbol.identifier.precise] = Symbol(name: symbol.pathComponents.joined(separator: "."), introduced: introduced)
            }
        }
    }
}
