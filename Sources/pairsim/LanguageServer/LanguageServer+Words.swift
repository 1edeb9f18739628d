/// Completion, hover, and going to where a name comes from.
extension LanguageServer {
    // MARK: Completion

    func completions(in document: ServedDocument, line: Int, column: Int) -> [JSONValue] {
        guard let (before, word) = LineWords.unfinished(document.prefix(line: line, column: column)) else { return [] }
        let names = names(in: document)
        var known: Set<String> = []
        var items: [JSONValue] = []
        func add(_ label: String, _ kind: Int64, _ detail: String) {
            guard label.hasPrefix(word), known.insert(label).inserted, items.count < 500 else { return }
            items.append(.object(["label": .text(label), "kind": .number(kind), "detail": .text(detail)]))
        }
        let topics = topics(in: document, line: line)
        for continuation in Vocabulary.continuations(after: before, in: topics) {
            switch continuation {
            case .word(let next): add(next, 14, Explanations.line((before + [next]).joined(separator: " "))?.meaning ?? "")
            case .slot(let slot):
                // Fixed words are of a list; names, of the file.
                for next in slot.words ?? [] { add(next, 12, Explanations.find(next).first?.meaning ?? slot.help) }
                for name in names where name.slot == slot {
                    add(name.name, slot == .key ? 5 : 18, "\(slot.rawValue.lowercased()) of line \(name.line + 1)")
                }
            }
        }
        return items
    }

    /// Which lines may stand here: those of the block that an indented line belongs to, else all.
    private func topics(in document: ServedDocument, line: Int) -> Set<Form.Topic> {
        guard let text = document.line(line), text.first?.isWhitespace == true else { return Form.Topic.topLevel }
        for number in stride(from: line - 1, through: 0, by: -1) {
            guard let owner = document.line(number), let first = owner.first else { continue }
            if first.isWhitespace || first == "#" { continue }
            let words = LineWords.split(owner)
            switch words.first {
            case "key": return [.attribute]
            case "together": return [.device, .link, .session, .transfer, .data]
            case "expect", "never": return [.event]
            default: return Form.Topic.topLevel
            }
        }
        return Form.Topic.topLevel
    }

    // MARK: Names

    /// Something that a file names, and where.
    struct Name {
        let name: String
        /// What stands for it in lines that use it; `nil` for a variable.
        let slot: Slot?
        let path: String
        /// From 0.
        let line: Int
    }

    /// What the file names, and what those that it includes do.
    func names(in document: ServedDocument) -> [Name] {
        var seen: Set<String> = [document.path]
        return names(in: document.lines, path: document.path, seen: &seen)
    }

    /// - Parameter seen: The files that were read: one that includes itself, or that many include, is read once.
    private func names(in lines: [String], path: String, seen: inout Set<String>) -> [Name] {
        var names: [Name] = []
        var isTable = false
        for (number, text) in lines.enumerated() where text.utf8.count < 10_000 {
            let words = LineWords.split(text)
            if isTable, words.first == "|" {
                names += words.filter { $0 != "|" }.map { Name(name: $0, slot: nil, path: path, line: number) }
            }
            isTable = words == ["examples"]
            guard words.count > 1 else { continue }
            if let slot = Self.declared(by: words) { names.append(Name(name: slot.name, slot: slot.slot, path: path, line: number)) }
            if words[0] == "include", seen.count < 64, let included = includedPath(words[1], from: path), seen.insert(included).inserted,
                let text = self.text(of: included)
            {
                let lines = SourceText.lines(of: text)
                names += self.names(in: lines, path: included, seen: &seen)
            }
        }
        return names
    }

    private static func declared(by words: [String]) -> (name: String, slot: Slot?)? {
        switch words[0] {
        case "key": return (words[1], .key)
        case "let", "parameter": return (words[1], nil)
        case "mark": return (words[1], .mark)
        default: break
        }
        guard let index = words.firstIndex(of: "as"), words.indices.contains(index + 1) else { return nil }
        if words.contains("backup") { return (words[index + 1], .backup) }
        if words.contains("snapshot") { return (words[index + 1], .snapshot) }
        if words.contains("transfer") { return (words[index + 1], .transfer) }
        return (words[index + 1], .message)
    }

    private func includedPath(_ word: String, from path: String) -> String? {
        guard word.count > 2, word.first == "\"", word.last == "\"" else { return nil }
        let name = String(word.dropFirst().dropLast())
        guard !name.hasPrefix("/"), let slash = path.lastIndex(of: "/") else { return name }
        var parts = path[..<slash].split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        for part in name.split(separator: "/").map(String.init) {
            if part == ".." { _ = parts.popLast() } else if part != "." { parts.append(part) }
        }
        return parts.joined(separator: "/")
    }

    private func text(of path: String) -> String? {
        texts[path] ?? (try? files.read(path)).map { String(decoding: $0, as: UTF8.self) }
    }

    // MARK: Definition

    func definition(in document: ServedDocument, line: Int, column: Int) -> JSONValue {
        let text = document.line(line) ?? ""
        let words = LineWords.split(text)
        if words.first == "include", words.count > 1, let path = includedPath(words[1], from: document.path), self.text(of: path) != nil {
            return location(path, line: 0)
        }
        let word = document.word(line: line, column: column)
        let isVariable = word.first == "$"
        let name = isVariable ? String(word.dropFirst()) : word
        guard !name.isEmpty, let found = names(in: document).first(where: { $0.name == name && ($0.slot == nil) == isVariable }) else {
            return .null
        }
        return location(found.path, line: found.line)
    }

    private func location(_ path: String, line: Int) -> JSONValue {
        let uri = documents.values.first { $0.path == path }?.uri ?? ServedDocument.uri(of: path)
        return .object(["uri": .text(uri), "range": ServedDocument.range(line, 0, line, 0)])
    }

    // MARK: Hover

    func hover(in document: ServedDocument, line: Int, column: Int) -> JSONValue {
        let text = document.line(line) ?? ""
        let word = document.word(line: line, column: column)
        var parts: [String] = []
        if let name = names(in: document).first(where: { $0.name == word && $0.slot == .key }), let declaration = declaration(of: name) {
            parts.append("```scenario\n\(declaration)\n```")
        }
        // In a comment only rules and their like mean something.
        let isComment = text.drop { $0.isWhitespace }.first == "#"
        let isTerm: Set<Explanation.Kind> = [.error, .event, .knob, .rule, .trouble, .app, .notation]
        parts += Explanations.find(word).filter { isTerm.contains($0.kind) }.prefix(1).map(\.markdown)
        if !isComment, let explanation = Explanations.line(text) { parts.append(explanation.markdown) }
        guard !parts.isEmpty else { return .null }
        return .object(["contents": .object(["kind": .text("markdown"), "value": .text(parts.joined(separator: "\n\n---\n\n"))])])
    }

    /// The lines of a key's declaration.
    private func declaration(of name: Name) -> String? {
        guard let text = self.text(of: name.path) else { return nil }
        let lines = SourceText.lines(of: text)
        guard lines.indices.contains(name.line) else { return nil }
        let block = lines.dropFirst(name.line + 1).prefix { $0.first?.isWhitespace == true && !$0.allSatisfy(\.isWhitespace) }
        return ([lines[name.line]] + block.prefix(20)).joined(separator: "\n")
    }
}
