/// Lets `@objc dynamic var` be observed on hosts, which have no Objective-C: the attribute becomes a property wrapper that tells observers of each set. In a
/// class with `@objcMembers` the `dynamic` alone does so, as on Apple's systems.
///
/// Stored properties only. A computed one, one that is weak, lazy or overridden, and several in one line stay as they are, and tell nobody.
enum ObservedProperties {
    static let wrapper = "@SystemShims.Observed"

    /// Whether what follows `@objc` declares a property that can be observed.
    /// - Parameter index: The attribute's last token.
    static func isDeclared(after index: Int, _ tokens: [Token]) -> Bool {
        var words: Set<Substring> = []
        for position in (index + 1)..<min(index + 12, tokens.count) {
            let token = tokens[position]
            if token.isWord("var") { return words.contains("dynamic") && isStored(position, tokens, modifiers: words) }
            if token.kind == .word { words.insert(token.text) }
            if ["let", "func", "class", "init", "subscript"].contains(token.text) || token.isSign("{") || token.isSign("}") {
                return false
            }
        }
        return false
    }

    /// `dynamic` in classes whose members are all Objective-C's.
    static func edits(inMembersOf tokens: [Token]) -> [SourceEdit] {
        let classes = TypeDeclaration.all(in: tokens).filter { declaration in
            declaration.keyword == "class"
                && tokens[declaration.tokens].prefix { !$0.isWord("class") }.contains { $0.isWord("objcMembers") }
        }
        return classes.flatMap { declaration in
            declaration.tokens.compactMap { index -> SourceEdit? in
                guard tokens[index].isWord("dynamic"), !isBesideAttribute(index, tokens), isDeclared(after: index - 1, tokens) else {
                    return nil
                }
                return SourceEdit(range: tokens[index].range, text: wrapper)
            }
        }
    }

    /// Whether `@objc` stands before it, in the same declaration: that is where it is replaced.
    private static func isBesideAttribute(_ index: Int, _ tokens: [Token]) -> Bool {
        tokens[..<index].reversed().prefix { $0.kind == .word || $0.isSign("@") || $0.isSign("(") || $0.isSign(")") }.prefix(8)
            .prefix { !["var", "let", "func"].contains($0.text) }.contains { $0.isWord("objc") }
    }

    /// From `var` to what makes a property a computed one, or one of several.
    private static func isStored(_ index: Int, _ tokens: [Token], modifiers: Set<Substring>) -> Bool {
        guard modifiers.isDisjoint(with: ["weak", "unowned", "lazy", "override", "static", "class"]) else { return false }
        var depth = 0
        var hasValue = false
        for position in (index + 1)..<tokens.count {
            let token = tokens[position]
            if position > index + 1, depth == 0, token.startsLine, !token.isSign("{"), !token.isSign("=") { return true }
            if token.isSign("(") || token.isSign("[") || token.isSign("<") && !hasValue { depth += 1 }
            if token.isSign(")") || token.isSign("]") || token.isSign(">") && !hasValue { depth -= 1 }
            guard depth == 0 else { continue }
            if token.isSign("}") || token.isSign(";") { return true }
            if token.isSign(",") { return false }
            if token.isSign("=") { hasValue = true }
            if token.isSign("{") {
                // A closure may be the value's; else the braces hold observers, or what computes.
                guard !hasValue else { return true }
                return position + 1 < tokens.count && ["didSet", "willSet"].contains(tokens[position + 1].text)
            }
        }
        return true
    }
}
