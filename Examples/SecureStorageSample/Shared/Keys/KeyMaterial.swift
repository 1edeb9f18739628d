import Foundation
import LocalData

/// Material that the account's server holds. New material is a new source; values of the old one are read as long as the keys list it.
struct AccountMaterial: KeyMaterialProviding {
    static let first = KeyMaterialSource(id: "account.1")
    static let current = KeyMaterialSource(id: "account.2")

    let source: KeyMaterialSource

    /// An app asks its server here, and keeps the answer in memory only.
    func keyMaterial(for keyName: String) async throws -> Data {
        Data("\(source.id) of the account that is signed in".utf8)
    }
}

/// Material that a person types: it is there until the diary is closed.
actor DiaryPassphrase: KeyMaterialProviding {
    static let source = KeyMaterialSource(id: "diary.passphrase")
    static let shared = DiaryPassphrase()

    private var text: String?

    func open(with passphrase: String) {
        text = passphrase
    }

    /// Also drops the key that was derived from it, which took a while.
    func close() async {
        text = nil
        await EncryptionHelper.shared.forgetDerivedKeys()
    }

    func keyMaterial(for keyName: String) async throws -> Data {
        guard let text else { throw StorageError(.keyMissing, key: keyName, facts: ["the diary is closed"]) }
        return Data(text.utf8)
    }
}
