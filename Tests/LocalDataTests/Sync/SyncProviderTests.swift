import Foundation
import Testing

@testable import LocalData

/// Synced values that are sealed with what a person types.
@Suite struct SyncProviderTests {
    struct PassphraseKey: StorageKey {
        typealias Value = String
        static let source = KeyMaterialSource(id: "passphrase")

        let name = "diary"
        let domain: StorageDomain = .encryptedFileSystem(directory: .documents)
        let security: SecurityPolicy = .encrypted(.external(source: source, keyDerivation: .hkdf()))
        let owner = "Tests"
        let syncPolicy: SyncPolicy = .automaticSmall
    }

    /// A mistyped passphrase does not make a value damage, which any older one would replace.
    @Test(arguments: [false, true]) func aMistypedPassphraseLosesNothing(isRemovedThere: Bool) async throws {
        let pair = SyncPair(keys: [.key(PassphraseKey())])
        for device in pair.devices { await type(1, on: device) }
        try await pair.phone.set("both", for: PassphraseKey())
        try await pair.heal()
        if isRemovedThere {
            try await pair.watch.remove(PassphraseKey())
            _ = pair.watch.session.takeUnderWay()
        }
        for edit in ["newer", "newest"] { try await pair.phone.set(edit, for: PassphraseKey()) }
        _ = pair.phone.session.takeUnderWay()

        pair.phone.relaunch()
        await type(2, on: pair.phone)
        try await pair.watch.run { try await $0.syncNow() }
        try await pair.heal()
        await #expect(throws: StorageError.self) { try await pair.phone.value(PassphraseKey()) }

        pair.phone.relaunch()
        await type(1, on: pair.phone)
        try await pair.heal()
        for device in pair.devices { #expect(try await device.value(PassphraseKey()) == "newest") }
    }

    /// What the counterpart set later is taken all the same: the version is known.
    @Test func aLaterVersionReplacesWhatDoesNotOpen() async throws {
        let pair = SyncPair(keys: [.key(PassphraseKey())])
        for device in pair.devices { await type(1, on: device) }
        try await pair.phone.set("both", for: PassphraseKey())
        try await pair.heal()
        pair.phone.relaunch()
        await type(2, on: pair.phone)
        try await pair.watch.set("later", for: PassphraseKey())
        try await pair.heal()
        #expect(try await pair.phone.value(PassphraseKey()) == "later")
    }

    private func type(_ byte: UInt8, on device: SyncDevice) async {
        await device.router.encryption.registerKeyMaterialProvider(FixedMaterial(byte: byte), for: PassphraseKey.source)
    }
}
