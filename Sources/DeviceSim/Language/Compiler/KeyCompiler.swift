import DeviceSimCore
import Foundation
import LocalData

/// Makes the keys of a run, from `key` blocks and from catalogs of an embedding test.
struct KeyCompiler {
    let report: CompilerReport
    let context: LineContext
    private var found: [String: Found] = [:]

    private struct Found {
        let type: ScenarioType
        let range: SourceRange
        let origin: Origin

        enum Origin {
            case line(ExpandedLine)
            case registered(catalog: String, AnyStorageKey)
        }
    }

    init(report: CompilerReport, context: LineContext) {
        self.report = report
        self.context = context
    }

    // MARK: ExpectationResult

    /// A `key` line. A faulty one still makes its name known, so that nothing more is said of it.
    mutating func add(_ line: ExpandedLine) {
        var matcher = FormMatcher(line.tokens, in: context)
        guard let (form, match) = matcher.match(Vocabulary.forms(of: [.structure], beginningWith: "key")),
            case .key(let name, let type)? = form.build(match)
        else { return addFaulty(line) }
        if Vocabulary.reservedWords.contains(name.text) {
            report.diagnose(
                name.range, "a key cannot be called `\(name.text)`, which is a word of the language",
                hint: "call it `\(name.text)Key`, and give the stored name in its block: `name \"\(name.text)\"`")
        }
        add(Found(type: type, range: name.range, origin: .line(line)), as: name.text)
    }

    /// Makes the name known that a faulty line means to declare.
    mutating func addFaulty(_ line: ExpandedLine) {
        guard line.tokens.count > 1, line.tokens[1].kind == .word else {
            context.keysAreComplete = false
            return
        }
        let name = line.tokens[1]
        if found[name.text] == nil { found[name.text] = Found(type: .any, range: name.range, origin: .line(line)) }
    }

    /// The keys of a catalog that a test registered. Those whose names are no words of a scenario file cannot be spoken of.
    mutating func add(_ catalog: any StorageKeyCatalog, named name: Token) {
        let keys: [AnyStorageKey] = catalog.allKeys
        for key in keys where Self.isWord(key.name) && !Vocabulary.reservedWords.contains(key.name) {
            add(
                Found(type: Self.type(of: key.base), range: name.range, origin: .registered(catalog: name.text, key)), as: key.name)
        }
    }

    private mutating func add(_ key: Found, as identifier: String) {
        if let earlier = found[identifier] {
            return report.diagnose(
                key.range, "there is a key `\(identifier)` already, at \(earlier.range.path):\(earlier.range.line)",
                hint: "give it another name here; two keys may have one stored name: `name \"\(identifier)\"`")
        }
        found[identifier] = key
    }

    private static func isWord(_ name: String) -> Bool {
        guard let source = try? SourceText(path: "", bytes: Array(name.utf8)), source.lines.count == 1 else { return false }
        var lexer = Lexer(source, line: 1)
        let line = lexer.lex()
        return line.tokens.count == 1 && line.tokens[0].kind == .word && line.tokens[0].text == name
    }

    private static func type(of key: some StorageKey) -> ScenarioType { type(of: Swift.type(of: key)) }

    private static func type<Key: StorageKey>(of _: Key.Type) -> ScenarioType {
        let value: Any.Type = Key.Value.self
        let known: [(Any.Type, ScenarioType)] = [
            (String.self, .string), (Int.self, .int), (Double.self, .double), (Bool.self, .bool), (Data.self, .data), (Date.self, .date),
            ([String].self, .array(.string)), ([Int].self, .array(.int)), ([Double].self, .array(.double)), ([Bool].self, .array(.bool)),
        ]
        return known.first { $0.0 == value }?.1 ?? .codable(String(describing: value))
    }

    // MARK: Resolving

    /// Gives every key its place, and reads the blocks, which may refer to other keys.
    mutating func resolve() -> [ScenarioKey] {
        let identifiers = found.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        for (index, identifier) in identifiers.enumerated() {
            guard let key = found[identifier] else { continue }
            context.keys[identifier] = LineContext.Key(reference: KeyReference(index: index, identifier: identifier), type: key.type)
        }
        return identifiers.compactMap { identifier in
            guard let key = found[identifier] else { return nil }
            let origin: ScenarioKey.Origin
            switch key.origin {
            case .registered(let catalog, let key): origin = .registered(catalog: catalog, key)
            case .line(let line): origin = .declared(declaration(of: identifier, type: key.type, line: line))
            }
            return ScenarioKey(identifier: identifier, type: key.type, origin: origin, range: key.range)
        }
    }

    private func declaration(of identifier: String, type: ScenarioType, line: ExpandedLine) -> KeyDeclaration {
        var declaration = KeyDeclaration(name: identifier)
        var seen: [String: SourceRange] = [:]
        report.includedFrom = line.includedFrom
        for attribute in line.block {
            guard let read = self.attribute(attribute) else { continue }
            if let earlier = seen[read.aspect] {
                report.diagnose(
                    read.range, "the \(read.aspect) of `\(identifier)` is declared already, at line \(earlier.line)",
                    hint: "remove one of the two")
                continue
            }
            seen[read.aspect] = read.range
            read.apply(&declaration)
        }
        check(declaration, of: identifier, type: type, places: seen)
        return declaration
    }

    private func attribute(_ line: ExpandedLine) -> KeyAttribute? {
        let forms = Vocabulary.forms(of: [.attribute], beginningWith: line.head ?? "")
        guard !forms.isEmpty else {
            let words = Vocabulary.firstWords(of: [.attribute])
            if let first = line.tokens.first {
                if first.kind == .word, !Vocabulary.forms(of: Form.Topic.topLevel, beginningWith: first.text).isEmpty {
                    report.diagnose(
                        line.range, "a line that begins with `\(first.shortText)` cannot stand in a key's block",
                        hint: "do not indent it, to make it a line of its own")
                    return nil
                }
                report.diagnose(
                    first.range, "a key has no `\(first.shortText)`",
                    hint: Suggestion.nearest(to: first.text, in: words).map { "did you mean `\($0)`?" }
                        ?? "a key declares \(Suggestion.list(words, limit: 20, last: "and"))")
            }
            return nil
        }
        var matcher = FormMatcher(line.tokens, in: context)
        guard let (form, match) = matcher.match(forms), case .attribute(let attribute)? = form.build(match) else { return nil }
        return attribute
    }

    /// What no app could be built with. What LocalData itself refuses is left to it: a scenario may be about that.
    private func check(_ declaration: KeyDeclaration, of identifier: String, type: ScenarioType, places: [String: SourceRange]) {
        if declaration.serializer == .data, type != .data, let place = places["serializer"] {
            report.diagnose(
                place, "`serializer data` is for keys of the type Data, and `\(identifier)` is of the type \(type)",
                hint: "write `serializer json`")
        }
        if declaration.watchForm != nil, !WatchForm.fits(type), let place = places["watch form"] {
            report.diagnose(
                place, "a value of the type \(type) has no beginning to send", hint: "`watch form` is for texts, data, lists and `Any`")
        }
        if let since = declaration.since, let until = declaration.until, since > until, let place = places["until"] {
            report.diagnose(place, "no version of the app has `\(identifier)`: it is there since \(since) and until \(until)")
        }
        checkMigration(of: declaration, of: identifier, type: type, places: places)
    }
}
