import Foundation

/// A store of preferences in named suites, with the semantics of `UserDefaults`: a set is visible at once and reaches the disk later.
///
/// Calls are synchronous and may come from any thread.
public protocol DefaultsStore: Sendable {
    /// Whether this process can see what is stored. False for a process that was started before the first unlock:
    /// its reads yield nothing although there may be something (`spec`: *UserDefaults*), so they must not be believed.
    func isReadable(_ suite: DefaultsSuite) -> Bool
    /// The stored value; `nil` where the suite itself has none of that key. Registered defaults and other domains do not count.
    func value(forKey key: String, in suite: DefaultsSuite) throws -> PropertyListValue?
    /// Stores a value, or removes it with `nil`.
    func set(_ value: PropertyListValue?, forKey key: String, in suite: DefaultsSuite) throws
    /// The keys stored in the suite itself, sorted by their UTF-8 bytes.
    func keys(in suite: DefaultsSuite) throws -> [String]
    /// Asks for pending changes to be handed to the system (`UserDefaults.synchronize`).
    func synchronize(_ suite: DefaultsSuite) throws
}

/// Which preferences are meant.
public enum DefaultsSuite: Sendable, Hashable {
    /// The app's own.
    case standard
    /// The suite of that name (`UserDefaults(suiteName:)`), which belongs to this app alone.
    case named(String)
    /// The suite that the members of an App Group share, by the group's identifier.
    case appGroup(String)
}
