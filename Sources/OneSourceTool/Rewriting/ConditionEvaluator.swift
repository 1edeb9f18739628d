/// Says which parts of a file a side certainly does not compile.
struct ConditionEvaluator {
    private let side: Side
    private let tokens: [Token]
    private var index = 0

    /// The bytes between directives whose condition is false on the side. What depends on the compiler's answers is not among them.
    static func inactive(in tokens: [Token], on side: Side) -> [Range<Int>] {
        var evaluator = ConditionEvaluator(side: side, tokens: tokens)
        return evaluator.ranges()
    }

    private init(side: Side, tokens: [Token]) {
        self.side = side
        self.tokens = tokens
    }

    /// A block that is open: what is known of the branches before, and of this one.
    private struct Block {
        /// Whether a branch before this one is taken; `nil` if that is not known.
        var isTaken: Bool?
        var isActive: Bool?
        var start: Int
    }

    private mutating func ranges() -> [Range<Int>] {
        var blocks: [Block] = []
        var ranges: [Range<Int>] = []
        func close(_ block: Block, at end: Int) { if block.isActive == false { ranges.append(block.start..<end) } }
        for (position, token) in tokens.enumerated() where token.kind == .directive {
            switch token.text {
            case "#if":
                index = position + 1
                let holds = readAny()
                blocks.append(Block(isTaken: holds, isActive: holds, start: token.range.upperBound))
            case "#elseif", "#else":
                guard var block = blocks.popLast() else { continue }
                close(block, at: token.range.lowerBound)
                index = position + 1
                let holds = token.text == "#else" ? true : readAny()
                block.isActive = Self.and(Self.not(block.isTaken), holds)
                block.isTaken = Self.or(block.isTaken, holds)
                block.start = token.range.upperBound
                blocks.append(block)
            case "#endif":
                if let block = blocks.popLast() { close(block, at: token.range.lowerBound) }
            default: break
            }
        }
        return ranges
    }

    // MARK: Reading

    private mutating func take(_ signs: Substring...) -> Bool {
        guard index + signs.count <= tokens.count, zip(tokens[index...], signs).allSatisfy({ $0.isSign($1) }) else { return false }
        index += signs.count
        return true
    }

    private mutating func readAny() -> Bool? {
        var result = readAll()
        while take("|", "|") { result = Self.or(result, readAll()) }
        return result
    }

    private mutating func readAll() -> Bool? {
        var result = readOne()
        while take("&", "&") { result = Self.and(result, readOne()) }
        return result
    }

    private mutating func readOne() -> Bool? {
        if take("!") { return Self.not(readOne()) }
        if take("(") {
            let result = readAny()
            _ = take(")")
            return result
        }
        guard index < tokens.count, tokens[index].kind == .word else { return nil }
        let name = tokens[index]
        index += 1
        if name.isWord("true") || name.isWord("false") { return name.isWord("true") }
        guard take("(") else { return nil }
        let first = index
        var depth = 1
        while index < tokens.count, depth > 0 {
            if tokens[index].isSign("(") { depth += 1 }
            if tokens[index].isSign(")") { depth -= 1 }
            index += 1
        }
        return first < index - 1 ? side.holds(name.text, tokens[first].text) : nil
    }

    // MARK: What is not known

    private static func not(_ value: Bool?) -> Bool? { value.map { !$0 } }

    private static func and(_ left: Bool?, _ right: Bool?) -> Bool? {
        if left == false || right == false { return false }
        return left == true && right == true ? true : nil
    }

    private static func or(_ left: Bool?, _ right: Bool?) -> Bool? {
        if left == true || right == true { return true }
        return left == false && right == false ? false : nil
    }
}
