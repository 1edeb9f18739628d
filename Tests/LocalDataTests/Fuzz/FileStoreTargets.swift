import Foundation
import FuzzSupport

@testable import LocalData

/// The stores of hosts without Apple's, on real files.
enum FileStoreTargets {
    static func all() throws -> [FuzzTarget] {
        let folder = try TemporaryFolder()
        return [
            FuzzTarget(
                "preferences-file", seeds: PropertyListTargets.nodes.map(\.binary) + PropertyListTargets.nodes.map(\.xml),
                words: PropertyListTargets.words, share: 5, make: PropertyListTargets.forged, promises: isCorrupt
            ) { bytes in
                try folder.write(Data(bytes), to: "suite.plist")
                let store = FileDefaultsStore(directory: folder.path, standardName: "suite")
                for key in try store.keys(in: .standard) { _ = try store.value(forKey: key, in: .standard) }
                try store.set(.integer(1), forKey: "new", in: .standard)
                let again = FileDefaultsStore(directory: folder.path, standardName: "suite")
                try FuzzViolation.unless(
                    try again.value(forKey: "new", in: .standard) == .integer(1), "a preference was set and is not there")
            },
            FuzzTarget(
                "keychain-store", seeds: PropertyListTargets.keychains.map(\.binary), words: PropertyListTargets.words, share: 5,
                make: { random in random.element(of: PropertyListTargets.keychains).mutated(&random).binary }, promises: { $0 is NotRead }
            ) { bytes in
                try folder.write(Data(bytes), to: "keychain.plist")
                let store = FileKeychainStore(file: folder("keychain.plist"))
                let (status, items) = store.copyMatching(KeychainQuery(matchesAll: true))
                guard status != .decode else {
                    let before = try folder.read("keychain.plist")
                    let added = store.add(KeychainItem(service: "n", account: "n", data: Data()))
                    try FuzzViolation.unless(added == .decode, "a damaged keychain took an item")
                    try FuzzViolation.unless(try folder.read("keychain.plist") == before, "a damaged keychain was written over")
                    throw NotRead()
                }
                try FuzzViolation.unless(
                    status == (items.isEmpty ? .itemNotFound : .success), "status \(status.rawValue) of \(items.count) items")
                // More than one item of a primary key, as only a forged file has, is still all there.
                let added = store.add(KeychainItem(service: "com.example.fuzz", account: "n", data: Data([1])))
                try FuzzViolation.unless(added == .success || added == .duplicateItem, "status \(added.rawValue) of adding")
                let count = store.copyMatching(KeychainQuery(matchesAll: true)).items.count
                try FuzzViolation.unless(count == items.count + (added == .success ? 1 : 0), "items were lost")
            },
        ]
    }

    @Sendable private static func isCorrupt(_ error: any Error) -> Bool {
        (error as? StorageError).map { [.corrupt, .encodingFailed].contains($0.code) } ?? false
    }
}
