import Foundation

@testable import LocalData

/// What the encryption of a device needs, in memory: a keychain that can be scripted, entropy that counts, a lock.
struct SecurityTestEnvironment {
    let keychain = SecurityTestKeychain()
    let entropy = SecurityTestEntropy()
    let device = SecurityTestDevice()

    var environment: StorageEnvironment {
        StorageEnvironment(
            fileSystem: SecurityTestNothing(), defaults: SecurityTestNothing(), keychain: keychain, clock: SecurityTestNothing(),
            entropy: entropy, device: device)
    }

    var helper: EncryptionHelper { EncryptionHelper(environment: environment) }
    var ring: MasterKeyRing { MasterKeyRing(environment: environment) }
}

/// Bytes 0, 1, 2, … so that what is drawn can be told apart and pinned.
final class SecurityTestEntropy: EntropySource, @unchecked Sendable {
    private let lock = NSLock()
    private var next: UInt8 = 0
    private var isFailing = false

    func bytes(_ count: Int) throws -> Data {
        try lock.withLock {
            if isFailing { throw StorageError(.inputOutput) }
            return Data(
                (0..<count).map { _ in
                    defer { next &+= 1 }
                    return next
                })
        }
    }

    func fail() { lock.withLock { isFailing = true } }
    /// As if so many bytes had been drawn.
    func skip(_ count: UInt8) { lock.withLock { next &+= count } }
}

final class SecurityTestDevice: DeviceDescribing, @unchecked Sendable {
    private let lock = NSLock()
    private var state = DeviceLockState.unlocked

    var lockState: DeviceLockState {
        get { lock.withLock { state } }
        set { lock.withLock { state = newValue } }
    }
    let role = DeviceRole.phone
    let identifier = "device"
    let bundleIdentifier = "com.example.app"
    let appVersion = "1.0"
    let deviceInfo = DeviceInfo(model: "Model", family: "Family")
    let systemInfo = SystemInfo(name: "System", version: "1")
    let biometryEnrolment = BiometryEnrolment.unknown
    let isAppExtension = false
    let integerBitWidth = Int.bitWidth
    let wasPrewarmed = false
    let bootIdentifier: String? = nil
}

/// A keychain in memory, with SecItem's statuses; single answers can be replaced.
final class SecurityTestKeychain: KeychainStore, @unchecked Sendable {
    private let lock = NSRecursiveLock()
    private var items: [String: KeychainItem] = [:]
    private var failure: KeychainStatus?
    private var beforeAdd: ((KeychainItem) -> Void)?
    private var writeCount = 0

    /// Every call answers with this status, until it is `nil` again.
    func failAll(with status: KeychainStatus?) { lock.withLock { failure = status } }
    /// Runs before the next item is added, as another process would get in between.
    func beforeNextAdd(_ body: @escaping (KeychainItem) -> Void) { lock.withLock { beforeAdd = body } }
    var accounts: [String] { lock.withLock { items.values.map(\.account).sorted() } }
    var writes: Int { lock.withLock { writeCount } }
    func item(_ account: String) -> KeychainItem? { lock.withLock { items[account] } }
    func put(_ account: String, _ data: Data) {
        lock.withLock { items[account] = KeychainItem(service: MasterKeyRing.service, account: account, data: data) }
    }
    func take(_ account: String) { lock.withLock { items[account] = nil } }

    func add(_ item: KeychainItem) -> KeychainStatus {
        lock.withLock {
            if let failure { return failure }
            if let body = beforeAdd {
                beforeAdd = nil
                body(item)
            }
            guard items[item.account] == nil else { return .duplicateItem }
            items[item.account] = item
            writeCount += 1
            return .success
        }
    }

    func copyMatching(_ query: KeychainQuery) -> (status: KeychainStatus, items: [KeychainItem]) {
        lock.withLock {
            if let failure { return (failure, []) }
            let found = items.values.filter { query.account == nil || $0.account == query.account }.sorted { $0.account < $1.account }
            return found.isEmpty ? (.itemNotFound, []) : (.success, found)
        }
    }

    func update(_ query: KeychainQuery, to change: KeychainChange) -> KeychainStatus {
        lock.withLock {
            if let failure { return failure }
            guard let account = query.account, var item = items[account] else { return .itemNotFound }
            if let data = change.data { item.data = data }
            if let generic = change.generic { item.generic = generic }
            items[account] = item
            writeCount += 1
            return .success
        }
    }

    func delete(_ query: KeychainQuery) -> KeychainStatus { .itemNotFound }

    let ownAccessGroup: String? = nil
}

/// The parts of an environment that encryption must not touch.
private struct SecurityTestNothing: FileSystem, DefaultsStore, WallClock {
    private var refusal: StorageError { StorageError(.unsupported) }

    var now: Date { Date(timeIntervalSinceReferenceDate: 0) }
    var uptime: Double? { nil }
    func path(of directory: ContainerDirectory) throws -> String { throw refusal }
    func createFile(at path: String, protection: FileProtection) throws -> any WritableFile { throw refusal }
    func contents(of path: String) throws -> Data { throw refusal }
    func rename(_ source: String, to destination: String) throws { throw refusal }
    func rename(_ source: String, toNew destination: String) throws { throw refusal }
    func contents(of path: String, upTo count: Int) throws -> Data { throw refusal }
    func extendedAttribute(_ name: String, of path: String) throws -> Data? { throw refusal }
    func removeFile(at path: String) throws { throw refusal }
    func synchronizeDirectory(at path: String) throws { throw refusal }
    func createDirectory(at path: String) throws { throw refusal }
    func list(_ path: String) throws -> [String] { throw refusal }
    func attributes(of path: String) throws -> FileAttributes? { throw refusal }
    func canonicalDirectory(at path: String) throws -> CanonicalDirectory { throw refusal }
    func setExcludedFromBackup(_ excluded: Bool, at path: String) throws { throw refusal }
    func isReadable(_ suite: DefaultsSuite) -> Bool { false }
    func value(forKey key: String, in suite: DefaultsSuite) throws -> PropertyListValue? { throw refusal }
    func set(_ value: PropertyListValue?, forKey key: String, in suite: DefaultsSuite) throws { throw refusal }
    func keys(in suite: DefaultsSuite) throws -> [String] { throw refusal }
    func synchronize(_ suite: DefaultsSuite) throws { throw refusal }
}
