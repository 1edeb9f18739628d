/// Gives static and global properties a value for each simulated process, as memory has on devices: `static let shared = Sync()` becomes a property that
/// keeps its value in the process. Two devices and many launches share one host process, and there it would be one object for all of them.
///
/// Only what has a type that is written or plain from its value is rewritten, and has neither observers nor a wrapper; the rest is kept by the host for ever, and
/// the compiler says so where it is more than a constant. An optional variable without a value begins as `nil`.
struct StaticRewriter {
    private let tokens: [Token]

    static func edits(for tokens: [Token], in source: String) -> [SourceEdit] {
        let rewriter = StaticRewriter(tokens: tokens)
        var depth = 0
        var edits: [SourceEdit] = []
        for (index, token) in tokens.enumerated() {
            if token.isSign("{") { depth += 1 }
            if token.isSign("}") { depth -= 1 }
            guard token.isWord("let") || token.isWord("var") else { continue }
            edits += rewriter.edits(atKeyword: index, isGlobal: depth == 0, source: source)
        }
        return edits
    }

    private static let modifiers: Set<Substring> = [
        "static", "public", "internal", "private", "fileprivate", "package", "nonisolated", "final",
    ]
    /// Attributes that a computed property may have as well as a stored one. Others, such as property wrappers, say how it is stored.
    private static let attributes: Set<Substring> = ["MainActor", "available", "objc", "discardableResult"]

    private func edits(atKeyword index: Int, isGlobal: Bool, source: String) -> [SourceEdit] {
        let modifiers = self.modifiers(before: index)
        let isStatic = tokens[modifiers].contains { $0.isWord("static") }
        // At the top level a property starts its line; elsewhere `let` may belong to an `if`, or be one of several.
        guard isStatic || isGlobal && tokens[modifiers.lowerBound].startsLine else { return [] }
        guard hasPlainAttributes(before: modifiers.lowerBound), let declaration = Declaration(tokens, keyword: index) else {
            return warning(about: index, modifiers)
        }
        // A constant that is a literal is the same in all processes.
        if tokens[index].isWord("let"), declaration.isLiteral { return [] }
        func text(_ range: Range<Int>) -> String {
            let utf8 = source.utf8
            let lower = utf8.index(utf8.startIndex, offsetBy: range.lowerBound)
            return String(source[lower..<utf8.index(lower, offsetBy: range.count)])
        }
        let name = text(declaration.name)
        let value = declaration.value.map { declaration.isClosure ? "(\(text($0)))" : text($0) } ?? "nil"
        let type = declaration.type.map(text) ?? declaration.inferredType ?? ""
        let get = "processLocal(\"\(name)\") { \(value) }"
        let body =
            tokens[index].text == "let"
            ? "{ \(get) }" : "{ get { \(get) } set { setProcessLocal(\"\(name)\", newValue) } }"
        var edits = [SourceEdit(range: tokens[index].range.lowerBound..<declaration.end, text: "var \(name): \(type) \(body)")]
        for index in modifiers where tokens[index].isWord("nonisolated") {
            // `nonisolated(unsafe)` is for what is stored.
            guard index + 3 < tokens.count, tokens[index + 2].isWord("unsafe") else { continue }
            edits.append(SourceEdit(range: tokens[index + 1].range.lowerBound..<tokens[index + 3].range.upperBound, text: ""))
        }
        return edits
    }

    /// Makes the compiler say of a property that the host keeps: one object for all processes, with nothing to show for it, passes scenarios alone and fails them
    /// together. Not of constants that are literals, nor of what has observers or attributes, such as a task's value.
    private func warning(about keyword: Int, _ modifiers: Range<Int>) -> [SourceEdit] {
        let start = modifiers.lowerBound
        if start > 0, tokens[start - 1].isSign(")") || start > 1 && tokens[start - 2].isSign("@") { return [] }
        guard let line = Declaration.line(tokens, keyword: keyword), let equals = line.firstIndex(where: { $0.isSign("=") }),
            equals + 1 < line.endIndex, !Declaration.hasBody(line)
        else { return [] }
        let value = line[(equals + 1)...]
        guard !Declaration.hasComma(value),
            tokens[keyword].isWord("var") || value.first?.kind == .word && value.contains(where: { $0.isSign("(") }),
            let first = value.first, let last = value.last, !Declaration.goesOn(tokens, behind: line.endIndex)
        else { return [] }
        return [
            SourceEdit(range: first.range.lowerBound..<first.range.lowerBound, text: "outlivesProcesses("),
            SourceEdit(range: last.range.upperBound..<last.range.upperBound, text: ")"),
        ]
    }

