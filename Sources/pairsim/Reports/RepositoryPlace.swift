/// Where the current folder lies in the repository: GitHub takes the paths of annotations from the repository's root, wherever the tool was started.
struct RepositoryPlace {
    private let root: String
    /// Below the root, without slashes at its ends; empty for the root itself.
    private let folder: [String]

    /// `nil` where the current folder lies in no repository that could be found: paths stay as they are.
    init?(_ host: Host) {
        let here = Self.parts(of: host.folder)
        if let workspace = host.environment["GITHUB_WORKSPACE"], !workspace.isEmpty {
            // The folder may have been reached by another name, such as through a link.
            let identity = host.files.identity(of: workspace)
            let count = (0...here.count).reversed().first { count in
                let above = Array(here[..<count])
                return above == Self.parts(of: workspace) || identity != nil && host.files.identity(of: Self.path(above)) == identity
            }
            guard let count else { return nil }
            (root, folder) = (Self.path(Array(here[..<count])), Array(here[count...]))
        } else {
            let count = (0...here.count).reversed().first { count in
                ((try? host.files.kind(of: Self.path(here[..<count] + [".git"]))) ?? nil) != nil
            }
            guard let count else { return nil }
            (root, folder) = (Self.path(Array(here[..<count])), Array(here[count...]))
        }
    }

    /// The path from the root; as it is for what lies outside.
    /// - Parameter path: As a command was given it, or found it below that.
    func path(of path: String) -> String {
        guard path != "-", !path.isEmpty else { return path }
        let rootParts = Self.parts(of: root)
        let all = path.hasPrefix("/") ? Self.parts(of: path) : Self.parts(of: Self.path(rootParts + folder) + "/" + path)
        guard all.count > rootParts.count, Array(all.prefix(rootParts.count)) == rootParts else { return path }
        return all.dropFirst(rootParts.count).joined(separator: "/")
    }

    /// Of an absolute path, without detours.
    private static func parts(of path: String) -> [String] {
        var parts: [String] = []
        for part in path.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(String(part)) }
        }
        return parts
    }

    private static func path(_ parts: [String]) -> String { "/" + parts.joined(separator: "/") }
}
