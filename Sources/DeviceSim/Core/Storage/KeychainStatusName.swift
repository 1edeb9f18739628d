import LocalData

/// The `OSStatus`es that a scenario can name, as Apple's headers do.
public enum KeychainStatusName: String, Sendable, Hashable, CaseIterable {
    /// Statuses of SecItem, by Apple's names.
    case errSecIO, errSecUserCanceled, errSecDiskFull, errSecNotAvailable, errSecAuthFailed, errSecDuplicateItem, errSecItemNotFound,
        /// Further statuses of SecItem, by Apple's names.
        errSecInteractionNotAllowed, errSecDecode, errSecMissingEntitlement

    /// The `OSStatus` of that name.
    public var status: KeychainStatus {
        switch self {
        case .errSecIO: .inputOutput
        case .errSecUserCanceled: .userCanceled
        case .errSecDiskFull: .diskFull
        case .errSecNotAvailable: .notAvailable
        case .errSecAuthFailed: .authFailed
        case .errSecDuplicateItem: .duplicateItem
        case .errSecItemNotFound: .itemNotFound
        case .errSecInteractionNotAllowed: .interactionNotAllowed
        case .errSecDecode: .decode
        case .errSecMissingEntitlement: .missingEntitlement
        }
    }

    /// The name of a status, if it has one.
    public init?(_ status: KeychainStatus) {
        guard let found = Self.allCases.first(where: { $0.status == status }) else { return nil }
        self = found
    }
}