    /// The modifiers in front of `let` or `var`, or the keyword if there are none.
    private func modifiers(before keyword: Int) -> Range<Int> {
        var start = keyword
        while start > 0, !tokens[start].startsLine {
            if tokens[start - 1].kind == .word, Self.modifiers.contains(tokens[start - 1].text) {
                start -= 1
            } else if start > 3, tokens[start - 1].isSign(")"), tokens[start - 2].isWord("unsafe") || tokens[start - 2].isWord("set") {
                start -= 3
            } else {
                break
            }
        }
        return start..<max(keyword, start + 1)
    }

    private func hasPlainAttributes(before start: Int) -> Bool {
        var index = start - 1
        while index > 0 {
            if tokens[index].isSign(")") {
                var depth = 0
                repeat {
                    if tokens[index].isSign(")") { depth += 1 }
                    if tokens[index].isSign("(") { depth -= 1 }
                    index -= 1
                } while depth > 0 && index > 0
            }
            guard index > 0, tokens[index].kind == .word, tokens[index - 1].isSign("@") else { return true }
            guard Self.attributes.contains(tokens[index].text) else { return false }
            index -= 2
        }
        return true
    }
}

extension StaticRewriter {
    /// A stored property that is over with its value.
    struct Declaration {
        let name: Range<Int>
        let type: Range<Int>?
        let inferredType: String?
        /// `nil` for an optional variable that says none.
        let value: Range<Int>?
        /// Whether the value is `{ … }()`.
        let isClosure: Bool
        let isLiteral: Bool
        let end: Int

        init?(_ tokens: [Token], keyword: Int) {
            guard var end = Self.line(tokens, keyword: keyword)?.endIndex else { return nil }
            let closure = Self.endOfClosure(tokens, from: keyword, lineEnd: end)
            end = closure ?? end
            isClosure = closure != nil
            // What goes on in the next line, or has a body, is left alone.
            let line = tokens[(keyword + 1)..<end]
            guard !Self.goesOn(tokens, behind: end), let name = line.first, name.kind == .word, let last = line.last, Self.isBalanced(line),
                isClosure || !Self.hasBody(line)
            else { return nil }
            self.name = name.range
            self.end = last.range.upperBound
            guard let equals = line.firstIndex(where: { $0.isSign("=") }) else {
                guard tokens[keyword].isWord("var"), line.count > 2, tokens[keyword + 2].isSign(":"), last.isSign("?") || last.isSign("!"),
                    !Self.hasComma(line)
                else { return nil }
                type = tokens[keyword + 3].range.lowerBound..<last.range.upperBound
                inferredType = nil
                value = nil
                isLiteral = false
                return
            }
            guard equals + 1 < end else { return nil }
            value = tokens[equals + 1].range.lowerBound..<last.range.upperBound
            let expression = tokens[(equals + 1)..<end]
            guard !Self.hasComma(expression) else { return nil }
            isLiteral = expression.count == 1
            if tokens[keyword + 2].isSign(":"), keyword + 3 < equals {
                type = tokens[keyword + 3].range.lowerBound..<tokens[equals - 1].range.upperBound
                inferredType = nil
            } else if keyword + 2 == equals, let type = Self.type(of: expression) {
                self.type = nil
                inferredType = type
            } else {
                return nil
            }
        }

        /// What is behind the keyword, up to the end of the line on which all of its brackets are closed; `nil` where they never are.
        static func line(_ tokens: [Token], keyword: Int) -> ArraySlice<Token>? {
            var (end, depth) = (keyword + 1, 0)
            while end < tokens.count {
                let token = tokens[end]
                if depth == 0, token.startsLine && !tokens[end - 1].isSign("=") || token.isSign(";") || token.kind == .directive { break }
                if token.kind == .sign {
                    if ["(", "[", "{"].contains(token.text) { depth += 1 }
                    if [")", "]", "}"].contains(token.text) { depth -= 1 }
                }
                // The type that it belongs to is over.
                if depth < 0 { break }
                end += 1
            }
            return depth <= 0 ? tokens[(keyword + 1)..<end] : nil
        }

