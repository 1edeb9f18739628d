/// A key name with parts in angle brackets, each of which stands for any text of at least one character.
struct KeyNamePattern: Sendable, Hashable {
    /// The literal parts between the placeholders; empty ones at the ends where a placeholder begins or ends the name.
    private let literals: [Substring]

    /// `nil` for a name without placeholders.
    init?(_ name: String) {
        guard name.utf8.contains(UInt8(ascii: "<")) else { return nil }
        var literals: [Substring] = []
        var rest = name[...]
        while let open = rest.firstIndex(of: "<"), let close = rest[open...].firstIndex(of: ">"), rest.index(after: open) < close {
            literals.append(rest[..<open])
            rest = rest[rest.index(after: close)...]
        }
        guard !literals.isEmpty else { return nil }
        self.literals = literals + [rest]
    }

    func matches(_ name: String) -> Bool {
        guard let first = literals.first, let last = literals.last, name.hasPrefix(first), name.hasSuffix(last) else { return false }
        var rest = name.dropFirst(first.count)
        // The shortest match of each inner part leaves the most for the ones after it.
        for literal in literals.dropFirst().dropLast() {
            guard let found = rest.dropFirst().firstRange(of: literal) else { return false }
            rest = rest[found.upperBound...]
        }
        return rest.count > last.count && rest.hasSuffix(last)
    }
}
