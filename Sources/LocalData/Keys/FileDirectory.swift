import Foundation

/// A directory of a container, or one of the app's own choosing.
public enum FileDirectory: Sendable, Hashable {
    /// User data. Backed up.
    case documents
    /// Data that can be made again. Not backed up, purged when space is short.
    case caches
    /// An absolute file URL.
    case custom(URL)
}

extension FileDirectory {
    /// The case's name without its payload, as audits and errors show it.
    public var kind: String {
        switch self {
        case .documents: "documents"
        case .caches: "caches"
        case .custom: "custom"
        }
    }
}
