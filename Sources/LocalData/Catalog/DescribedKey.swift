import Foundation

/// Stands in for a key that a catalog only describes: all that is known of it without its type.
struct DescribedKey: StorageKey {
    typealias Value = Data

    let name: String
    private let listed: StorageKeyDescriptor

    /// - Parameter name: Of a description of names that are made at run time one of them; `nil`: the description's own.
    init(_ listed: StorageKeyDescriptor, name: String? = nil) {
        self.name = name ?? listed.name
        self.listed = listed
    }

    var domain: StorageDomain { listed.domain }
    var security: SecurityPolicy { listed.security }
    var formerSecurity: [SecurityPolicy] { listed.formerSecurity }
    var owner: String { listed.owner }
    var description: String { listed.description }
    var availability: PlatformAvailability { listed.availability }
    var syncPolicy: SyncPolicy { listed.syncPolicy }
    var accessGroup: String? { listed.accessGroup }
}