        /// Whether the next line is of the same expression, or has the property's body.
        static func goesOn(_ tokens: [Token], behind end: Int) -> Bool {
            end < tokens.count && (tokens[end].isSign(".") || tokens[end].isSign("?") || tokens[end].isSign("{"))
        }

        /// Whether there are braces outside of all other brackets.
        static func hasBody(_ tokens: ArraySlice<Token>) -> Bool {
            var depth = 0
            for token in tokens where token.kind == .sign {
                if token.isSign("{"), depth == 0 { return true }
                if ["(", "[", "{"].contains(token.text) { depth += 1 }
                if [")", "]", "}"].contains(token.text) { depth -= 1 }
            }
            return false
        }

        /// The end of `let a: A = { … }()`, whose type is written and which may go on for lines.
        private static func endOfClosure(_ tokens: [Token], from keyword: Int, lineEnd: Int) -> Int? {
            guard let equals = (keyword..<lineEnd).first(where: { tokens[$0].isSign("=") }), keyword + 2 < equals,
                tokens[keyword + 2].isSign(":"),
                equals + 1 < tokens.count, tokens[equals + 1].isSign("{"), let close = tokens.closing(of: equals + 1),
                close + 2 < tokens.count,
                tokens[close + 1].isSign("("), !tokens[close + 1].startsLine, tokens[close + 2].isSign(")")
            else { return nil }
            let end = close + 3
            return end == tokens.count || tokens[end].startsLine || tokens[end].isSign(";") || tokens[end].isSign("}") ? end : nil
        }

        /// The type that a value plainly has: of an initializer's call, a literal, or the session.
        private static func type(of value: ArraySlice<Token>) -> String? {
            guard let first = value.first else { return nil }
            if value.count == 1 {
                switch first.kind {
                case .string: return "String"
                case .number: return "Int"
                case .word where first.text == "true" || first.text == "false": return "Bool"
                default: return nil
                }
            }
            if value.map(\.text) == ["WCSession", ".", "default"] { return "WCSession" }
            guard let open = value.firstIndex(where: { $0.isSign("(") }), closing(of: open, in: value) == value.endIndex - 1 else {
                return nil
            }
            var path = value[..<open]
            if path.count > 2, path.last?.isWord("init") == true { path = path.dropLast(2) }
            let isPath = path.allSatisfy { $0.kind == .word || [".", "<", ">", ",", "[", "]", ":"].contains($0.text) }
            // Of what these hold the value alone says.
            let isOpen = path.last.map { Self.generics.contains($0.text) } ?? true
            guard isPath, !isOpen, let last = path.last(where: { $0.kind == .word }), last.text.first?.isUppercase == true,
                first.kind == .word, first.text.first?.isUppercase == true
            else { return nil }
            return path.map { String($0.text) }.joined()
        }

        /// Types of the system whose parameters the compiler may have to find out.
        private static let generics: Set<Substring> = [
            "Array", "ContiguousArray", "CurrentValueSubject", "Dictionary", "Mutex", "OSAllocatedUnfairLock", "Optional",
            "PassthroughSubject",
            "Result", "Set",
        ]

        private static func closing(of open: Int, in tokens: ArraySlice<Token>) -> Int? {
            var depth = 0
            for index in open..<tokens.endIndex {
                if tokens[index].isSign("(") { depth += 1 }
                if tokens[index].isSign(")") { depth -= 1 }
                if depth == 0 { return index }
            }
            return nil
        }

        /// Whether another property is declared behind this one.
        static func hasComma(_ tokens: ArraySlice<Token>) -> Bool {
            var depth = 0
            for token in tokens where token.kind == .sign {
                if ["(", "[", "{"].contains(token.text) { depth += 1 }
                if [")", "]", "}"].contains(token.text) { depth -= 1 }
                if depth == 0, token.isSign(",") { return true }
            }
            return false
        }

        private static func isBalanced(_ tokens: ArraySlice<Token>) -> Bool {
            var depth = 0
            for token in tokens where token.kind == .sign {
                if ["(", "[", "{"].contains(token.text) { depth += 1 }
                if [")", "]", "}"].contains(token.text) { depth -= 1 }
            }
            return depth == 0
        }
    }
}
