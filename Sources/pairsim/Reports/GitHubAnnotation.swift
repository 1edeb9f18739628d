/// A workflow command that marks a place in the files of a pull request.
enum GitHubAnnotation {
    /// - Parameter path: `nil` for what is about no file.
    static func error(path: String?, line: Int? = nil, column: Int? = nil, title: String, message: String) -> String {
        var properties: [String] = []
        if let path { properties.append("file=\(property(path))") }
        if let line { properties.append("line=\(line)") }
        if let column { properties.append("col=\(column)") }
        properties.append("title=\(property(title))")
        return "::error \(properties.joined(separator: ","))::\(data(message))"
    }

    private static func data(_ text: String) -> String {
        let escaped = text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
        return SafeText.line(escaped)
    }

    private static func property(_ text: String) -> String {
        data(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
    }
}
