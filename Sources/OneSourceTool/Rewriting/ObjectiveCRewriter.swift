/// Takes out of a source what only Objective-C's runtime can do, where the code is the same without it: hosts have no such runtime.
///
/// - `@objc`, `@objc(name)` and `@objcMembers` go; so does the `dynamic` beside them. What they let observers observe is observed (``ObservedProperties``).
/// - `delegate?.session?(…)` becomes `delegate?.session(…)`: a delegate here has all methods of the session's protocol, and says of those that it
///   does not implement that it does not.
/// - `#selector` of a method of the module becomes one that calls it (``SelectorRewriter``).
/// - Other selectors, `@objc optional` and observing by a string are errors, at their place, with what to write instead.
enum ObjectiveCRewriter {
    /// - Parameter declarations: The types of all files of the module, each with its file's tokens.
    static func edits(
        for tokens: [Token], in source: String, among declarations: [(type: TypeDeclaration, tokens: [Token])]
    ) throws(SourceProblem) -> [SourceEdit] {
        var edits: [SourceEdit] = []
        var depth = 0
        for index in tokens.indices {
            if tokens[index].kind == .directive {
                if tokens[index].text.hasPrefix("#if") { depth += 1 }
                if tokens[index].text.hasPrefix("#endif") { depth -= 1 }
            }
            if tokens[index].text == "#selector", let edit = SelectorRewriter.edit(at: index, tokens, among: declarations) {
                edits.append(edit)
                continue
            }
            // Below a condition the code may be for a system that has all this.
            if depth == 0, let problem = problem(at: index, tokens, source) { throw problem }
            if tokens[index].isSign("@"), index + 1 < tokens.count,
                tokens[index + 1].isWord("objc") || tokens[index + 1].isWord("objcMembers")
            {
                let end = endOfName(after: index + 1, tokens)
                let isObserved = ObservedProperties.isDeclared(after: end, tokens)
                edits.append(
                    SourceEdit(
                        range: tokens[index].range.lowerBound..<tokens[end].range.upperBound,
                        text: isObserved ? ObservedProperties.wrapper : ""
                    ))
                edits += dynamics(after: end, tokens)
            } else if isOptionalCall(index, tokens) {
                edits.append(SourceEdit(range: tokens[index + 1].range, text: ""))
            }
        }
        return edits + ObservedProperties.edits(inMembersOf: tokens)
    }

    /// The methods of `WCSessionDelegate`, by their base names.
    private static let methods: Set<Substring> = [
        "session", "sessionDidBecomeInactive", "sessionDidDeactivate", "sessionWatchStateDidChange",
        "sessionCompanionAppInstalledDidChange",
        "sessionReachabilityDidChange",
    ]

    private static func isOptionalCall(_ index: Int, _ tokens: [Token]) -> Bool {
        guard index > 0, index + 2 < tokens.count, methods.contains(tokens[index].text), tokens[index].kind == .word else { return false }
        return tokens[index - 1].isSign(".") && tokens[index + 1].isSign("?") && tokens[index + 2].isSign("(")
            && tokens[index + 1].range.upperBound == tokens[index + 2].range.lowerBound
    }

    /// The index of the last token of `@objc` or `@objc(name:)`.
    private static func endOfName(after index: Int, _ tokens: [Token]) -> Int {
        guard index + 1 < tokens.count, tokens[index + 1].isSign("("), tokens[index].range.upperBound == tokens[index + 1].range.lowerBound
        else { return index }
        var end = index + 1
        while end + 1 < tokens.count, !tokens[end].isSign(")") { end += 1 }
        return end
    }

    /// Whether a text follows the bracket, as in `Selector(("tick"))`: a type of the app's own may be called so too.
    private static func namesASelector(after bracket: Int, _ tokens: [Token]) -> Bool {
        tokens[bracket...].first { !$0.isSign("(") }?.kind == .string
    }

    /// `dynamic` among the words up to the declaration.
    private static func dynamics(after index: Int, _ tokens: [Token]) -> [SourceEdit] {
        var edits: [SourceEdit] = []
        for token in tokens[(index + 1)...].prefix(6) {
            if token.isWord("dynamic") { edits.append(SourceEdit(range: token.range, text: "")) }
            if ["var", "let", "func", "class", "init"].contains(token.text) { break }
        }
        return edits
    }

    private static func problem(at index: Int, _ tokens: [Token], _ source: String) -> SourceProblem? {
        let token = tokens[index]
        func error(_ message: String) -> SourceProblem { SourceProblem(at: token.range.lowerBound, in: source, message) }
        if token.text == "#selector" || token.isWord("selector") && index > 0 && tokens[index - 1].isSign("#") {
            return error(
                "a host has no selectors but of methods that the module declares, with one argument at most: use the form with a closure, such as "
                    + "Timer(timeInterval:repeats:block:) or addObserver(forName:object:queue:using:), or put this behind '#if canImport(ObjectiveC)'"
            )
        }
        let isMade = index + 1 < tokens.count && tokens[index + 1].isSign("(") && (index == 0 || !tokens[index - 1].isSign("."))
        if token.isWord("NSSelectorFromString") && isMade || token.isWord("Selector") && isMade && namesASelector(after: index + 1, tokens)
        {
            return error(
                "a host has no selectors: call the method itself, or a closure that does, "
                    + "or put this behind '#if canImport(ObjectiveC)'")
        }
        if token.isWord("optional"), index > 1, tokens[index - 1].isWord("objc") {
            return error(
                "a host has no optional requirements: give the method a default in an extension of the protocol, and call it without '?', "
                    + "or put this behind '#if canImport(ObjectiveC)'")
        }
        if token.isWord("forKeyPath"), index > 1, index + 1 < tokens.count, tokens[index + 1].isSign(":"),
            tokens[..<index].suffix(12).contains(where: { $0.isWord("addObserver") })
        {
            return error("a host observes no key paths by their names: use observe(\\.property) { … }")
        }
        return nil
    }
}
