import Foundation

/// What a module's symbol graph, as the compiler writes it, says of public symbols and their comments.
struct SymbolGraph: Decodable {
    let symbols: [Symbol]
    let relationships: [Relationship]

    struct Symbol: Decodable {
        let identifier: Identifier
        let pathComponents: [String]
        let kind: Kind
        let docComment: Comment?
        let location: Location?

        var name: String { pathComponents.joined(separator: ".") }
    }

    struct Identifier: Decodable { let precise: String }
    struct Kind: Decodable { let identifier: String }

    struct Comment: Decodable {
        let lines: [Line]

        struct Line: Decodable { let text: String }

        var text: String { lines.map(\.text).joined(separator: "\n") }
    }

    struct Location: Decodable {
        let uri: String
        let position: Position

        struct Position: Decodable {
            /// From 0.
            let line: Int
        }
    }

    struct Relationship: Decodable {
        let kind: String
        let source: String
        /// The requirement that the source fulfils, where the source is in a type that conforms.
        let sourceOrigin: Origin?

        struct Origin: Decodable { let identifier: String }
    }
}

/// A public symbol whose comment is not there, or says nothing.
struct CommentProblem: Comparable, CustomStringConvertible {
    let file: String
    /// From 1.
    let line: Int
    let message: String

    var description: String { "\(file):\(line): error: \(message)" }

    static func < (one: CommentProblem, other: CommentProblem) -> Bool {
        (one.file, one.line, one.message) < (other.file, other.line, other.message)
    }
}

extension SymbolGraph {
    /// Every public symbol that the package declares and that has no comment of its own, nor one of the protocol's requirement that it fulfils, and every
    /// comment that only repeats its symbol's name. Sorted by place.
    func problems(root: String) -> [CommentProblem] {
        let inheriting = Set(relationships.filter { $0.kind == "defaultImplementationOf" || $0.sourceOrigin != nil }.map(\.source))
        return symbols.compactMap { symbol -> CommentProblem? in
            guard let location = symbol.location, !symbol.identifier.precise.contains("::SYNTHESIZED::"),
                symbol.kind.identifier != "swift.extension"
            else { return nil }
            var file = URL(string: location.uri)?.path ?? location.uri
            if file.hasPrefix(root + "/") { file = String(file.dropFirst(root.count + 1)) }
            func problem(_ message: String) -> CommentProblem {
                CommentProblem(file: file, line: location.position.line + 1, message: message)
            }
            if let comment = symbol.docComment {
                guard Self.saysNothing(comment.text, of: symbol.name) else { return nil }
                return problem("the comment of '\(symbol.name)' only repeats its name")
            }
            return inheriting.contains(symbol.identifier.precise) ? nil : problem("'\(symbol.name)' has no documentation comment")
        }.sorted()
    }

    /// Whether every word of a comment is an article or a word of the symbol's name.
    static func saysNothing(_ comment: String, of name: String) -> Bool {
        let fillers = ["a", "an", "the", "of", "this", "its", "returns", "gets", "initializes", "creates"]
        let known = Set(words(spacingCapitals(name)) + fillers)
        return words(comment).allSatisfy { known.contains($0) || ($0.last == "s" && known.contains(String($0.dropLast()))) }
    }

    private static func spacingCapitals(_ name: String) -> String {
        name.reduce(into: "") { $0 += $1.isUppercase ? " \($1)" : "\($1)" }
    }

    private static func words(_ text: String) -> [String] {
        text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }
}
