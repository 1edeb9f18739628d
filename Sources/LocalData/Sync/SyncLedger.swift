import Foundation

/// The versions of the synced values of one process: read once from where they lie, then kept in memory; each change is one durable write.
///
/// Callers hold the lock of the key concerned, so two changes of one record never meet; the lock in here guards the memory of all of them.
/// - Note: `@unchecked Sendable`: ``state`` is only touched inside ``withState(_:)``.
final class SyncLedger: @unchecked Sendable {
    let environment: StorageEnvironment
    let store: SyncLedgerStore
    /// Whether an extension's note at a key's place tells migrations something, also once the edit has its version: what is marked there as moved away, or cleared,
    /// is no value, but for what was set since.
    let needsNote: @Sendable (any StorageKey) -> Bool

    private let lock = NSLock()
    private let writeLock = NSLock()
    private var state = State()

    /// Each part is a value that changes by transitions of its own; what cannot be together has no place in it.
    struct State {
        /// What is known of each key's versions. Mentioned nowhere: nothing was read.
        private var versions: [String: KeyVersions] = [:]
        var numbering = SyncNumbering()
        /// Whether this process has looked at what an earlier one sent, and taken back what was lost of it.
        var hasLookedBack = false
        var overrides = SyncPolicyMemory()
        var keys = SyncedKeyRegister()

        subscript(name: String) -> KeyVersions {
            get { versions[name] ?? KeyVersions() }
            _modify { yield &versions[name, default: KeyVersions()] }
        }

        /// What is wrong, by key name, or by file for what is of no key.
        var problems: [String: StorageError] {
            var problems = versions.compactMapValues(\.problem)
            problems[SyncLedgerStore.installationFile] = numbering.problem
            problems[SyncLedgerStore.overridesFile] = overrides.problem
            return problems
        }
    }

    init(
        environment: StorageEnvironment, files: FileStorageHelper, needsNote: @escaping @Sendable (any StorageKey) -> Bool = { _ in false }
    ) {
        self.environment = environment
        self.needsNote = needsNote
        store = SyncLedgerStore(environment: environment, files: files)
    }

    func withState<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&state)
    }

    /// Lets one durable write happen after the other. Not to be called from inside of ``withState(_:)``, which is not held meanwhile.
    func writing<Result>(_ body: () throws -> Result) rethrows -> Result {
        writeLock.lock()
        defer { writeLock.unlock() }
        return try body()
    }

    var problems: [String: StorageError] { withState { $0.problems } }

    /// What is wrong with a key's record, or its place.
    func problem(of name: String) -> StorageError? { withState { $0[name].problem } }

    func note(_ error: StorageError?, about name: String) {
        withState { $0[name].note(error) }
    }
}

// MARK: Records

extension SyncLedger {
    /// The record of a key, or `nil` where there is none. A damaged one counts as none: the problem is noted, the next change replaces it.
    /// - Throws: What makes it unreadable for now, and ``StorageError/Code/superseded``.
    func record(of name: String, in domain: StorageDomain) throws -> SyncRecord? {
        let suite = domain.defaultsSuite
        if let known = withState({ $0[name].known(in: suite) }) { return known }
        do {
            let record = try store.record(of: name, in: domain).map { try SyncRecord(encoded: $0, keyName: name) }
            return withState { $0[name].wasRead(record, in: suite) }
        } catch let error as StorageError where error.code == .corrupt {
            return withState {
                $0[name].wasFoundDamaged(error.at(key: name, domain: domain.kind), in: suite)
                return $0[name].known(in: suite) ?? nil
            }
        } catch {
            let problem = Self.storageError(error).at(key: name, domain: domain.kind)
            note(problem, about: name)
            throw problem
        }
    }

    /// Whether a counterpart is known to have the deletion that a key's record tells of. True for a record that this process has not read.
    func isHeld(_ name: String, by epoch: String?) -> Bool {
        guard let record = withState({ $0[name].present }) else { return true }
        return epoch.map(record.holders.contains) ?? false
    }

    /// Forgets what memory knows, so that the next use reads again.
    func reread(_ name: String) {
        withState { $0[name].reread() }
    }

    /// Writes a record durably and then remembers it. `nil` removes it.
    func setRecord(_ record: SyncRecord?, of name: String, in domain: StorageDomain) throws {
        do {
            try store.setRecord(record?.encoded, of: name, in: domain)
            withState { $0[name].wasWritten(record, in: domain.defaultsSuite) }
        } catch {
            takeBack(name, in: domain)
            throw Self.storageError(error).at(key: name, domain: domain.kind)
        }
    }

    /// A file that could not be written durably may be seen all the same, until power is lost: its version would be told to the counterpart, and then given to
    /// another value. So the record before is put back, as far as that works.
    private func takeBack(_ name: String, in domain: StorageDomain) {
        guard domain.defaultsSuite == nil else { return }
        let versions = withState { $0[name] }
        guard versions.problem == nil, let before = versions.known(in: nil) else { return }
        try? store.setRecord(before?.encoded, of: name, in: domain)
    }

    /// Remembers a record that the next durable write of it will carry.
    /// - Parameter isSeen: Whether it says what was seen at the place of a file, be that durable or not.
    func remember(_ record: SyncRecord, of name: String, bySight isSeen: Bool = false) {
        withState { $0[name].remember(record, bySight: isSeen) }
    }

    /// What other errors say may have values in it, or names of what somebody else stored: those are told by their type.
    private static func ownText(of error: any Error) -> String { error is FileSystemError ? "\(error)" : "\(type(of: error))" }

    static func storageError(_ error: any Error) -> StorageError {
        error as? StorageError ?? (error as? DamagedValue)?.reason ?? StorageError(.inputOutput, facts: [ownText(of: error)])
    }
}
