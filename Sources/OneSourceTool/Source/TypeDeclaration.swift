/// A type that a file declares or extends.
struct TypeDeclaration {
    /// `struct`, `class`, `extension` …
    let keyword: Substring
    let name: Token
    /// The last parts of the names in its inheritance clause: `View` for `SwiftUI.View`.
    let inherited: [Substring]
    /// From its first attribute to its last bracket; for a type alias to its name.
    let tokens: Range<Int>
    /// Whether it stands in no other type.
    let isAtTopLevel: Bool

    private static let keywords: Set<Substring> = ["struct", "class", "enum", "actor", "protocol", "extension", "typealias"]
    private static let members: Set<Substring> = ["func", "var", "let", "subscript", "init", "override", "final", "private", "public"]

    static func all(in tokens: [Token]) -> [TypeDeclaration] {
        var depth = 0
        var found: [TypeDeclaration] = []
        for (index, token) in tokens.enumerated() {
            if token.isSign("{") { depth += 1 }
            if token.isSign("}") { depth -= 1 }
            guard token.kind == .word, keywords.contains(token.text), index + 1 < tokens.count, tokens[index + 1].kind == .word,
                index == 0 || !tokens[index - 1].isSign(".") && !tokens[index - 1].isWord("import"),
                !members.contains(tokens[index + 1].text),
                let declaration = TypeDeclaration(tokens, keyword: index, isAtTopLevel: depth == 0)
            else { continue }
            found.append(declaration)
        }
        return found
    }

    private init?(_ tokens: [Token], keyword index: Int, isAtTopLevel: Bool) {
        keyword = tokens[index].text
        self.isAtTopLevel = isAtTopLevel
        let start = tokens.startOfDeclaration(at: index)
        var position = index + 2
        var name = tokens[index + 1]
        // An extension may name a type in another.
        while position + 1 < tokens.count, tokens[position].isSign("."), tokens[position + 1].kind == .word {
            name = tokens[position + 1]
            position += 2
        }
        self.name = name
        if keyword == "typealias" {
            inherited = []
            self.tokens = start..<(index + 2)
            return
        }
        var names: [Substring] = []
        var isInClause = false
        var depth = 0
        while position < tokens.count, !tokens[position].isSign("{") {
            let token = tokens[position]
            if token.isSign("<") || token.isSign("(") { depth += 1 }
            if token.isSign(">") || token.isSign(")") { depth -= 1 }
            if token.isSign("}") || token.isSign(";") { return nil }
            if depth == 0, token.isSign(":") { isInClause = true }
            if token.isWord("where") { isInClause = false }
            let isPath = position + 1 < tokens.count && tokens[position + 1].isSign(".")
            if isInClause, depth == 0, token.kind == .word, !isPath, !tokens[position - 1].isSign("@") { names.append(token.text) }
            position += 1
        }
        guard let end = tokens.closing(of: position) else { return nil }
        inherited = names
        self.tokens = start..<(end + 1)
    }
}

extension [Token] {
    private static let modifiers: Set<Substring> = [
        "public", "private", "fileprivate", "internal", "open", "package", "final", "static", "class", "nonisolated", "override",
        "mutating",
        "nonmutating", "indirect", "lazy", "weak", "dynamic", "required", "convenience", "distributed",
    ]

    /// The first attribute or modifier of what is declared with the keyword there.
    func startOfDeclaration(at keyword: Int) -> Int {
        var start = keyword
        while start > 0 {
            let last = self[start - 1]
            if last.kind == .word, Self.modifiers.contains(last.text) {
                start -= 1
            } else if last.kind == .word, start > 1, self[start - 2].isSign("@") {
                start -= 2
            } else if last.isSign(")"), let open = opening(of: start - 1), open > 0, self[open - 1].kind == .word {
                if open > 1, self[open - 2].isSign("@") {
                    start = open - 2
                } else if Self.modifiers.contains(self[open - 1].text) {
                    start = open - 1
                } else {
                    break
                }
            } else {
                break
            }
        }
        return start
    }

    private func opening(of close: Int) -> Int? {
        var depth = 0
        for index in stride(from: close, through: 0, by: -1) {
            if self[index].isSign(")") { depth += 1 }
            if self[index].isSign("(") { depth -= 1 }
            if depth == 0 { return index }
        }
        return nil
    }

    /// The bracket that closes the one there.
    func closing(of open: Int) -> Int? {
        guard open < count, let close: Substring = ["{": "}", "(": ")", "[": "]"][self[open].text] else { return nil }
        var depth = 0
        for index in open..<count {
            if self[index].isSign(self[open].text) { depth += 1 }
            if self[index].isSign(close) { depth -= 1 }
            if depth == 0 { return index }
        }
        return nil
    }
}
