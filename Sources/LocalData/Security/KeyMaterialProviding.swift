import Foundation

/// Supplies key material that LocalData does not keep itself, such as a key held by a server.
///
/// Register one with ``EncryptionHelper/registerKeyMaterialProvider(_:for:)``.
public protocol KeyMaterialProviding: Sendable {
    /// The key material to use for `keyName`: at least 16 bytes, the same on every call.
    func keyMaterial(for keyName: String) async throws -> Data
}
