import Foundation

/// Preferences whose absences can be believed.
///
/// A process that began before the first unlock has empty preferences for as long as it lives, and nothing says so. One whose code runs from the start
/// finds the device locked when it first looks (``DefaultsStore/isReadable(_:)``). A prewarmed one looks later, when somebody opens the app: then a suite
/// is believed only on evidence, which is either
///
/// - LocalData's witness in the suite itself, an entry that ``leaveWitness(in:)`` put there: so the suite is not an empty one; or
/// - a file that says that an earlier process saw the device unlocked since it was switched on: then this process began after that. The file is in the
///   app's own container, where one process runs at a time.
///
/// Without either the suite counts as locked, which may be wrong, and lasts until the app is launched again: the file is left for that.
/// - Note: `@unchecked Sendable`: the state is only touched under the lock.
final class BelievableDefaults: DefaultsStore, @unchecked Sendable {
    /// A stored format, as is the entry's value `1`.
    static let witness = "com.localdata.witness"
    static let unlockFile = "Process/unlocked.json"

    private let base: any DefaultsStore
    private let device: any DeviceDescribing
    private let files: FileStorageHelper
    private let lock = NSLock()
    private var believed: Set<DefaultsSuite> = []
    private var hasLooked = false
    private var beganAfterUnlock = false

    init(_ base: any DefaultsStore, on device: any DeviceDescribing, files: FileStorageHelper) {
        self.base = base
        self.device = device
        self.files = files
    }

    func isReadable(_ suite: DefaultsSuite) -> Bool {
        guard base.isReadable(suite) else { return false }
        guard device.wasPrewarmed else { return true }
        return lock.withLock {
            if believed.contains(suite) { return true }
            guard hasWitness(suite) || isKnownToHaveBegunAfterUnlock() else { return false }
            believed.insert(suite)
            return true
        }
    }

    private func hasWitness(_ suite: DefaultsSuite) -> Bool {
        if case .some(.some) = try? base.value(forKey: Self.witness, in: suite) { true } else { false }
    }

    /// Looked up once in a process.
    private func isKnownToHaveBegunAfterUnlock() -> Bool {
        if hasLooked { return beganAfterUnlock }
        guard let boot = device.bootIdentifier, device.lockState != .beforeFirstUnlock else { return false }
        do {
            let data = try files.readInternal(name: Self.unlockFile)
            let isNoted = data.flatMap { try? Coders.jsonDecoder.decode(SeenUnlock.self, from: $0) } == SeenUnlock(boot: boot)
            // What has to be noted the first use notes that is more than a look.
            guard isNoted || !ReadOnly.isOn else { return false }
            hasLooked = true
            beganAfterUnlock = isNoted
            if !beganAfterUnlock { try files.writeInternal(Coders.jsonEncoder.encode(SeenUnlock(boot: boot)), name: Self.unlockFile) }
        } catch {
            // Refused all the same, and looked for again.
        }
        return beganAfterUnlock
    }

    /// Leaves the witness in a suite that this process can believe, where there is none yet.
    func leaveWitness(in suite: DefaultsSuite) {
        guard device.bootIdentifier != nil, isReadable(suite), !hasWitness(suite) else { return }
        // A suite without it is doubted once, after a prewarming; no reason to fail.
        try? base.set(.integer(1), forKey: Self.witness, in: suite)
    }

    func value(forKey key: String, in suite: DefaultsSuite) throws -> PropertyListValue? { try base.value(forKey: key, in: suite) }
    func set(_ value: PropertyListValue?, forKey key: String, in suite: DefaultsSuite) throws {
        try base.set(value, forKey: key, in: suite)
    }
    func keys(in suite: DefaultsSuite) throws -> [String] { try base.keys(in: suite) }
    func byteCount(of suite: DefaultsSuite, without key: String) throws -> Int { try base.byteCount(of: suite, without: key) }
    func synchronize(_ suite: DefaultsSuite) throws { try base.synchronize(suite) }
}

/// What a process leaves for later ones of the same boot.
struct SeenUnlock: Codable, Sendable, Hashable {
    var version = 1
    /// ``DeviceDescribing/bootIdentifier``
    let boot: String
}

/// A keychain whose absences can be believed.
///
/// Before the first unlock prewarmed apps were seen to be told that items which exist are not there (−25300), instead of being refused (−25308). Whatever
/// is concluded from such an answer loses data: a key minted anew, a value discarded or migrated over, a deletion announced. So until the device was
/// unlocked "not found" is a refusal. The state is looked at *before* the call: an unlock between the two would make an earlier answer look believable.
///
/// The keychain has no memory of when a process began, so nothing has to be done after the unlock.
struct BelievableKeychain: KeychainStore {
    let base: any KeychainStore
    let device: any DeviceDescribing
    private let unlock = UnlockWitness()

    init(_ base: any KeychainStore, on device: any DeviceDescribing) {
        self.base = base
        self.device = device
    }

    /// The environment's keychain, made believable if it is not yet.
    static func around(_ environment: StorageEnvironment) -> BelievableKeychain {
        environment.keychain as? BelievableKeychain ?? BelievableKeychain(environment.keychain, on: environment.device)
    }

    func add(_ item: KeychainItem) -> KeychainStatus { base.add(item) }

    func copyMatching(_ query: KeychainQuery) -> (status: KeychainStatus, items: [KeychainItem]) {
        believable({ base.copyMatching(query) }, status: \.status, refusal: (.interactionNotAllowed, []))
    }

    func update(_ query: KeychainQuery, to change: KeychainChange) -> KeychainStatus {
        believable({ base.update(query, to: change) }, status: \.self, refusal: .interactionNotAllowed)
    }

    func delete(_ query: KeychainQuery) -> KeychainStatus {
        believable({ base.delete(query) }, status: \.self, refusal: .interactionNotAllowed)
    }

    var ownAccessGroup: String? { base.ownAccessGroup }

    private func believable<Answer>(_ call: () -> Answer, status: (Answer) -> KeychainStatus, refusal: Answer) -> Answer {
        let isBelievable = unlock.isSeen(on: device)
        let answer = call()
        return status(answer) == .itemNotFound && !isBelievable ? refusal : answer
    }
}

/// Whether this process has seen the device after its first unlock. No process outlives a restart, so once is for ever.
/// - Note: `@unchecked Sendable`: the state is only touched under the lock.
final class UnlockWitness: @unchecked Sendable {
    private let lock = NSLock()
    private var seen = false

    /// Looks, unless it has been seen already.
    func isSeen(on device: any DeviceDescribing) -> Bool {
        if lock.withLock({ seen }) { return true }
        guard device.lockState != .beforeFirstUnlock else { return false }
        lock.withLock { seen = true }
        return true
    }
}

/// Tells this process from earlier ones. Drawn when it is needed.
/// - Note: `@unchecked Sendable`: the state is only touched under the lock.
final class ProcessName: @unchecked Sendable {
    private let lock = NSLock()
    private var name: String?

    /// `nil` where none was drawn yet: then nothing is named so.
    var text: String? { lock.withLock { name } }

    func drawn(from entropy: any EntropySource) throws -> String {
        if let text { return text }
        let drawn = try entropy.bytes(8).hexadecimal
        return lock.withLock {
            name = name ?? drawn
            return name ?? drawn
        }
    }
}
