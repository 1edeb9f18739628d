/// A place that the scan for what needs a key does not see, since it can neither be listed nor does anything name it.
public enum KeyScanLimit: String, Sendable, Hashable, CaseIterable {
    /// Suites of preferences that no registered key, and no source of a migration of one, names any more.
    case unnamedSuites
    /// Directories outside of the app's containers that none of them names any more.
    case unnamedDirectories
    /// App Groups that none of them names any more.
    case unnamedGroups
}

extension KeyScanLimit: CustomStringConvertible {
    /// In one sentence without a full stop, with the remedy.
    public var description: String {
        let what =
            switch self {
            case .unnamedSuites: "suites of preferences"
            case .unnamedDirectories: "directories outside of the app's containers"
            case .unnamedGroups: "App Groups"
            }
        return "\(what) that no key names any more were not looked into: keep a key registered for each that may hold something sealed"
    }
}
