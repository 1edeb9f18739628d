import Foundation
import Testing

@testable import LocalData

/// A phone and a watch with the same keys, and the air between them.
struct SyncPair {
    let phone: SyncDevice
    let watch: SyncDevice

    init(keys: [AnyStorageKey] = SyncPair.keys, seed: UInt64 = 1) {
        phone = SyncDevice(.phone, keys: keys, seed: seed)
        watch = SyncDevice(.watch, keys: keys, seed: seed)
    }

    static let keys: [AnyStorageKey] = [
        .key(ThemeKey()), .key(NotesKey()), .key(TokenKey()), .key(ManualKey()), .key(PhoneKey()), .key(SealedKey()),
        .key(SealedSettingKey()),
    ]

    var devices: [SyncDevice] { [phone, watch] }

    /// Delivers what is under way to the one device, whose app passes it on to LocalData.
    @discardableResult
    func deliver(to device: SyncDevice) async throws -> SyncReport? {
        let other = device === phone ? watch : phone
        guard let context = other.session.takeUnderWay() else { return nil }
        device.session.receivedApplicationContext = context
        guard let snapshot = try SyncSnapshot(in: context) else { return nil }
        return try await device.run { try await $0.apply(snapshot) }
    }

    /// Delivers until nothing is under way.
    func settle(limit: Int = 12) async throws {
        for _ in 0..<limit {
            let toWatch = try await deliver(to: watch) != nil
            let toPhone = try await deliver(to: phone) != nil
            if !toWatch, !toPhone { return }
        }
        Issue.record("the devices answer each other for ever")
    }

    /// Both apps ask for a sync and everything arrives, twice, so that what one learned reaches the other.
    func heal() async throws {
        for _ in 0..<3 {
            for device in devices {
                try await device.sync()
                try await settle()
            }
        }
    }
}

struct ThemeKey: StorageKey {
    typealias Value = String
    let name = "theme"
    let domain: StorageDomain = .userDefaults(suite: nil)
    let security: SecurityPolicy = .none
    let owner = "Tests"
    let syncPolicy: SyncPolicy = .automaticSmall
}

struct NotesKey: StorageKey {
    typealias Value = String
    let name = "notes"
    let domain: StorageDomain = .fileSystem(directory: .documents)
    let security: SecurityPolicy = .none
    let owner = "Tests"
    let syncPolicy: SyncPolicy = .automaticSmall
}

struct TokenKey: StorageKey {
    typealias Value = String
    let name = "token"
    let domain: StorageDomain = .keychain(service: nil)
    let security: SecurityPolicy = .keychain(accessibility: .whenUnlocked, accessControl: nil)
    let owner = "Tests"
    let availability: PlatformAvailability = .phoneWithWatchSync
    let syncPolicy: SyncPolicy = .automaticSmall
}

struct ManualKey: StorageKey {
    typealias Value = String
    let name = "manual"
    let domain: StorageDomain = .userDefaults(suite: "group")
    let security: SecurityPolicy = .none
    let owner = "Tests"
    let syncPolicy: SyncPolicy = .manual
}

struct PhoneKey: StorageKey {
    typealias Value = String
    let name = "phoneOnly"
    let domain: StorageDomain = .userDefaults(suite: nil)
    let security: SecurityPolicy = .none
    let owner = "Tests"
    let availability: PlatformAvailability = .phoneOnly
    let syncPolicy: SyncPolicy = .automaticSmall
}

struct SealedKey: StorageKey {
    typealias Value = String
    let name = "sealed"
    let domain: StorageDomain = .encryptedFileSystem(directory: .documents)
    let owner = "Tests"
    let syncPolicy: SyncPolicy = .automaticSmall
}

struct SealedSettingKey: StorageKey {
    typealias Value = String
    let name = "sealedSetting"
    let domain: StorageDomain = .userDefaults(suite: nil)
    let owner = "Tests"
    let syncPolicy: SyncPolicy = .automaticSmall
}
