import Foundation

/// What mutations are drawn over: the sources that decide what becomes of values, by area.
enum Area: String, CaseIterable {
    case sync, migration, rotation, values, audit, session
    /// Mistakes against the rules of the session, planted by hand.
    case rules

    private static let folders = ["Sources/LocalData/Router/", "Sources/LocalData/Engines/"]

    /// The area of a file; `nil`: none is planted there. The first that fits.
    static func of(_ path: String) -> Area? {
        guard path.hasSuffix(".swift"), path.hasPrefix("Sources/") else { return nil }
        // Texts, advice for whoever writes declarations, and what scenarios make wrong on purpose.
        if ["+Output", "Linter", "Forgery", "CounterpartLie", "/Platform/"].contains(where: path.contains) { return nil }
        let name = folders.first(where: path.hasPrefix).map { path.dropFirst($0.count) }
        func names(_ words: String...) -> Bool { words.contains { name?.contains($0) ?? false } }
        if path.hasPrefix("Sources/DeviceSim/Core/Connectivity/") { return .session }
        if path.hasPrefix("Sources/LocalData/Sync/") || names("Sync") { return .sync }
        if path.hasPrefix("Sources/LocalData/Migration/") || names("Migration", "Moved") { return .migration }
        if path.hasPrefix("Sources/LocalData/Security/") || names("Rotation", "Reseal", "Sealing") { return .rotation }
        if path.hasPrefix("Sources/LocalData/Catalog/") || names("Audit", "Catalog", "Admission") { return .audit }
        if path.hasPrefix("Sources/LocalData/Storage/") || name != nil { return .values }
        return nil
    }
}

/// The choice of mutations, by the seed alone: what a place is called decides whether it is drawn, so an edit elsewhere draws no others.
struct Sample {
    let seed: UInt64

    private func rank(_ mutation: Mutation) -> UInt64 { Digest.of([String(seed), mutation.identity]) }

    /// So many of each area, most wanted first: of each kind of mistake in turn, and of a declaration one, as long as there are others.
    /// - Parameter planted: What is planted in any case, beside which there is no room.
    func draw(_ count: Int, of mutations: [Mutation], beside planted: [Mutation]) -> [Mutation] {
        var kinds: [Mutation.Operator: [Mutation]] = [:]
        for mutation in mutations.sorted(by: { rank($0) < rank($1) }) { kinds[mutation.kind, default: []].append(mutation) }
        let order = kinds.keys.sorted { Digest.of([String(seed), $0.rawValue]) < Digest.of([String(seed), $1.rawValue]) }
        var drawn: [Mutation] = []
        var declarations: Set<String> = []
        while drawn.count < count {
            let before = drawn.count
            for kind in order where drawn.count < count {
                guard var left = kinds[kind] else { continue }
                let fits = { (mutation: Mutation) in
                    !(drawn + planted).contains { $0.path == mutation.path && $0.span.overlaps(mutation.span) }
                }
                guard let index = left.firstIndex(where: { !declarations.contains($0.declaration) && fits($0) }) else { continue }
                let mutation = left.remove(at: index)
                kinds[kind] = left
                drawn.append(mutation)
                declarations.insert(mutation.declaration)
            }
            guard drawn.count == before else { continue }
            guard !declarations.isEmpty else { break }
            declarations = []
        }
        return drawn
    }
}
