import Foundation

/// The versions of the synced values of one process: read once from where they lie, then kept in memory; each change is one durable write.
///
/// Callers hold the lock of the key concerned, so two changes of one record never meet; the lock in here guards the memory of all of them.
/// - Note: `@unchecked Sendable`: ``state`` is only touched inside ``withState(_:)``.
final class SyncLedger: @unchecked Sendable {
    let environment: StorageEnvironment
    let store: SyncLedgerStore

    private let lock = NSLock()
    private var state = State()

    struct State {
        /// `.some(nil)`: read, and there is none.
        var records: [String: SyncRecord?] = [:]
        var installation: SyncInstallation?
        /// The next sequence number; below ``SyncInstallation/reservedSequence`` it may be used without a write.
        var nextSequence: UInt64?
        /// ``SyncInstallation/mark`` as it was when this process began to edit.
        var mark: UInt64?
        /// The keys that were edited in this process: of these memory knows every version.
        var counted: Set<String> = []
        /// The keys whose record this process has from the counterpart: these are not inherited from a backup.
        var heard: Set<String> = []
        /// The keys without a record that this process changed without being able to say so, and the revision that was there before.
        var unrecorded: [String: Data?] = [:]
        /// The latest versions that this process has seen and could not take, by key.
        var seen: [String: SyncStamp] = [:]
        /// A failure where the list is damaged or of a newer format.
        var overrides: Result<SyncPolicyChoices, StorageError>?
        /// The synced keys that this process knows of.
        var keys: [String: any StorageKey] = [:] {
            didSet { sortedKeys = nil }
        }
        /// ``keys`` by name; `nil` until somebody asks.
        var sortedKeys: [any StorageKey]?
        /// The physical place that each name was first used at.
        var places: [String: String] = [:]
        /// The stamps of smaller forms that are about to be stored.
        var reducedStamps: [String: SyncStamp] = [:]
        /// What is wrong with the ledger, by key name, or by file for what is of no key.
        var problems: [String: StorageError] = [:]
    }

    init(environment: StorageEnvironment, files: FileStorageHelper) {
        self.environment = environment
        store = SyncLedgerStore(environment: environment, files: files)
    }

    func withState<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&state)
    }

    var problems: [String: StorageError] { withState { $0.problems } }

    func note(_ error: StorageError?, about name: String) {
        withState { $0.problems[name] = error }
    }
}

// MARK: Records

extension SyncLedger {
    /// The record of a key, or `nil` where there is none. A damaged one counts as none: the problem is noted, the next change replaces it.
    /// - Throws: What makes it unreadable for now, and ``StorageError/Code/superseded``.
    func record(of name: String, in domain: StorageDomain) throws -> SyncRecord? {
        if let known = withState({ $0.records[name] }) { return known }
        do {
            let record = try store.record(of: name, in: domain).map { try SyncRecord(encoded: $0, keyName: name) }
            withState { state in
                state.records[name] = .some(record)
                state.problems[name] = nil
            }
            return record
        } catch let error as StorageError where error.code == .corrupt {
            withState { state in
                state.records[name] = .some(nil)
                state.problems[name] = error.at(key: name, domain: domain.kind)
            }
            return nil
        } catch {
            let problem = Self.storageError(error).at(key: name, domain: domain.kind, operation: "sync")
            note(problem, about: name)
            throw problem
        }
    }

    /// Whether a counterpart is known to have the deletion that a key's record tells of. True for a record that this process has not read.
    func isHeld(_ name: String, by epoch: String?) -> Bool {
        guard let record = withState({ $0.records[name] ?? nil }) else { return true }
        return epoch.map(record.holders.contains) ?? false
    }

    /// Forgets what memory knows, so that the next use reads again.
    func reread(_ name: String) {
        withState { $0.records[name] = nil as SyncRecord?? }
    }

    /// Writes a record durably and then remembers it. `nil` removes it.
    func setRecord(_ record: SyncRecord?, of name: String, in domain: StorageDomain) throws {
        do {
            try store.setRecord(record?.encoded, of: name, in: domain)
            withState { state in
                state.unrecorded[name] = nil
                state.records[name] = .some(record)
                state.problems[name] = nil
            }
        } catch {
            throw Self.storageError(error).at(key: name, domain: domain.kind, operation: "sync")
        }
    }

    /// Remembers a record that the next durable write of it will carry.
    func remember(_ record: SyncRecord, of name: String) {
        withState { $0.records[name] = .some(record) }
    }

    static func storageError(_ error: any Error) -> StorageError {
        error as? StorageError ?? (error as? DamagedValue)?.reason ?? StorageError(.inputOutput, facts: ["\(error)"])
    }
}
