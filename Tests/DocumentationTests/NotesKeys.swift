import Foundation
import LocalData

extension StorageKeys {
    struct ThemeKey: StorageKey {
        typealias Value = String

        let name = "theme"
        let domain: StorageDomain = .userDefaults(suite: nil)
        let security: SecurityPolicy = .none
        let owner = "Settings"
        let description = "The colour theme that the person chose"
        let syncPolicy: SyncPolicy = .automaticSmall
    }
}

extension StorageKeys {
    struct TokenKey: StorageKey {
        typealias Value = String

        let name = "token"
        let domain: StorageDomain = .keychain(service: nil)
        let security: SecurityPolicy = .keychain(
            accessibility: .afterFirstUnlockThisDeviceOnly, accessControl: nil)
        let owner = "Account"
        let description = "What the server gave at sign-in"
    }
}

struct Draft: Codable, Sendable, Equatable {
    var title = ""
    var text: String
}

extension StorageKeys {
    /// As version 1 of the app declared it.
    struct Version1DraftKey: StorageKey {
        typealias Value = String

        let name = "draft"
        let domain: StorageDomain = .userDefaults(suite: nil)
        let security: SecurityPolicy = .none
        let owner = "Editor"
        let description = "The unfinished note, as version 1 kept it"
    }

    struct DraftKey: StorageKey {
        typealias Value = Draft

        let name = "draft"
        let domain: StorageDomain = .fileSystem(directory: .documents)
        let owner = "Editor"
        let description = "The unfinished note"
        let syncPolicy: SyncPolicy = .automaticSmall

        var migration: AnyStorageMigration? {
            AnyStorageMigration(
                TransformingMigration(
                    destinationKey: self, sourceKey: Version1DraftKey()
                ) { text in Draft(text: text) })
        }
    }
}

struct NotesCatalog: StorageKeyCatalog {
    var allKeys: [AnyStorageKey] {
        [
            .key(StorageKeys.ThemeKey()),
            .key(StorageKeys.TokenKey()),
            .key(StorageKeys.DraftKey()),
        ]
    }
}

/// What version 1 of the app had.
struct Version1Catalog: StorageKeyCatalog {
    var allKeys: [AnyStorageKey] { [.key(StorageKeys.Version1DraftKey())] }
}

/// What reads and writes the values, as the app's model would.
enum NotesModel {
    static func choose(_ theme: String) async throws {
        try await StorageRouter.shared.set(theme, for: StorageKeys.ThemeKey())
    }

    static func theme() async throws -> String {
        do {
            return try await StorageRouter.shared.get(StorageKeys.ThemeKey())
        } catch let error as StorageError where error.code == .notFound {
            return "system"
        }
    }

    static func signIn(with token: String) async throws {
        try await StorageRouter.shared.set(token, for: StorageKeys.TokenKey())
    }

    static func followTheme(_ show: @Sendable (String) -> Void) async throws {
        for try await change in StorageRouter.shared.changes(of: StorageKeys.ThemeKey()) {
            show(change.value ?? "system")
        }
    }

    static func followDraft(
        _ show: @Sendable (Draft?) -> Void, unlocks: AsyncStream<Void>
    ) async {
        var unlocks = unlocks.makeAsyncIterator()
        repeat {
            do {
                for try await change in StorageRouter.shared.changes(of: StorageKeys.DraftKey()) {
                    show(change.value)
                }
            } catch {
                // Such as `locked`: again after the unlock.
            }
        } while await unlocks.next() != nil
    }

    static func whatAMigrationWouldDo() async throws -> [String] {
        for try await progress in StorageRouter.shared.migrations() {
            if case .failed(let error) = progress.outcome.result {
                print(progress.outcome.key, error)
            }
        }
        let plan = try await StorageRouter.shared.migrationPlan()
        return plan.map(\.description)
    }

    static func rotate() async throws -> KeyRotationReport {
        let report = try await StorageRouter.shared.rotateKeys()
        _ = try await StorageRouter.shared.retireUnneededKeys()
        return report
    }

    static func audit() async -> [StorageFinding] {
        let report = await StorageRouter.shared.auditReport()
        print(report.text)
        return report.findings ?? []
    }
}

/// Material that a server holds, for values that are to open only while the person is
/// signed in.
struct ServerKeyMaterial: KeyMaterialProviding {
    func keyMaterial(for keyName: String) async throws -> Data {
        try await Server.fetchSecret(named: keyName)
    }
}

extension StorageKeys {
    struct DiaryKey: StorageKey {
        typealias Value = String

        let name = "diary"
        let domain: StorageDomain = .fileSystem(directory: .documents)
        let security: SecurityPolicy = .encrypted(
            .external(source: KeyMaterialSource(id: "server.1"), keyDerivation: .hkdf()))
        let owner = "Editor"
        let description = "The diary, which opens only while the person is signed in"
    }
}

func signedIn() async {
    await EncryptionHelper.shared.registerKeyMaterialProvider(
        ServerKeyMaterial(), for: KeyMaterialSource(id: "server.1"))
}

/// Stands for the network.
enum Server {
    static func fetchSecret(named name: String) async throws -> Data { Data("0123456789abcdef".utf8) }
}
