// A comment and a condition come before the imports.
#if canImport(UIKit)
    public import UIKit
#else
    public import Foundation
#endif

/// A library's public type: default arguments, inlinable code and public members that name what the plugin gives code for the system's.
nonisolated public struct Ledger: Sendable {
    public var entries: [Entry] = []
    public let queue: DispatchQueue

    public struct Entry: Hashable, Sendable {
        public let id: UUID
        public let date: Date

        public init(id: UUID = UUID(), date: Date = Date()) {
            self.id = id
            self.date = date
        }
    }

    public init(queue: DispatchQueue = .main) {
        self.queue = queue
    }

    @inlinable public mutating func add(at date: Date = .now, roll: Int = .random(in: 1...6)) -> Int {
        entries.append(Entry(id: UUID(), date: date))
        return roll + Int.random(in: 0..<1) + [Int]().shuffled().count
    }

    @inlinable public func later(after seconds: Double = 0.5, _ work: @escaping @Sendable () -> Void) {
        queue.asyncAfter(deadline: .now() + seconds, execute: work)
    }

    @inlinable public static func pause() async throws {
        try await Task.sleep(for: .milliseconds(250))
        try await ContinuousClock().sleep(for: .milliseconds(50))
    }
}
