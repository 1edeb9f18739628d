/// A function, property or initializer of a type, as far as its declaration tells.
struct SwiftMember {
    enum Kind { case function, value, initializer }

    /// What a scenario file can give and take, and the case of `ScenarioValue` for it.
    static let scalars: [String: String] = ["String": "string", "Int": "integer", "Bool": "bool", "Double": "double"]

    let kind: Kind
    let name: String
    private(set) var isStatic = false
    /// Private, so that tests cannot use it.
    private(set) var isHidden = false
    private(set) var isOverride = false
    private(set) var isAsync = false
    private(set) var canThrow = false
    /// Labels (`_` for none) and types.
    private(set) var parameters: [(label: String, type: String)] = []
    /// Whether each parameter has a value where none is given.
    private(set) var needsNothing = true
    /// A property's declared type, without `?`.
    private(set) var type: String?
    private(set) var isOptional = false
    /// The type whose initializer makes a property's value.
    private(set) var initialCall: String?
    private var literal: String?
    /// The words of its body.
    private(set) var words: [Substring] = []
    private(set) var callsActivate = false

    /// The name of the scalar that a property holds.
    var scalar: String? {
        guard let type = type ?? literal, Self.scalars[type] != nil else { return nil }
        return type
    }

    /// - Parameter type: The tokens of a type's declaration or extension.
    static func all(in type: ArraySlice<Token>) -> [SwiftMember] {
        let tokens = Array(type)
        guard let start = tokens.firstIndex(where: { $0.isSign("{") }), let end = tokens.closing(of: start) else { return [] }
        var members: [SwiftMember] = []
        var depth = 0
        for index in (start + 1)..<max(end, start + 1) {
            if tokens[index].isSign("{") { depth += 1 }
            if tokens[index].isSign("}") { depth -= 1 }
            guard depth == 0 else { continue }
            if let member = SwiftMember(tokens, keyword: index, end: end) { members.append(member) }
        }
        return members
    }

    private init?(_ tokens: [Token], keyword index: Int, end: Int) {
        let keyword = tokens[index]
        guard index + 1 < end, keyword.kind == .word, index == 0 || !tokens[index - 1].isSign(".") else { return nil }
        switch keyword.text {
        case "func": kind = .function
        case "var", "let": kind = .value
        case "init": kind = .initializer
        default: return nil
        }
        name = kind == .initializer ? "init" : String(tokens[index + 1].text)
        let start = tokens.startOfDeclaration(at: index)
        for position in start..<index {
            let isSetter = position + 1 < index && tokens[position + 1].isSign("(")
            if ["private", "fileprivate"].contains(tokens[position].text), !isSetter { isHidden = true }
            if tokens[position].isWord("static") || tokens[position].isWord("class") { isStatic = true }
            if tokens[position].isWord("override") { isOverride = true }
        }
        if kind == .value {
            readValue(tokens, from: index + 2, end: end)
        } else {
            readFunction(tokens, from: kind == .function ? index + 2 : index + 1, end: end)
        }
    }

    private mutating func readValue(_ tokens: [Token], from start: Int, end: Int) {
        var position = start
        if position < end, tokens[position].isSign(":") {
            var words: [String] = []
            position += 1
            while position < end, !tokens[position].startsLine, !tokens[position].isSign("="), !tokens[position].isSign("{") {
                words.append(String(tokens[position].text))
                position += 1
            }
            isOptional = words.last == "?"
            if isOptional { words.removeLast() }
            type = words.joined()
        }
        guard position + 1 < end, tokens[position].isSign("=") else { return }
        let first = tokens[position + 1]
        let isAlone = position + 2 >= end || tokens[position + 2].startsLine || tokens[position + 2].isSign("{")
        switch first.kind {
        case .string where isAlone: literal = "String"
        case .number where isAlone: literal = "Int"
        case .number where tokens[position + 2].isSign("."): literal = "Double"
        case .word where first.text == "true" || first.text == "false": literal = "Bool"
        case .word where position + 2 < end && tokens[position + 2].isSign("("): initialCall = String(first.text)
        default: break
        }
    }

    private mutating func readFunction(_ tokens: [Token], from start: Int, end: Int) {
        var position = start
        while position < end, !tokens[position].isSign("(") { position += 1 }
        guard position < end, let close = tokens.closing(of: position) else { return }
        readParameters(Array(tokens[(position + 1)..<close]))
        position = close + 1
        while position < end, !tokens[position].isSign("{"), !tokens[position].isWord("func"), !tokens[position].isWord("var") {
            if tokens[position].isWord("async") { isAsync = true }
            if tokens[position].isWord("throws") { canThrow = true }
            position += 1
        }
        guard position < end, let last = tokens.closing(of: position) else { return }
        let body = tokens[position...last]
        words = body.filter { $0.kind == .word }.map(\.text)
        callsActivate = zip(body, body.dropFirst()).contains { $0.isSign(".") && $1.isWord("activate") }
    }

    private mutating func readParameters(_ tokens: [Token]) {
        var depth = 0
        var parts: [[Token]] = [[]]
        for token in tokens {
            if token.kind == .sign, "([{<".contains(token.text) { depth += 1 }
            if token.kind == .sign, ")]}>".contains(token.text) { depth -= 1 }
            if depth == 0, token.isSign(",") { parts.append([]) } else { parts[parts.count - 1].append(token) }
        }
        needsNothing = parts.allSatisfy { part in part.isEmpty || part.contains { $0.isSign("=") } }
        parameters = parts.filter { !$0.isEmpty }.map { part in
            let type = part.drop { !$0.isSign(":") }.dropFirst().prefix { !$0.isSign("=") }
            return (String(part.first?.text ?? "_"), type.map { String($0.text) }.joined())
        }
    }
}
