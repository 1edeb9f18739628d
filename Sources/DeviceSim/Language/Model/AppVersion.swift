/// A version of the app: numbers joined by dots. Missing numbers count as 0.
public struct AppVersion: Sendable {
    /// The numbers between the dots.
    public let components: [Int]

    /// `1.0`, what a simulated app has that says nothing else.
    public static let first = AppVersion(components: [1, 0])

    /// The four numbers, which are compared often: a key is asked for each step that is drawn whether it exists in a version.
    private let order: (Int, Int, Int, Int)

    private init(components: [Int]) {
        self.components = components
        func number(_ place: Int) -> Int { place < components.count ? components[place] : 0 }
        order = (number(0), number(1), number(2), number(3))
    }

    /// - Returns: `nil` for anything but one to four numbers joined by dots.
    public init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in part.allSatisfy { (48...57).contains($0) } ? Int(Substring(part)) : nil }
        guard (1...4).contains(parts.count), numbers.count == parts.count else { return nil }
        self.init(components: numbers)
    }
}

extension AppVersion: Hashable, Comparable, CustomStringConvertible {
    public static func == (lhs: AppVersion, rhs: AppVersion) -> Bool { lhs.order == rhs.order }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(order.0)
        hasher.combine(order.1)
        hasher.combine(order.2)
        hasher.combine(order.3)
    }

    public static func < (lhs: AppVersion, rhs: AppVersion) -> Bool { lhs.order < rhs.order }

    public var description: String { components.map(String.init).joined(separator: ".") }
}
