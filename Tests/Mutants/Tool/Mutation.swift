import Foundation

/// One place of a source and the mistake that can be made there.
struct Mutation {
    /// What kind of mistake it is.
    enum Operator: String, CaseIterable {
        case negated, unless, dropped, unset, swallowed, bound, unequal, logic, offByOne, sign, early, first, last, absent, empty, fallback
        case flipped, never, extreme
        /// Planted by hand against a rule of the session.
        case rule
    }

    /// Some text of the source and what stands in its place. Nothing of it adds or removes a line.
    struct Edit {
        let begin: Int
        let end: Int
        let text: String
    }

    let kind: Operator
    /// The file, from the package's folder.
    let path: String
    /// The declaration that it is in, such as `SyncMerge.winner`.
    let declaration: String
    /// What is mutated, on one line.
    let original: String
    /// Which of the places of the same kind, declaration and text it is.
    var ordinal = 0
    /// The lines that it spans, from 1.
    let lines: ClosedRange<Int>
    /// In the order of the source; `#` stands for the switch.
    let edits: [Edit]

    var span: Range<Int> { edits[0].begin..<max(edits[0].begin + 1, edits[edits.count - 1].end) }

    /// Names it as long as what it mutates stays, wherever the file or the line goes.
    var identity: String { Digest.text(Digest.of([kind.rawValue, declaration, original, String(ordinal)])) }

    /// What is wrong, in one sentence.
    var sentence: String {
        let quoted = "`\(original.replacingOccurrences(of: "|", with: "\\|"))`"
        return switch kind {
        case .negated: "\(quoted) is negated"
        case .unless: "the guard `\(original.replacingOccurrences(of: "|", with: "\\|"))` lets everything pass"
        case .dropped: "\(quoted) is left out"
        case .unset: "the assignment \(quoted) is left out"
        case .swallowed: "an error of \(quoted) is passed over"
        case .bound: "the bound of \(quoted) is off by one"
        case .unequal: "\(quoted) is taken for its contrary"
        case .logic: "`&&` and `||` are swapped in \(quoted)"
        case .offByOne: "the number in \(quoted) is one more"
        case .sign: "`+` and `-` are swapped in \(quoted)"
        case .early: "the function returns before \(quoted)"
        case .first: "the first element of \(quoted) is skipped"
        case .last: "the last element of \(quoted) is skipped"
        case .absent: "\(quoted) is nil"
        case .empty: "\(quoted) is empty"
        case .fallback: "\(quoted) always takes the default"
        case .flipped: "the constant in \(quoted) is flipped"
        case .never: "the case \(quoted) is never taken"
        case .rule: original
        case .extreme: "the lesser and the greater are swapped in \(quoted)"
        }
    }
}

/// FNV-1a (draft-eastlake-fnv-17), mixed at the end as in SplitMix64, so that near texts have far numbers.
enum Digest {
    static func of(_ parts: [String]) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for part in parts {
            for byte in Array(part.utf8) + [0] { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        }
        hash = (hash ^ (hash >> 30)) &* 0xBF58_476D_1CE4_E5B9
        hash = (hash ^ (hash >> 27)) &* 0x94D0_49BB_1331_11EB
        return hash ^ (hash >> 31)
    }

    static func text(_ digest: UInt64) -> String { String(String(digest | 1 << 63, radix: 16).suffix(8)) }
}
