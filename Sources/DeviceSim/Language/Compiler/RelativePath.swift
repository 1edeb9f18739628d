/// Paths of included files.
enum RelativePath {
    /// `path` as seen from the folder of `file`, without `.` and `..` where that is possible.
    static func resolve(_ path: String, against file: String) -> String {
        var parts = file.split(separator: "/", omittingEmptySubsequences: true).dropLast().map(String.init)
        for part in path.split(separator: "/", omittingEmptySubsequences: true).map(String.init) {
            switch part {
            case ".": break
            case ".." where parts.last.map({ $0 != ".." }) ?? false: parts.removeLast()
            default: parts.append(part)
            }
        }
        return (file.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
    }
}
