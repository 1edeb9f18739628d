/// A function, property, initializer or subscript of a type or of a file, with a name that tells it from others: `Sync.send(_:to:)`.
struct Member {
    let key: String
    /// From its first attribute to its end, in tokens.
    let tokens: Range<Int>
    /// What is run, with its brackets, in tokens; `nil` for what is stored.
    var body: Range<Int>?
    /// What a stored property begins with, in tokens.
    var value: Range<Int>?
    /// Whether a property says its type.
    var isTyped = true
    /// Whether the body has a setter, or only observers of what is stored.
    var accessors = Accessors.none

    enum Accessors { case none, getAndSet, observers }

    var isFunction: Bool { key.hasSuffix(")") }

    private static let keywords: Set<Substring> = ["func", "var", "let", "init", "deinit", "subscript"]

    /// The members of types and of the file, not those of functions.
    static func all(in tokens: [Token]) -> [Member] {
        var types: [Int: Substring] = [:]
        for type in TypeDeclaration.all(in: tokens) where type.keyword != "typealias" {
            let name = type.name.range.upperBound
            guard let open = type.tokens.first(where: { tokens[$0].range.lowerBound >= name && tokens[$0].isSign("{") }) else { continue }
            types[open] = type.name.text
        }
        var members: [Member] = []
        var scopes: [Substring] = []
        var index = 0
        while index < tokens.count {
            let token = tokens[index]
            if token.isSign("{") {
                if let type = types[index] {
                    scopes.append(type)
                } else if let close = tokens.closing(of: index) {
                    index = close
                }
            } else if token.isSign("}") {
                _ = scopes.popLast()
            } else if token.kind == .word, keywords.contains(token.text), index == 0 || !tokens[index - 1].isSign("."),
                !(token.text == "init" && scopes.isEmpty), let member = Member(tokens, keyword: index, of: scopes)
            {
                members.append(member)
                index = max(index, member.tokens.upperBound - 1)
            }
            index += 1
        }
        return members
    }

    private init?(_ tokens: [Token], keyword index: Int, of scopes: [Substring]) {
        let start = tokens.startOfDeclaration(at: index)
        let prefix = scopes.map { "\($0)." }.joined()
        let word = tokens[index].text
        switch word {
        case "func", "init", "subscript":
            var position = index + 1
            var name = word == "func" ? "" : String(word)
            while position < tokens.count, word == "func", !tokens[position].isSign("("), !tokens[position].isSign("<") || name.isEmpty {
                name += tokens[position].text
                position += 1
            }
            while position < tokens.count, tokens[position].isSign("?") || tokens[position].isSign("!") { position += 1 }
            if position < tokens.count, tokens[position].isSign("<") {
                while position < tokens.count, !tokens[position].isSign("(") { position += 1 }
            }
            guard position < tokens.count, tokens[position].isSign("("), let close = tokens.closing(of: position) else { return nil }
            key = prefix + name + "(" + Self.labels(tokens, in: (position + 1)..<close).map { "\($0):" }.joined() + ")"
            body = Self.body(after: close, tokens)
            self.tokens = start..<(body?.upperBound ?? close + 1)
            if word == "subscript", let body { accessors = Self.accessors(in: body, tokens) }
        case "deinit":
            key = prefix + "deinit"
            body = Self.body(after: index, tokens)
            self.tokens = start..<(body?.upperBound ?? index + 1)
        default:
            guard index + 1 < tokens.count, tokens[index + 1].kind == .word else { return nil }
            key = prefix + tokens[index + 1].text
            var position = index + 2
            isTyped = position < tokens.count && tokens[position].isSign(":")
            var depth = 0
            // To the value, the body or the end.
            while position < tokens.count {
                let token = tokens[position]
                if depth == 0, token.isSign("=") || token.isSign("{") { break }
                if depth == 0, token.startsLine && !Self.continues(tokens, at: position) || token.isSign("}") || token.isSign(";") { break }
                if token.isSign("(") || token.isSign("[") { depth += 1 }
                if token.isSign(")") || token.isSign("]") { depth -= 1 }
                position += 1
            }
            if position < tokens.count, tokens[position].isSign("=") {
                let first = position + 1
                position = Self.endOfExpression(tokens, from: first)
                value = first..<position
                if position < tokens.count, tokens[position].isSign("{"), let close = tokens.closing(of: position) {
                    body = position..<(close + 1)
                    accessors = .observers
                    position = close + 1
                }
            } else if position < tokens.count, tokens[position].isSign("{"), let close = tokens.closing(of: position) {
                let range = position..<(close + 1)
                body = range
                accessors = Self.accessors(in: range, tokens)
                position = close + 1
            }
            guard position > index + 1 else { return nil }
            self.tokens = start..<position
        }
    }

