/// Words as a POSIX shell reads them.
enum ShellWord {
    /// The text as one word, quoted where it has to be.
    static func quoted(_ text: String) -> String {
        let isPlain = !text.isEmpty && text.utf8.allSatisfy { plain.contains($0) }
        return isPlain ? text : "'" + text.replacing("'", with: "'\\''") + "'"
    }

    private static let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,+@%".utf8)
}
