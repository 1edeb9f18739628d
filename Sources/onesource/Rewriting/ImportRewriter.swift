/// Leaves out the imports of what is on a device and not on a host: `import WatchKit` in code of the watch. A name of such a module that the code then
/// uses is an error of the compiler, at its place.
///
/// Conditions about these modules are answered no (``Side``), and code that asks before it imports is not affected.
enum ImportRewriter {
    static let modules: Set<Substring> = ["UIKit", "WatchKit", "ClockKit"]

    static func edits(for tokens: [Token]) -> [SourceEdit] {
        tokens.indices.compactMap { index in
            guard tokens[index].isWord("import"), index + 1 < tokens.count, modules.contains(tokens[index + 1].text),
                index + 2 == tokens.count || tokens[index + 2].startsLine || tokens[index + 2].isSign(";")
            else { return nil }
            var start = index
            // Attributes and access in front of it, such as `@preconcurrency`.
            while start > 0, !tokens[start].startsLine, tokens[start - 1].isSign("@") || tokens[start - 1].kind == .word {
                start -= 1
            }
            guard tokens[start].startsLine else { return nil }
            return SourceEdit(range: tokens[start].range.lowerBound..<tokens[index + 1].range.upperBound, text: "")
        }
    }
}
