import Foundation

/// Finds what of a module has to be left out so that a host's compiler takes the rest: from the compiler's errors to the lines of a recipe.
///
/// A name that is not there stands for a type that can do nothing; a function in whose body something is wrong is left out; what cannot be declared is left
/// out altogether. Whatever it is, the recipe says it, and the app's files stay as they are.
struct Fitting {
    private(set) var leftOut: LeftOut
    /// Why, for each name of the recipe.
    private(set) var reasons: [String: String] = [:]
    private var sources: [String: Source] = [:]
    private let read: (String) -> String?

    private struct Source {
        let text: String
        let tokens: [Token]
        let members: [Member]
        let types: [TypeDeclaration]
        let lines: [Int]

        init(_ text: String) {
            self.text = text
            tokens = Tokenizer.tokens(of: text)
            members = Member.all(in: tokens)
            types = TypeDeclaration.all(in: tokens).filter { $0.keyword != "typealias" }
            var lines = [0]
            for (index, byte) in text.utf8.enumerated() where byte == UInt8(ascii: "\n") { lines.append(index + 1) }
            self.lines = lines
        }

        func offset(line: Int, column: Int) -> Int { line > 0 && line <= lines.count ? lines[line - 1] + column - 1 : 0 }

        func contains(_ range: Range<Int>, _ offset: Int) -> Bool {
            !range.isEmpty && tokens[range.lowerBound].range.lowerBound <= offset && offset < tokens[range.upperBound - 1].range.upperBound
        }
    }

    init(_ leftOut: LeftOut, read: @escaping (String) -> String? = { try? String(contentsOfFile: $0, encoding: .utf8) }) {
        self.leftOut = leftOut
        self.read = read
    }

    /// Takes errors into account. Whether anything is left out that was not before.
    mutating func take(_ errors: [Diagnostic]) -> Bool {
        // Modules first: nothing else is known without them. Then names, without which bodies look worse than they are.
        let old = leftOut
        for error in errors { takeModule(error) }
        guard leftOut == old else { return true }
        for error in errors { takeName(error) }
        guard leftOut == old else { return true }
        // What is left out now is not looked at before the compiler says more of it.
        for error in errors { takePlace(error, unlessIn: old) }
        return leftOut != old
    }

    // MARK: Names

    private mutating func takeModule(_ error: Diagnostic) {
        // OneSource's own: from then on the compiler says what is not there.
        if error.message.contains("which hosts do not have"), let module = error.message.components(separatedBy: " is of ").last {
            add(String(module.prefix { $0 != "," }), to: \.lacking, error)
        }
        guard error.message.hasPrefix("no such module"), let name = error.names.first else { return }
        add(String(name.prefix { $0 != "." }), to: \.lacking, error)
    }

    private mutating func takeName(_ error: Diagnostic) {
        let names = error.names
        if error.message.hasPrefix("unknown attribute"), let name = names.first { add("@\(name)", to: \.lacking, error) }
        if error.message.contains("is not a member type of"), names.count > 1, let owner = owner(names) {
            if !isInBody(error) { add("\(owner).\(names[0])", to: \.naming, error) }
            return
        }
        if error.message.hasPrefix("cannot specialize non-generic type"), let name = names.first, leftOut.naming.contains(name) {
            leftOut.naming.remove(name)
            add("\(name)<>", to: \.naming, error)
        }
        if let name = names.first(where: leftOut.naming.contains),
            error.message.contains("non-protocol") || error.message.contains("multiple inheritance")
                || error.message.contains("must appear first")
        {
            leftOut.naming.remove(name)
            add(name, to: \.promising, error)
        }
        // An object that something keeps is there, and can do nothing.
        if error.message.hasPrefix("cannot find '"), let name = names.first, name.first?.isUppercase == true, isKept(error) {
            add(name, to: \.naming, error)
            return
        }
        guard error.message.hasPrefix("cannot find type"), let name = names.first, !isInBody(error) else { return }
        add(name, to: isPromise(name, error) ? \.promising : \.naming, error)
    }