    private static func labels(_ tokens: [Token], in range: Range<Int>) -> [Substring] {
        var labels: [Substring] = []
        var depth = 0
        var isNext = true
        var position = range.lowerBound
        while position < range.upperBound {
            let token = tokens[position]
            if token.isSign("@"), isNext {
                position += 2
                if position < range.upperBound, tokens[position].isSign("("), let close = tokens.closing(of: position) {
                    position = close + 1
                }
                continue
            }
            if isNext, token.kind == .word {
                labels.append(token.text)
                isNext = false
            }
            if token.isSign("(") || token.isSign("[") || token.isSign("{") || token.isSign("<") { depth += 1 }
            if token.isSign(")") || token.isSign("]") || token.isSign("}") { depth -= 1 }
            if token.isSign(">"), !tokens[position - 1].isSign("-") { depth -= 1 }
            if depth == 0, token.isSign(",") { isNext = true }
            position += 1
        }
        return labels
    }

    private static let ends: Set<Substring> = ["func", "var", "let", "init", "subscript", "case", "static", "mutating", "associatedtype"]

    /// The brackets of a function's body, which a protocol's requirement has not.
    private static func body(after position: Int, _ tokens: [Token]) -> Range<Int>? {
        var position = position + 1
        while position < tokens.count, !tokens[position].isSign("{") {
            let token = tokens[position]
            if token.isSign("}") || token.isSign(";") || token.kind == .directive { return nil }
            if token.startsLine, token.isSign("@") || token.kind == .word && ends.contains(token.text) { return nil }
            position += 1
        }
        guard let close = tokens.closing(of: position) else { return nil }
        return position..<(close + 1)
    }

    private static func accessors(in body: Range<Int>, _ tokens: [Token]) -> Accessors {
        var depth = 0
        for index in body {
            if tokens[index].isSign("{") { depth += 1 }
            if tokens[index].isSign("}") { depth -= 1 }
            guard depth == 1, tokens[index].kind == .word else { continue }
            if tokens[index].text == "didSet" || tokens[index].text == "willSet" { return .observers }
            if tokens[index].text == "set", index > body.lowerBound + 1, index + 1 < body.upperBound,
                tokens[index + 1].isSign("{") || tokens[index + 1].isSign("(")
            {
                return .getAndSet
            }
        }
        return .none
    }

    private static let operators: Set<Substring> = [".", "?", ":", "+", "-", "*", "/", "&", "|", "=", "<", ">", "%", "^", "!", ","]

    private static func continues(_ tokens: [Token], at position: Int) -> Bool {
        let token = tokens[position]
        return token.kind == .sign && operators.contains(token.text) && !token.isSign("@")
            || tokens[position - 1].kind == .sign && operators.contains(tokens[position - 1].text) && !tokens[position - 1].isSign("?")
                && !tokens[position - 1].isSign("!") && !tokens[position - 1].isSign(">")
    }

    private static func endOfExpression(_ tokens: [Token], from first: Int) -> Int {
        var position = first
        while position < tokens.count {
            let token = tokens[position]
            if position > first, token.startsLine, !continues(tokens, at: position), !tokens[position - 1].isSign("=") { break }
            if token.isSign("}") || token.isSign(";") || token.isSign(")") || token.kind == .directive && token.text.hasPrefix("#e") {
                break
            }
            if token.isSign("{"), position > first {
                // Observers of what is stored are not part of its value.
                let next = position + 1
                if next < tokens.count, tokens[next].isWord("didSet") || tokens[next].isWord("willSet") { break }
            }
            if token.isSign("(") || token.isSign("[") || token.isSign("{") {
                guard let close = tokens.closing(of: position) else { break }
                position = close
            }
            position += 1
        }
        return position
    }
}
