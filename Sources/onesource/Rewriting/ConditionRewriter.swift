/// Writes the answers of a side into the conditions of `#if` and `#elseif`: `os(iOS) || DEBUG` becomes `true || DEBUG`. What is not known stays as it
/// is, and the compiler evaluates the rest: blocks, `#else` and nesting are its own.
struct ConditionRewriter {
    private let side: Side
    private let tokens: [Token]
    private var index = 0
    private var edits: [SourceEdit] = []
    /// The names in `os(…)`.
    private var systems: [Token] = []

    static func edits(for tokens: [Token], on side: Side) -> [SourceEdit] {
        var rewriter = ConditionRewriter(side: side, tokens: tokens)
        rewriter.readConditions()
        return rewriter.edits
    }

    /// The operating systems that conditions ask for.
    static func systems(in tokens: [Token]) -> [Token] {
        var rewriter = ConditionRewriter(side: .phone, tokens: tokens)
        rewriter.readConditions()
        return rewriter.systems
    }

    private mutating func readConditions() {
        for (index, token) in tokens.enumerated() where token.kind == .directive && (token.text == "#if" || token.text == "#elseif") {
            self.index = index + 1
            readCondition()
        }
    }

    private init(side: Side, tokens: [Token]) {
        self.side = side
        self.tokens = tokens
    }

    private var next: Token? { index < tokens.count ? tokens[index] : nil }

    /// Takes the next token if it is that sign.
    private mutating func take(_ sign: Substring) -> Bool {
        guard next?.isSign(sign) == true else { return false }
        index += 1
        return true
    }

    private mutating func takeOperator(_ sign: Substring) -> Bool {
        guard next?.isSign(sign) == true, index + 1 < tokens.count, tokens[index + 1].isSign(sign) else { return false }
        index += 2
        return true
    }

    private mutating func readCondition() {
        readOperand()
        while takeOperator("|") || takeOperator("&") {
            readOperand()
        }
    }

    private mutating func readOperand() {
        while take("!") {}
        if take("(") {
            readCondition()
            _ = take(")")
            return
        }
        guard let name = next, name.kind == .word else { return }
        index += 1
        guard take("(") else { return }
        let arguments = index
        var depth = 1
        while let token = next {
            index += 1
            if token.isSign("(") { depth += 1 }
            if token.isSign(")") { depth -= 1 }
            if depth == 0 { return answer(name, tokens[arguments..<(index - 1)], end: token.range.upperBound) }
        }
    }

    private mutating func answer(_ name: Token, _ arguments: ArraySlice<Token>, end: Int) {
        if name.text == "os", let system = arguments.first { systems.append(system) }
        guard let first = arguments.first, arguments.count == 1 || arguments.dropFirst().first?.isSign(",") == true,
            let holds = side.holds(name.text, first.text)
        else { return }
        edits.append(SourceEdit(range: name.range.lowerBound..<end, text: holds ? "true" : "false"))
    }
}
