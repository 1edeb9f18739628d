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

/// Finds what is wrong in the conditions of compilation, and would be hard to find in a made file.
enum ConditionChecker {
    /// The operating systems that the compiler knows. Any other name is false to it, and it does not say so.
    static let systems: Set<Substring> = [
        "iOS", "watchOS", "macOS", "OSX", "tvOS", "visionOS", "xrOS", "DriverKit", "Linux", "FreeBSD", "OpenBSD", "Windows", "Android",
        "PS4", "Cygwin",
        "Haiku", "WASI", "Emscripten", "none",
    ]

    /// An `#if` that has no `#endif`. The compiler finds it at the end of the made file only.
    static func unclosed(_ tokens: [Token], in source: String) -> SourceProblem? {
        var open: [Token] = []
        for token in tokens where token.kind == .directive {
            if token.text == "#if" { open.append(token) }
            if token.text == "#endif" { _ = open.popLast() }
        }
        return open.last.map { SourceProblem(at: $0.range.lowerBound, in: source, "this #if has no #endif") }
    }

    /// Names of operating systems that there are none of.
    static func unknownSystems(_ tokens: [Token], in source: String) -> [SourceProblem] {
        ConditionRewriter.systems(in: tokens).filter { !systems.contains($0.text) }.map { token in
            let meant = systems.sorted().first { $0.lowercased() == token.text.lowercased() }
            let hint = meant.map { "; did you mean '\($0)'?" } ?? "; it is never true"
            return SourceProblem(at: token.range.lowerBound, in: source, "there is no operating system '\(token.text)'\(hint)")
        }
    }
}
