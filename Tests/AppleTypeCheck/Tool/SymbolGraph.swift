import Foundation

/// The public symbols of a module, as the toolchain lists them.
struct SymbolGraph: Decodable {
    let symbols: [Symbol]

    struct Symbol: Decodable {
        struct Identifier: Decodable { let precise: String }
        struct Fragment: Decodable { let spelling: String }
        struct Availability: Decodable {
            struct Version: Decodable {
                let major: Int
                let minor: Int?
            }
            let domain: String?
            let introduced: Version?
        }

        let identifier: Identifier
        let pathComponents: [String]
        let declarationFragments: [Fragment]?
        let availability: [Availability]?

        var path: String { pathComponents.joined(separator: ".") }

        var introduced: [ApplePlatform: SystemVersion] {
            var versions: [ApplePlatform: SystemVersion] = [:]
            for entry in availability ?? [] {
                guard let platform = entry.domain.flatMap(ApplePlatform.init(rawValue:)), let version = entry.introduced else { continue }
                versions[platform] = SystemVersion(major: version.major, minor: version.minor ?? 0)
            }
            return versions
        }

        /// Without attributes, and with a constant as the property that can only be read which it is to others.
        var declaration: String {
            (declarationFragments ?? []).map(\.spelling).joined()
                .replacing(#/@\w+(\([^)]*\))?\s*/#, with: "")
                .replacing(#/^let (.+)$/#) { "var \($0.1) { get }" }
        }
    }

    /// Lists a module's symbols, and those that it adds to others.
    static func extract(_ module: String, searching path: URL?, into folder: URL) throws -> [SymbolGraph] {
        let own = folder.appendingPathComponent(module)
        try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
        let search = path.map { ["-I", $0.path] } ?? []
        let output = try Toolchain.run(
            ["swift", "symbolgraph-extract", "-module-name", module, "-target", Toolchain.target(), "-minimum-access-level", "public"]
                + ["-skip-synthesized-members", "-output-dir", own.path] + search)
        guard output.status == 0 else {
            throw Toolchain.Failure(description: "the symbols of \(module) cannot be listed:\n\(output.string)")
        }
        return try FileManager.default.contentsOfDirectory(atPath: own.path).sorted().map {
            try JSONDecoder().decode(SymbolGraph.self, from: Data(contentsOf: own.appendingPathComponent($0)))
        }
    }
}
