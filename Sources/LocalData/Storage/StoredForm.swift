import Foundation

/// What lies at a key's place, as its domain stores it: after serialization and security.
enum StoredForm: Sendable, Hashable {
    /// Files and keychain items, and anything sealed.
    case bytes(Data)
    /// Defaults, where the value can be one.
    case propertyList(PropertyListValue)
}
