/// A version of the app: numbers joined by dots. Missing numbers count as 0.
public struct AppVersion: Sendable {
    /// The numbers between the dots.
    public let components: [Int]

    /// `1.0`, what a simulated app has that says nothing else.
    public static let first = AppVersion(components: [1, 0])

    private init(components: [Int]) {
        self.components = components
    }

    /// - Returns: `nil` for anything but one to four numbers joined by dots.
    public init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in part.allSatisfy { (48...57).contains($0) } ? Int(Substring(part)) : nil }
        guard (1...4).contains(parts.count), numbers.count == parts.count else { return nil }
        components = numbers
    }

    private var significant: ArraySlice<Int> {
        components[..<(components.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0)]
    }
}

extension AppVersion: Hashable, Comparable, CustomStringConvertible {
    public static func == (lhs: AppVersion, rhs: AppVersion) -> Bool { lhs.significant == rhs.significant }

    public func hash(into hasher: inout Hasher) { hasher.combine(significant) }

    public static func < (lhs: AppVersion, rhs: AppVersion) -> Bool { lhs.significant.lexicographicallyPrecedes(rhs.significant) }

    public var description: String { components.map(String.init).joined(separator: ".") }
}
