import Foundation

/// A thing in the pantry.
public struct Item: Codable, Hashable, Sendable {
    public let name: String
    public var count: Int

    public init(name: String, count: Int = 1) {
        self.name = name
        self.count = count
    }
}
