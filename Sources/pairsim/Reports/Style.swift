/// Whether and how output is coloured.
struct Style: Sendable {
    let isColoured: Bool

    enum Paint: String, Sendable {
        case bold = "1"
        case dim = "2"
        case red = "31"
        case green = "32"
        case yellow = "33"
        case cyan = "36"
        case boldRed = "1;31"
    }

    func paint(_ text: String, _ paint: Paint) -> String {
        isColoured && !text.isEmpty ? "\u{1B}[\(paint.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// By the option, then by `NO_COLOR`, then by what the output is.
    static func chosen(option: String?, environment: [String: String], isTerminal: Bool) -> Style {
        switch option {
        case "always": return Style(isColoured: true)
        case "never": return Style(isColoured: false)
        default:
            let isRefused = !(environment["NO_COLOR"] ?? "").isEmpty || environment["TERM"] == "dumb"
            return Style(isColoured: isTerminal && !isRefused)
        }
    }
}
