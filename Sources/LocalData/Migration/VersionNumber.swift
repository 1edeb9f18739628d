/// A version such as `2.0.1`, for comparing. What follows the numbers, such as a build, does not count, and missing numbers count as 0.
struct VersionNumber: Sendable, Comparable {
    private let components: [Int]

    /// - Returns: `nil` for what does not begin with a number.
    init?(_ text: String) {
        var components: [Int] = []
        for part in text.split(separator: ".", omittingEmptySubsequences: false) {
            let digits = part.utf8.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            guard let number = Int(String(decoding: digits, as: UTF8.self)) else { break }
            components.append(number)
            if digits.count < part.utf8.count { break }
        }
        guard !components.isEmpty else { return nil }
        while components.last == 0 { components.removeLast() }
        self.components = components
    }

    static func < (lhs: VersionNumber, rhs: VersionNumber) -> Bool { lhs.components.lexicographicallyPrecedes(rhs.components) }
}
