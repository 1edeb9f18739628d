/// What a file's rewriting needs to know of the rest of its module.
struct ModuleFacts {
    /// What the app's code calls a module, and what it is called here.
    var modules: [Substring: Substring] = [:]
    /// The types that are left out, in all files, with the system's that they stand on.
    var interface = InterfaceCutter.types
    /// Types that are kept though they are of an interface.
    var keeping: Set<String> = []
    /// The types of all files, each with its file's tokens; `nil` where a file is all there is.
    var declarations: [(type: TypeDeclaration, tokens: [Token])]?
    /// What the recipe leaves out of the files.
    var leftOut = LeftOut()
    /// The file that says what the module is made of, for messages.
    var recipe = "the target's file"
}

/// Makes the source of one side out of a file that both share.
enum SourceRewriter {
    /// Rewriters that need no more than the tokens and the source. A new one is added here.
    private static let rewriters: [@Sendable ([Token], String) -> [SourceEdit]] = [
        { tokens, _ in ImportRewriter.edits(for: tokens) },
        { tokens, _ in EntryPointRewriter.edits(for: tokens) },
    ]

    struct Result {
        var text: String
        /// What was left out, to be told in the build's output.
        var notes: [SourceProblem] = []
    }

    /// The source of `side`, whose lines are those of `source`: messages of the compiler, and `#fileID`, name the file at `path` and its own lines.
    ///
    /// - Throws: ``SourceProblem`` for a source whose errors the compiler would show at a wrong place, or not say what to do.
    static func rewrite(_ source: String, path: String, side: Side) throws(SourceProblem) -> String {
        try rewrite(source, path: path, side: side, facts: ModuleFacts()).text
    }

    static func rewrite(_ source: String, path: String, side: Side, facts: ModuleFacts) throws(SourceProblem) -> Result {
        let source = source.hasPrefix("\u{FEFF}") ? String(source.dropFirst()) : source
        let tokens = Tokenizer.tokens(of: source)
        if let problem = ConditionChecker.unclosed(tokens, in: source) { throw problem }
        let inactive = ConditionEvaluator.inactive(in: tokens, on: side)
        let cuts = InterfaceCutter.cuts(in: tokens, names: facts.interface, keeping: facts.keeping)
            .filter { cut in !inactive.contains { $0.contains(tokens[cut.tokens.lowerBound].range.lowerBound) } }
        let cutEdits = cuts.map { SourceEdit(cutting: $0, of: tokens, in: source) }
        let leftOut = LeftOutRewriter(tokens: tokens, source: source, leftOut: facts.leftOut).edits()
            .filter { edit in
                !cutEdits.contains { $0.range.overlaps(edit.range) }
                    && !inactive.contains { $0.lowerBound <= edit.range.lowerBound && $0.upperBound >= edit.range.upperBound }
            }
        let dead = inactive + (cutEdits + leftOut).map(\.range)
        // Where a recipe was fitted, the compiler has said what is not there.
        if facts.leftOut.isEmpty,
            let problem = AbsentNames.problem(
                in: tokens, source: source, path: path, recipe: facts.recipe,
                ignoring: { token in dead.contains { $0.contains(token.range.lowerBound) } })
        {
            throw problem
        }
        var edits = ConditionRewriter.edits(for: tokens, on: side)
        edits += rewriters.flatMap { $0(tokens, source) }
        edits += try ObjectiveCRewriter.edits(
            for: tokens.filter { token in !dead.contains { $0.contains(token.range.lowerBound) } }, in: source,
            among: facts.declarations ?? TypeDeclaration.all(in: tokens).map { ($0, tokens) })
        edits += ModuleNameRewriter.edits(for: tokens, modules: facts.modules)
        var text = edits.outermost(within: cutEdits + leftOut).applied(to: source)
        // Its edits are whole declarations, in which others may lie: it sees what those made.
        if !path.hasSuffix("/main.swift") { text = StaticRewriter.edits(for: Tokenizer.tokens(of: text), in: text).applied(to: text) }
        let quoted = path.map { $0 == "\\" || $0 == "\"" ? "\\\($0)" : String($0) }.joined()
        func place(_ line: Int) -> String { "#sourceLocation(file: \"\(quoted)\", line: \(line))\n" }
        // The compiler then gives these warnings at the lines that they are about.
        let warnings = ConditionChecker.unknownSystems(tokens, in: source).map { "\(place($0.line))#warning(\"\($0.message)\")\n" }
        let notes = cuts.map { cut in
            let more =
                cut.isSessionDelegate
                ? "; it is also the session's delegate, which then is left out as well: give that a type of its own" : ""
            return SourceProblem(
                at: tokens[cut.tokens.lowerBound].range.lowerBound, in: source,
                "'\(cut.name)' \(cut.reason), and is left out of the \(side.rawValue)'s module\(more)")
        }
        return Result(text: warnings.joined() + place(1) + text, notes: notes)
    }
}

/// Which of the two devices a module is made for, and what conditions of compilation say there.
enum Side: String, CaseIterable {
    case phone, watch

    /// Whether a condition such as `os(iOS)` holds on this side; `nil` where the compiler knows better: versions, the app's own flags, modules that are
    /// the same everywhere. `os(Linux)` stays with it too: it is true, and code that asks means the host.
    func holds(_ function: Substring, _ argument: Substring) -> Bool? {
        switch (function, argument) {
        case ("os", "iOS"): self == .phone
        case ("os", "watchOS"): self == .watch
        case ("os", "macOS"), ("os", "OSX"), ("os", "tvOS"), ("os", "visionOS"): false
        // What exists on a device and not on the host: code that asks has an answer for hosts.
        case ("canImport", _): HostModules.canImport(argument)
        case ("targetEnvironment", "simulator"), ("targetEnvironment", "macCatalyst"): false
        default: nil
        }
    }
}
