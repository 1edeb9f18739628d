/// What of an app is not compiled, as its recipe says: for what a host does not have, and nobody means to test. The app's files stay as they are.
struct LeftOut: Equatable {
    /// Modules and attributes (`@Model`) that are not there.
    var lacking: Set<String> = []
    /// Types that are there by name: objects that can do nothing.
    var naming: Set<String> = []
    /// The same, for protocols.
    var promising: Set<String> = []
    /// Members whose bodies are left out (``Member/key``). One that is called says so in the run.
    var emptying: Set<String> = []
    /// Members and types that are left out.
    var dropping: Set<String> = []

    /// The words of a recipe, each with its list.
    static let words: [(word: String, list: WritableKeyPath<LeftOut, Set<String>> & Sendable)] = [
        ("lacking", \.lacking), ("naming", \.naming), ("promising", \.promising), ("emptying", \.emptying), ("dropping", \.dropping),
    ]

    init() {}

    init(_ recipe: Recipe) {
        for (word, list) in Self.words { self[keyPath: list] = recipe.leftOut[word] ?? [] }
    }

    var isEmpty: Bool { self == LeftOut() }

    /// How many there are of each.
    var count: Int { Self.words.reduce(0) { $0 + self[keyPath: $1.list].count } }
}

extension LeftOut {
    /// The lines of a recipe that say it.
    var lines: [String] {
        Self.words.flatMap { word, list in self[keyPath: list].sorted().map { "\(Recipe.mark)\(word) \($0)" } }
    }

    /// What the module declares for the names that are not there.
    /// - Parameter bases: What types of the module inherit from.
    func declarations(bases: Set<Substring> = []) -> String {
        let protocols = promising.sorted().map { "public protocol \($0) {}\n" }
        let types = naming.sorted().map { name in
            let parts = name.split(separator: ".")
            guard let last = parts.last else { return "" }
            let generic = last.split(separator: "<")
            let base = bases.contains(generic[0]) ? "SystemShims.MissingBase" : "SystemShims.Missing, @unchecked Sendable"
            let type =
                "\(bases.contains(generic[0]) ? "open" : "public") class \(generic[0])\(generic.count > 1 ? "<Part>" : ""): \(base) {}"
            return parts.count > 1
                ? "nonisolated extension \(parts.dropLast().joined(separator: ".")) { \(type) }\n" : "nonisolated \(type)\n"
        }
        return protocols.joined() + types.joined()
    }
}

/// Leaves out of a file what its module's recipe says.
struct LeftOutRewriter {
    let tokens: [Token]
    let source: String
    let leftOut: LeftOut

    /// Edits that go before all others: what lies in them is not looked at.
    func edits() -> [SourceEdit] {
        guard !leftOut.isEmpty else { return [] }
        var edits = imports() + attributes()
        var types: [Range<Int>] = []
        for type in TypeDeclaration.all(in: tokens) where type.keyword != "typealias" && leftOut.dropping.contains(String(type.name.text)) {
            guard !types.contains(where: { $0.contains(type.tokens.lowerBound) }) else { continue }
            types.append(type.tokens)
            edits.append(cut(type.tokens, named: String(type.name.text)))
        }
        for member in Member.all(in: tokens) where !types.contains(where: { $0.contains(member.tokens.lowerBound) }) {
            if leftOut.dropping.contains(member.key) {
                edits.append(cut(member.tokens, named: member.key))
            } else if leftOut.emptying.contains(member.key) {
                edits += empty(member)
            }
        }
        return edits.outermost(among: edits)
    }

    private func imports() -> [SourceEdit] {
        Import.all(in: tokens).filter { leftOut.lacking.contains(String(tokens[$0.name].text)) }.map { cut($0.tokens, named: "import") }
    }

    private func attributes() -> [SourceEdit] {
        tokens.indices.dropLast().compactMap { index in
            guard tokens[index].isSign("@"), leftOut.lacking.contains("@\(tokens[index + 1].text)") else { return nil }
            var end = index + 2
            if end < tokens.count, tokens[end].isSign("("), !tokens[end].startsLine, let close = tokens.closing(of: end) { end = close + 1 }
            return cut(index..<end, named: "@\(tokens[index + 1].text)")
        }
    }

    /// The body says that it is left out, and whatever it would return comes of that.
    private func empty(_ member: Member) -> [SourceEdit] {
        let call = "SystemShims.leftOut(\"\(member.key)\")"
        var edits: [SourceEdit] = []
        if let value = member.value {
            edits.append(member.isTyped ? replace(value, by: " \(call)") : cut(member.tokens, named: member.key))
        }
        guard let body = member.body, edits.isEmpty || member.isTyped else { return edits }
        if member.isFunction { edits += defaults(of: member, before: body, call) }
        let canThrow = tokens[member.tokens.lowerBound..<body.lowerBound].contains { $0.isWord("throws") }
        switch member.accessors {
        case .none:
            let isInitializer = member.key.split(separator: ".").last?.hasPrefix("init(") == true
            let name =
                "\(isInitializer ? "SystemShims.leftOutForGood" : "SystemShims.leftOut\(canThrow ? "Throwing" : "")")(\"\(member.key)\")"
            edits.append(replace(body, by: "{ \(canThrow && !isInitializer ? "try " : "")\(name) }"))
        case .getAndSet: edits.append(replace(body, by: "{ get { \(call) } set { SystemShims.leftOut(\"\(member.key)\") } }"))
        case .observers: edits.append(replace(body, by: "{ didSet { \(call) } }"))
        }
        return edits
    }

    /// What parameters are given whose types are there by name only.
    private func defaults(of member: Member, before body: Range<Int>, _ call: String) -> [SourceEdit] {
        var edits: [SourceEdit] = []
        var isMissing = false
        var position = member.tokens.lowerBound
        while position < body.lowerBound {
            let token = tokens[position]
            if token.isSign(",") { isMissing = false }
            if token.kind == .word, leftOut.naming.contains(String(token.text)) { isMissing = true }
            if token.isSign("="), isMissing {
                var end = position + 1
                while end < body.lowerBound, !tokens[end].isSign(","), !tokens[end].isSign(")") {
                    end = (tokens.closing(of: end) ?? end) + 1
                }
                edits.append(replace((position + 1)..<end, by: " \(call)"))
                position = end
                isMissing = false
            } else {
                position += 1
            }
        }
        return edits
    }

    private func cut(_ range: Range<Int>, named name: String) -> SourceEdit { replace(range, by: "/* left out: \(name) */") }

    /// With the line breaks of what is replaced.
    private func replace(_ range: Range<Int>, by text: String) -> SourceEdit {
        // A condition that begins in it and ends elsewhere: it cannot be left out.
        guard !range.isEmpty, InterfaceCutter.hasWholeConditions(tokens[range]) else { return SourceEdit(range: 0..<0, text: "") }
        let bytes = tokens[range.lowerBound].range.lowerBound..<tokens[range.upperBound - 1].range.upperBound
        let utf8 = source.utf8
        let lower = utf8.index(utf8.startIndex, offsetBy: bytes.lowerBound)
        return SourceEdit(range: bytes, text: text + source[lower..<utf8.index(lower, offsetBy: bytes.count)].filter(\.isNewline))
    }
}

extension [SourceEdit] {
    /// Those that lie in no other.
    fileprivate func outermost(among edits: [SourceEdit]) -> [SourceEdit] {
        filter { edit in
            !edits.contains {
                $0.range != edit.range && $0.range.lowerBound <= edit.range.lowerBound && $0.range.upperBound >= edit.range.upperBound
            }
        }
    }
}
