import Foundation
import LocalData

struct Journal: Codable, Sendable, Equatable {
    var entries: [String] = []
}

struct Expense: Codable, Sendable, Equatable {
    var cents: Int
    var purpose: String
}

extension StorageKeys {
    /// A sealed file in the app's documents that syncs. Its form is the second one: an app of version 1 must not overwrite it with its own.
    struct JournalKey: StorageKey {
        typealias Value = Journal

        let name = "journal"
        let domain: StorageDomain = .fileSystem(directory: .documents)
        let owner = "Journal"
        let description = "What the person wrote"
        let syncPolicy: SyncPolicy = .automaticSmall
        let schemaVersion = 2

        var migration: AnyStorageMigration? {
            AnyStorageMigration(
                TransformingMigration(destinationKey: self, sourceKey: Version1.NotesKey()) { text in
                    Journal(entries: text.split(separator: "\n").map(String.init))
                })
        }
    }

    /// A file under complete protection: out of reach while the device is locked. One for each entry, under a name that is made at run time.
    struct DraftKey: StorageKey {
        typealias Value = String

        let id: String

        var name: String { "draft_\(id)" }
        let domain: StorageDomain = .encryptedFileSystem(directory: .documents)
        let security: SecurityPolicy = .recommended
        let owner = "Journal"
        let description = "An entry that is not finished"
    }

    /// Bytes as they are, sealed with AES.
    struct ScanKey: StorageKey {
        typealias Value = Data

        let name = "scan.jpg"
        let domain: StorageDomain = .encryptedFileSystem(directory: .documents)
        let security: SecurityPolicy = .encrypted(.aes256(keyDerivation: .hkdf(info: Data("scan".utf8))))
        let serializer: Serializer<Data> = .data
        let owner = "Documents"
        let description = "A scan of the passport"
        let availability: PlatformAvailability = .phoneOnly
    }

    /// What can be made again lies in the caches, plain.
    struct PreviewKey: StorageKey {
        typealias Value = Data

        let name = "preview.jpg"
        let domain: StorageDomain = .fileSystem(directory: .caches)
        let security: SecurityPolicy = .none
        let serializer: Serializer<Data> = .data
        let owner = "Documents"
        let description = "A small form of the portrait, made again when it is gone"
    }

    /// The watch gets a smaller form of it, and the phone keeps the whole.
    struct PortraitKey: WatchRepresentable {
        typealias Value = Data

        static let watchByteCount = 64

        let name = "portrait.jpg"
        let domain: StorageDomain = .fileSystem(directory: .documents)
        let serializer: Serializer<Data> = .data
        let owner = "Documents"
        let description = "The person's picture"
        let availability: PlatformAvailability = .phoneWithWatchSync
        let syncPolicy: SyncPolicy = .automaticSmall

        /// An app scales the picture down here.
        func watchRepresentation(of value: Data) throws -> Data { value.prefix(Self.watchByteCount) }
    }

    /// Version 1 stored it plain, at the same place and in the same form of the app's own. It is sealed by the next write, or by `resealValues()`.
    struct ExpensesKey: StorageKey {
        typealias Value = [Expense]

        let name = "expenses.csv"
        let domain: StorageDomain = .fileSystem(directory: .documents)
        let security: SecurityPolicy = .encrypted(.chacha20Poly1305(keyDerivation: .hkdf()))
        let formerSecurity: [SecurityPolicy] = [.none]
        let serializer: Serializer<[Expense]> = .expenses
        let owner = "Expenses"
        let description = "What the person spent"
        let availability: PlatformAvailability = .phoneOnly
    }

    /// In a file of the App Group. The widget opens it, since the master key lies in the
    /// group's keychain.
    struct ShoppingKey: StorageKey {
        typealias Value = [String]

        let name = "shopping"
        let domain: StorageDomain = .appGroupFileSystem(
            identifier: sampleGroup, directory: .documents)
        let owner = "Widget"
        let description = "What is to be bought"
        let accessGroup: String? = sampleGroup
        let syncPolicy: SyncPolicy = .automaticSmall
    }

    /// In a directory of the app's choice. An export can be made again, so one whose key did not come along is thrown away.
    struct ExportKey: StorageKey {
        typealias Value = String

        let name = "export.txt"
        var domain: StorageDomain { .fileSystem(directory: .custom(URL.applicationSupportDirectory.appendingPathComponent("Exports"))) }
        let owner = "Journal"
        let description = "The journal as one text, for the person to take away"
        let availability: PlatformAvailability = .phoneOnly
        let missingKeyPolicy: MissingKeyPolicy = .discard
    }

    /// Opens with a passphrase only. Such a key is derived slowly, so that guessing takes long.
    struct DiaryKey: StorageKey {
        typealias Value = String

        let name = "diary"
        let domain: StorageDomain = .fileSystem(directory: .documents)
        let security: SecurityPolicy = .encrypted(.external(source: DiaryPassphrase.source, keyDerivation: .pbkdf2()))
        let owner = "Diary"
        let description = "What nobody else shall read"
        let availability: PlatformAvailability = .phoneOnly
    }

    /// Sealed with the server's material, which has changed since version 1: both are read, and the next write takes the new one.
    struct TeamNoteKey: StorageKey {
        typealias Value = String

        let name = "team.note"
        let domain: StorageDomain = .fileSystem(directory: .documents)
        let security: SecurityPolicy = .encrypted(
            .external(source: AccountMaterial.current, keyDerivation: .hkdf()))
        let formerSecurity: [SecurityPolicy] = [
            .encrypted(.external(source: AccountMaterial.first, keyDerivation: .hkdf()))
        ]
        let owner = "Account"
        let description = "A note that the team shares"
        let availability: PlatformAvailability = .phoneOnly
    }
}

extension Serializer where Value == [Expense] {
    /// A line for each expense, such as `1250;lunch`: what version 1 wrote before it had a form of Swift's.
    static var expenses: Serializer<[Expense]> {
        .custom(name: "csv") { expenses in
            Data(expenses.map { "\($0.cents);\($0.purpose)" }.joined(separator: "\n").utf8)
        } decode: { data in
            try String(decoding: data, as: UTF8.self).split(separator: "\n").map { line in
                let parts = line.split(separator: ";", maxSplits: 1)
                guard parts.count == 2, let cents = Int(parts[0]) else { throw CocoaError(.coderInvalidValue) }
                return Expense(cents: cents, purpose: String(parts[1]))
            }
        }
    }
}
