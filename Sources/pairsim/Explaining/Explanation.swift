/// What is to be said of one word: a step, an error, a knob, a rule, an event, an exit status, a command, an option.
///
/// Made from the tables that the grammar, the help and the catalogue are made of, so that it cannot tell anything else.
struct Explanation: Sendable, Hashable {
    let kind: Kind
    /// The word, or the line's form.
    let name: String
    /// What it means, without a full stop.
    let meaning: String
    /// What else is known of it, each with what it is: `example`, `words`, `default`, `remedy`.
    var details: [Detail] = []

    struct Detail: Sendable, Hashable {
        let name: String
        let text: String

        init(_ name: String, _ text: String) {
            self.name = name
            self.text = text
        }
    }

    /// What a word can be.
    enum Kind: String, Sendable, CaseIterable {
        case step, expectation, attribute, structure, start, slot, group, notation, error, event, knob, rule, trouble, app, status, promise,
            command, option, word
    }
}

extension Explanation {
    /// For a terminal: the word, its meaning, and what else is known, one to a line.
    func lines(_ style: Style) -> [String] {
        let head = style.paint(SafeText.line(name), .bold) + "  " + style.paint(kind.rawValue, .dim)
        let width = details.map(\.name.count).max() ?? 0
        return [head, "  " + SafeText.line(meaning)]
            + details.map { detail in
                let name = detail.name + String(repeating: " ", count: width - detail.name.count)
                return "  " + style.paint(name, .dim) + "  " + SafeText.line(detail.text)
            }
    }

    /// For an editor, as Markdown.
    var markdown: String {
        var lines = ["```scenario", name, "```", meaning + "."]
        for detail in details {
            lines += ["", detail.isCode ? "*\(detail.name)*: `\(detail.text)`" : "*\(detail.name)*: \(detail.text)"]
        }
        return lines.joined(separator: "\n")
    }

    var json: JSONValue {
        .object([
            "kind": .text(kind.rawValue), "name": .text(name), "meaning": .text(meaning),
            "details": .list(details.map { .object(["name": .text($0.name), "text": .text($0.text)]) }),
        ])
    }
}

extension Explanation.Detail {
    /// Whether the text is something to write.
    fileprivate var isCode: Bool { ["example", "form"].contains(name) && !text.contains("`") }
}
