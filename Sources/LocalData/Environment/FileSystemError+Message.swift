import Foundation

extension FileSystemError: CustomStringConvertible, LocalizedError {
    /// Such as `rename of '/…/theme': errno 28 (ENOSPC), no space left on device`.
    public var description: String {
        "\(operation) of '\(path)': errno \(errno)\(name.map { " (\($0))" } ?? ""), \(meaning)"
    }

    public var errorDescription: String? { description }

    private var meaning: String {
        guard let text = strerror(errno) else { return "unknown" }
        let words = String(cString: text)
        return words.prefix(1).lowercased() + words.dropFirst()
    }
}
