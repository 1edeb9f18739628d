/// Gives modules of the app the names that they have in the package, and takes the system's modules off names that the simulated device has.
enum ModuleNameRewriter {
    /// - Parameter modules: What the app's code calls a module, and what it is called here.
    static func edits(for tokens: [Token], modules: [Substring: Substring]) -> [SourceEdit] {
        let imported = Set(Import.all(in: tokens).map(\.name))
        let inStrings = tokens.filter { $0.kind == .string }.flatMap { edits(inString: $0, modules: modules) }
        let shadowed = Set(SystemNames.types.map { Substring($0.name) } + ["Date", "UUID"])
        return inStrings
            + tokens.indices.compactMap { index in
                let token = tokens[index]
                guard token.kind == .word, index == 0 || !tokens[index - 1].isSign(".") else { return nil }
                let isQualifier = index + 2 < tokens.count && tokens[index + 1].isSign(".") && tokens[index + 2].kind == .word
                if let name = modules[token.text] {
                    let isCondition = index > 1 && tokens[index - 1].isSign("(") && tokens[index - 2].isWord("canImport")
                    guard imported.contains(index) || isQualifier || isCondition else { return nil }
                    return SourceEdit(range: token.range, text: String(name))
                }
                guard isQualifier, !imported.contains(index), token.isWord("Foundation") || token.isWord("Dispatch"),
                    shadowed.contains(tokens[index + 2].text)
                else { return nil }
                return SourceEdit(range: token.range.lowerBound..<tokens[index + 1].range.upperBound, text: "")
            }
    }

    /// What code that is interpolated in a string says.
    private static func edits(inString token: Token, modules: [Substring: Substring]) -> [SourceEdit] {
        let bytes = Array(token.text.utf8)
        let marks = bytes.prefix { $0 == UInt8(ascii: "#") }.count
        var edits: [SourceEdit] = []
        var position = 0
        while position + 1 < bytes.count {
            let hashes = bytes[(position + 1)...].prefix { $0 == UInt8(ascii: "#") }.count
            guard bytes[position] == UInt8(ascii: "\\"), position + 1 + hashes < bytes.count,
                hashes == marks, bytes[position + 1 + hashes] == UInt8(ascii: "(")
            else {
                position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
                continue
            }
            let start = position + 1 + hashes
            let code = Tokenizer.tokens(of: String(decoding: bytes[start...], as: UTF8.self))
            guard let close = code.closing(of: 0) else { return edits }
            edits += Self.edits(for: Array(code[..<close]), modules: modules).map { edit in
                let offset = token.range.lowerBound + start
                return SourceEdit(range: (edit.range.lowerBound + offset)..<(edit.range.upperBound + offset), text: edit.text)
            }
            position = start + code[close].range.upperBound
        }
        return edits
    }
}
