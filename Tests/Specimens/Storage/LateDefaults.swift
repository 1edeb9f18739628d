import Foundation
import LocalData

/// Preferences that hand over the values of one key only after the next set of another.
package final class LateDefaults: DefaultsStore, @unchecked Sendable {
    private let base: any DefaultsStore
    private let lateKey: String
    /// Of one process, which runs on one thread.
    private var late: PropertyListValue?

    package init(_ base: any DefaultsStore, lateKey: String) {
        self.base = base
        self.lateKey = lateKey
    }

    package func set(_ value: PropertyListValue?, forKey key: String, in suite: DefaultsSuite) throws {
        guard key != lateKey else {
            late = value
            return
        }
        try base.set(value, forKey: key, in: suite)
        if let late { try base.set(late, forKey: lateKey, in: suite) }
        late = nil
    }

    package func isReadable(_ suite: DefaultsSuite) -> Bool { base.isReadable(suite) }
    package func value(forKey key: String, in suite: DefaultsSuite) throws -> PropertyListValue? { try base.value(forKey: key, in: suite) }
    package func keys(in suite: DefaultsSuite) throws -> [String] { try base.keys(in: suite) }
    package func synchronize(_ suite: DefaultsSuite) throws { try base.synchronize(suite) }
}