    private func owner(_ names: [String]) -> String? {
        guard let owner = names.dropFirst().last else { return nil }
        let own = owner.split(separator: ".").dropFirst().joined(separator: ".")
        let known = [owner, own].first { leftOut.naming.contains($0) || leftOut.naming.contains("\($0)<>") }
        return known ?? (own.isEmpty ? owner : own)
    }

    /// Whether a name that is inherited from is a protocol's, as far as one can see.
    private mutating func isPromise(_ name: String, _ error: Diagnostic) -> Bool {
        guard let source = source(error) else { return false }
        let offset = source.offset(line: error.line, column: error.column)
        let type = source.types.filter { $0.inherited.contains(Substring(name)) && source.contains($0.tokens, offset) }.last
        guard let type,
            let open = type.tokens.first(where: {
                source.tokens[$0].isSign("{") && source.tokens[$0].range.lowerBound > type.name.range.lowerBound
            }),
            offset < source.tokens[open].range.lowerBound
        else { return false }
        if type.keyword != "class" || type.inherited.first.map({ $0 != Substring(name) }) == true { return true }
        return ["Delegate", "DataSource", "Protocol", "Key", "Attributes", "ing", "able", "Intent", "Entity", "Provider"].contains {
            name.hasSuffix($0)
        }
    }

    /// Whether a type that the errors led to is told by the session.
    func isSessionDelegate(_ name: String) -> Bool {
        sources.values.contains { source in
            source.types.contains { $0.name.text == Substring(name) && $0.inherited.contains("WCSessionDelegate") }
        }
    }

    // MARK: Places

    private mutating func takePlace(_ error: Diagnostic, unlessIn old: LeftOut) {
        guard let source = source(error) else { return }
        let offset = source.offset(line: error.line, column: error.column)
        guard let member = source.members.last(where: { source.contains($0.tokens, offset) }) else {
            // A type's head, or something between members.
            guard let type = source.types.filter({ source.contains($0.tokens, offset) }).last else { return }
            add(String(type.name.text), to: \.dropping, error)
            return
        }
        let types = source.types.filter { source.contains($0.tokens, offset) }.map { String($0.name.text) }
        let isNew =
            leftOut.emptying.subtracting(old.emptying).contains(member.key)
            || leftOut.dropping.subtracting(old.dropping).contains(member.key)
        guard !isNew, !types.contains(where: leftOut.dropping.contains) else { return }
        let isRun = [member.body, member.value].contains { $0.map { source.contains($0, offset) } ?? false }
        if isRun, !leftOut.emptying.contains(member.key) {
            add(member.key, to: \.emptying, error)
        } else {
            leftOut.emptying.remove(member.key)
            if !add(member.key, to: \.dropping, error) {
                // Its name is that of others, or it cannot be left out: so is its type.
                guard let type = source.types.filter({ source.contains($0.tokens, offset) }).last else { return }
                add(String(type.name.text), to: \.dropping, error)
            }
        }
    }

    private mutating func isInBody(_ error: Diagnostic) -> Bool {
        guard let source = source(error) else { return false }
        let offset = source.offset(line: error.line, column: error.column)
        return source.members.contains { $0.body.map { source.contains($0, offset) } ?? false }
    }

    private mutating func isKept(_ error: Diagnostic) -> Bool {
        guard let source = source(error) else { return false }
        let offset = source.offset(line: error.line, column: error.column)
        return source.members.contains { member in
            member.value.map { source.contains($0, offset) && source.tokens[$0.lowerBound].range.lowerBound == offset } ?? false
        }
    }

    private mutating func source(_ error: Diagnostic) -> Source? {
        if let known = sources[error.path] { return known }
        guard let text = read(error.path) else { return nil }
        let source = Source(text)
        sources[error.path] = source
        return source
    }

    @discardableResult
    private mutating func add(_ name: String, to list: WritableKeyPath<LeftOut, Set<String>>, _ error: Diagnostic) -> Bool {
        guard leftOut[keyPath: list].insert(name).inserted else { return false }
        reasons[name] = "\(error.path.split(separator: "/").last ?? ""):\(error.line): \(error.message)"
        return true
    }
}
