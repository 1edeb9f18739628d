import Foundation

/// Seals and opens values under the policies of their keys.
public actor EncryptionHelper {
    /// The helper of the current device (see ``StorageRouter/shared``).
    public static var shared: EncryptionHelper { StorageRouter.shared.encryption }

    let environment: StorageEnvironment

    init(environment: StorageEnvironment) {
        self.environment = environment
    }

    /// Registers where the key material of `source` comes from. Call it at launch; a later registration replaces an earlier one.
    public func registerKeyMaterialProvider(_ provider: any KeyMaterialProviding, for source: KeyMaterialSource) {}

    /// Seals `data` in an envelope that opens only as the record `identity`.
    public func encrypt(_ data: Data, policy: SecurityPolicy.EncryptionPolicy, identity: String) async throws -> Data {
        throw StorageError(.unsupported)
    }

    /// Opens an envelope. The algorithm and parameters are read from the envelope; `policy` says what the key asks for today.
    public func decrypt(_ envelope: Data, policy: SecurityPolicy.EncryptionPolicy, identity: String) async throws -> Data {
        throw StorageError(.unsupported)
    }
}
