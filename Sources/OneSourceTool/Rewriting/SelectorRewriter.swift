/// Makes of `#selector(Clock.tick(_:))` a selector that knows its method without Objective-C's runtime: a closure that calls it on the object that it is
/// given, as the system would.
///
/// The method must be declared in the module, and have one argument at most: `NotificationCenter`, `Timer` and `perform(_:with:)` hand over no more.
enum SelectorRewriter {
    /// A method, as its declaration says it.
    private struct Method {
        /// What a call writes before the argument; empty for none.
        let labels: [Substring]
        /// The types of the parameters, as they are written.
        let types: [Substring]
    }

    /// - Parameters:
    ///   - index: The place of `#selector` among the file's tokens.
    ///   - declarations: The types of all files of the module, each with its file's tokens.
    /// - Returns: `nil` where it is not known which method is meant.
    static func edit(
        at index: Int, _ tokens: [Token], among declarations: [(type: TypeDeclaration, tokens: [Token])]
    ) -> SourceEdit? {
        guard index + 1 < tokens.count, tokens[index + 1].isSign("("), let close = tokens.closing(of: index + 1) else { return nil }
        let words = Array(tokens[(index + 2)..<close])
        guard let reference = Reference(words) else { return nil }
        let types = TypeDeclaration.all(in: tokens).filter { $0.tokens.contains(index) && $0.keyword != "protocol" }
        let enclosing = types.max { $0.tokens.lowerBound < $1.tokens.lowerBound }
        guard let type = reference.type ?? enclosing?.name.text else { return nil }
        let methods = declarations.filter { $0.type.name.text == type }.flatMap { Self.methods(reference.base, of: $0.type, in: $0.tokens) }
        let meant = methods.filter { method in reference.labels.map { $0 == method.labels } ?? true }
        guard let method = meant.first, meant.dropFirst().allSatisfy({ $0.types == method.types && $0.labels == method.labels }),
            method.types.count < 2
        else { return nil }
        let written = reference.path ?? String(type)
        let lines = words.filter(\.startsLine).map { _ in "\n" }.joined()
        return SourceEdit(
            range: tokens[index].range.lowerBound..<tokens[close].range.upperBound,
            text: selector(reference.base, of: written, method) + lines)
    }

    private static func selector(_ base: Substring, of type: String, _ method: Method) -> String {
        guard let parameter = method.types.first else {
            return "Selector(\"\(base)\") { target, _ in (target as? \(type))?.\(base)() }"
        }
        let label = method.labels.first ?? "_"
        let argument = label == "_" ? "argument" : "\(label): argument"
        return
            "Selector(\"\(base)\(label == "_" ? "" : "With\(label.prefix(1).uppercased())\(label.dropFirst())"):\") { target, argument in "
            + "if let target = target as? \(type), let argument = argument as? \(withoutOptional(parameter)) { target.\(base)(\(argument)) } }"
    }

    /// `Any?` is given as what it holds.
    private static func withoutOptional(_ type: Substring) -> Substring {
        type.hasSuffix("?") || type.hasSuffix("!") ? type.dropLast() : type
    }

    /// What stands between the brackets: `tick`, `self.tick`, `Clock.tick(_:)`, `App.Clock.tick(at:)`.
    private struct Reference {
        /// The last name before the method's; `nil` for `self` and for none.
        let type: Substring?
        /// All names before the method's.
        let path: String?
        let base: Substring
        let labels: [Substring]?

        init?(_ tokens: [Token]) {
            var names: [Substring] = []
            var position = 0
            while position < tokens.count, tokens[position].kind == .word {
                names.append(tokens[position].text)
                guard position + 1 < tokens.count, tokens[position + 1].isSign(".") else { break }
                position += 2
            }
            guard let base = names.popLast(), position < tokens.count else { return nil }
            self.base = base
            let isOwn = names.isEmpty || names == ["self"] || names == ["Self"]
            type = isOwn ? nil : names.last
            path = isOwn ? nil : names.joined(separator: ".")
            let rest = tokens[(position + 1)...]
            guard !rest.isEmpty else {
                labels = nil
                return
            }
            guard rest.first?.isSign("(") == true, rest.last?.isSign(")") == true else { return nil }
            let inner = rest.dropFirst().dropLast()
            guard inner.allSatisfy({ $0.kind == .word || $0.isSign(":") }) else { return nil }
            labels = inner.filter { $0.kind == .word }.map(\.text)
        }
    }

    /// The methods of that name that a type declares there.
    private static func methods(_ base: Substring, of type: TypeDeclaration, in tokens: [Token]) -> [Method] {
        type.tokens.compactMap { index in
            guard tokens[index].isWord("func"), index + 2 < tokens.count, tokens[index + 1].text == base, tokens[index + 2].isSign("("),
                let close = tokens.closing(of: index + 2)
            else { return nil }
            var labels: [Substring] = []
            var types: [Substring] = []
            for parameter in parameters(tokens[(index + 3)..<close]) {
                guard let colon = parameter.firstIndex(where: { $0.isSign(":") }), let label = parameter.first(where: { $0.kind == .word })
                else { return nil }
                let written = parameter[(colon + 1)...].prefix { !$0.isSign("=") }
                guard let first = written.first, let last = written.last else { return nil }
                labels.append(label.text)
                types.append(first.text.base[first.text.startIndex..<last.text.endIndex])
            }
            return Method(labels: labels, types: types)
        }
    }

    /// Parted at the commas that are in no bracket.
    private static func parameters(_ tokens: ArraySlice<Token>) -> [ArraySlice<Token>] {
        var depth = 0
        return tokens.split { token in
            if ["(", "[", "<", "{"].contains(where: token.isSign) { depth += 1 }
            if [")", "]", ">", "}"].contains(where: token.isSign) { depth -= 1 }
            return depth == 0 && token.isSign(",")
        }
    }
}
