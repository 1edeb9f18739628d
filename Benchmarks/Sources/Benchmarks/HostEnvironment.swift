import Foundation
import LocalData

/// LocalData's portable stores in a temporary folder.
enum HostEnvironment {
    static func make(in folder: URL, role: DeviceRole = .host) throws -> StorageEnvironment {
        let root = folder.path
        for name in ["Documents", "Caches", "Support", "tmp", "Preferences", "Groups", "Keychains"] {
            try FileManager.default.createDirectory(atPath: "\(root)/\(name)", withIntermediateDirectories: true)
        }
        return StorageEnvironment(
            fileSystem: PosixFileSystem(
                roots: .init(
                    documents: "\(root)/Documents", caches: "\(root)/Caches", applicationSupport: "\(root)/Support",
                    temporary: "\(root)/tmp", appGroup: { "\(root)/Groups/\($0)" })),
            defaults: FileDefaultsStore(directory: "\(root)/Preferences", standardName: "benchmark"),
            keychain: FileKeychainStore(file: "\(root)/Keychains/keychain.plist"),
            clock: HostClock(), entropy: HostEntropy(), device: HostDevice(role: role))
    }

    struct HostClock: WallClock {
        var now: Date { Date() }
        var uptime: Double? { nil }
    }

    struct HostEntropy: EntropySource {
        func bytes(_ count: Int) throws -> Data {
            var generator = SystemRandomNumberGenerator()
            var data = Data(capacity: count + 8)
            while data.count < count { withUnsafeBytes(of: generator.next() as UInt64) { data.append(contentsOf: $0) } }
            return data.prefix(count)
        }
    }

    struct HostDevice: DeviceDescribing {
        let role: DeviceRole
        let identifier = "benchmark"
        let bundleIdentifier = "benchmark"
        let appVersion = "1.0"
        let deviceInfo = DeviceInfo(model: "benchmark", family: "benchmark")
        let systemInfo = SystemInfo(name: "benchmark", version: "1")
        let lockState = DeviceLockState.unlocked
        let biometryEnrolment = BiometryEnrolment.unknown
        let isAppExtension = false
        let integerBitWidth = Int.bitWidth
        let wasPrewarmed = false
        let bootIdentifier: String? = nil
    }

    /// A keychain in memory, so that sealing is measured and not the development keychain's file.
    final class MemoryKeychain: KeychainStore, @unchecked Sendable {
        private let lock = NSLock()
        private var items: [String: KeychainItem] = [:]
        var ownAccessGroup: String? { nil }

        private func name(_ service: String?, _ account: String?) -> String { "\(service ?? "")/\(account ?? "")" }

        func add(_ item: KeychainItem) -> KeychainStatus {
            lock.withLock {
                guard items[name(item.service, item.account)] == nil else { return .duplicateItem }
                items[name(item.service, item.account)] = item
                return .success
            }
        }

        func copyMatching(_ query: KeychainQuery) -> (status: KeychainStatus, items: [KeychainItem]) {
            lock.withLock {
                if query.account != nil {
                    let found = items[name(query.service, query.account)]
                    return found.map { (.success, [$0]) } ?? (.itemNotFound, [])
                }
                let found = items.values.filter { $0.service == query.service }.sorted { $0.account < $1.account }
                return found.isEmpty ? (.itemNotFound, []) : (.success, found)
            }
        }

        func update(_ query: KeychainQuery, to change: KeychainChange) -> KeychainStatus {
            lock.withLock {
                guard var item = items[name(query.service, query.account)] else { return .itemNotFound }
                if let data = change.data { item.data = data }
                if let generic = change.generic { item.generic = generic }
                items[name(query.service, query.account)] = item
                return .success
            }
        }

        func delete(_ query: KeychainQuery) -> KeychainStatus {
            lock.withLock { items.removeValue(forKey: name(query.service, query.account)) == nil ? .itemNotFound : .success }
        }
    }
}
