import Foundation

/// The places of the keys that a process uses, so that a declaration is checked once and not at every step of every operation.
///
/// A place depends on nothing but the declaration, so what is kept cannot be out of date.
/// - Note: `@unchecked Sendable`: the memory is only touched under the lock.
final class LocationCache: @unchecked Sendable {
    /// Apps have tens of keys; names that are made at run time must not pile up.
    static let maximumCount = 256

    private final class Known {
        let byteCount: Int
        let domain: StorageDomain
        let security: SecurityPolicy
        let location: StorageLocation

        init(byteCount: Int, domain: StorageDomain, security: SecurityPolicy, location: StorageLocation) {
            self.byteCount = byteCount
            self.domain = domain
            self.security = security
            self.location = location
        }
    }

    private let lock = NSLock()
    private var known: [String: Known] = [:]

    /// - Throws: ``StorageError/Code/invalidKey``, see ``StorageLocation/init(name:domain:security:)``.
    func location(of key: some StorageKey) throws -> StorageLocation {
        let (name, domain, security) = (key.name, key.domain, key.security)
        // Names that are equal as text may differ in their bytes, which an envelope authenticates. Only names of ASCII are kept, and what is equal to one
        // and as long is the same.
        let byteCount = name.utf8.count + domain.nameByteCount
        if let found = lock.withLock({ known[name] }), found.byteCount == byteCount, found.domain == domain, found.security == security {
            return found.location
        }
        let location = try StorageLocation(name: name, domain: domain, security: security)
        // What a URL of the app's own choosing stands for is the file system's to say.
        guard !domain.isCustomDirectory, location.identity.utf8.allSatisfy({ $0 < 0x80 }) else { return location }
        lock.withLock {
            if known.count >= Self.maximumCount { known.removeAll() }
            known[name] = Known(byteCount: byteCount, domain: domain, security: security, location: location)
        }
        return location
    }
}

extension StorageDomain {
    fileprivate var isCustomDirectory: Bool {
        switch self {
        case .fileSystem(.custom), .encryptedFileSystem(.custom), .appGroupFileSystem(_, .custom): true
        default: false
        }
    }

    /// The length of the suite's, service's or group's name.
    fileprivate var nameByteCount: Int {
        switch self {
        case .userDefaults(let name), .keychain(let name): name?.utf8.count ?? 0
        case .appGroupUserDefaults(let name), .appGroupFileSystem(let name, _): name.utf8.count
        case .fileSystem, .encryptedFileSystem: 0
        }
    }
}

extension StorageRouter {
    /// The place that a key declares.
    /// - Throws: ``StorageError/Code/invalidKey`` with everything that is wrong with the declaration.
    nonisolated func location(of key: some StorageKey) throws -> StorageLocation { try locations.location(of: key) }
}
