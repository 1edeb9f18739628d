import Foundation

/// What one process knows of the versions of one synced key. Pure: the ledger reads and writes, and says what came of it.
struct KeyVersions: Sendable {
    /// The key's record, as far as it was read.
    private(set) var record = Knowledge.unread(nil)
    /// The suite that keeps the record; `nil` for a file. A name whose value moves may have one in each.
    private var suite: DefaultsSuite?
    /// Whether this process has recorded a version of the counterpart: such a record is not inherited from a backup.
    private(set) var isHeard = false
    /// Whether the key was edited in this process: then memory knows every version, also what a power loss would take.
    private(set) var isCounted = false
    /// Whether this process removed the value, found neither one nor a version of one, and has changed nothing since. What came from the counterpart since does not
    /// end it: an earlier value that this device lost is removed all the same.
    private(set) var isRemovedUnseen = false
    /// Whether the record says of a file what was seen at its place, and nobody knows whether that is durable. What is on the disk tells of both versions.
    private(set) var isConfirmedBySight = false
    /// The latest version that this process has seen and could not take.
    private(set) var seen: SyncStamp?
    /// The version that is about to be stored, if that is a smaller form.
    private(set) var expectedReduced: SyncStamp?
    /// Whether what lies at the place of a sealed key is plain, though nothing of the key's says so; `nil` where nobody has looked yet.
    private(set) var isUndeclaredPlain: Bool?
    /// What is wrong with the record, or with the key's place.
    private(set) var problem: StorageError?

    enum Knowledge: Sendable, Hashable {
        /// Not read in this process, or to be read again.
        case unread(Unversioned?)
        /// There is none, or a damaged one.
        case none(Unversioned?)
        /// There is one, which tells of every change.
        case present(SyncRecord)
    }

    /// A change that this process made without being able to record it.
    struct Unversioned: Sendable, Hashable {
        /// The revision of what was there before; `nil`: nothing was.
        let replaced: Data?
    }

    // MARK: What is known

    /// `.some(nil)`: read, and there is none.
    /// - Parameter suite: The one that keeps the record which is asked for.
    func known(in suite: DefaultsSuite?) -> SyncRecord?? { suite == self.suite ? known : nil }

    private var known: SyncRecord?? {
        switch record {
        case .unread: nil
        case .none: .some(nil)
        case .present(let record): .some(record)
        }
    }

    /// The record, if there is one in memory.
    var present: SyncRecord? { known ?? nil }

    /// The change that no record tells of, if there is one.
    var unversioned: Unversioned? {
        switch record {
        case .unread(let change), .none(let change): change
        case .present: nil
        }
    }

    // MARK: What happens

    /// The record was read; `nil`: there is none.
    /// - Returns: What is known then: what was written while it was read is later.
    @discardableResult
    mutating func wasRead(_ found: SyncRecord?, in suite: DefaultsSuite?) -> SyncRecord? {
        if let known = known(in: suite) { return known }
        self.suite = suite
        record = found.map { .present($0) } ?? .none(unversioned)
        problem = nil
        isConfirmedBySight = false
        return found
    }

    /// A damaged record counts as none.
    mutating func wasFoundDamaged(_ error: StorageError, in suite: DefaultsSuite?) {
        guard known(in: suite) == nil else { return }
        self.suite = suite
        record = .none(unversioned)
        problem = error
    }

    /// The record was written durably; `nil`: it was removed.
    mutating func wasWritten(_ written: SyncRecord?, in suite: DefaultsSuite?) {
        self.suite = suite
        record = written.map { .present($0) } ?? .none(nil)
        problem = nil
        isConfirmedBySight = false
    }

    /// The record is another one by now, which the next durable write carries.
    mutating func remember(_ changed: SyncRecord, bySight isSeen: Bool = false) {
        record = .present(changed)
        isConfirmedBySight = isSeen
    }

    /// The next use reads the record again. What no record tells of is known all the same.
    mutating func reread() {
        record = .unread(unversioned)
        isConfirmedBySight = false
    }

    /// The value was changed, and no record could tell of it. One that is there tells of it by what it does not know.
    mutating func changedUnversioned(replacing revision: Data?) {
        isRemovedUnseen = false
        switch record {
        case .unread: record = .unread(Unversioned(replaced: revision))
        case .none: record = .none(Unversioned(replaced: revision))
        case .present: break
        }
    }

    mutating func note(_ error: StorageError?) { problem = error }
    mutating func hear() { isHeard = true }
    mutating func count() { isCounted = true }
    mutating func removeUnseen() { isRemovedUnseen = true }
    mutating func changeHere() { isRemovedUnseen = false }
    mutating func find(undeclaredPlain isPlain: Bool) { isUndeclaredPlain = isPlain }

    /// The key's own value is there now, or none.
    /// - Returns: Whether it took the place of a plain one.
    mutating func replaceUndeclaredPlain() -> Bool {
        defer { isUndeclaredPlain = isUndeclaredPlain.map { _ in false } }
        return isUndeclaredPlain ?? false
    }
    mutating func see(_ stamp: SyncStamp) { seen = seen.map { max($0, stamp) } ?? stamp }

    /// - Parameter stamp: `nil` where the whole value is to be stored.
    mutating func expectReduced(_ stamp: SyncStamp?) { expectedReduced = stamp }
}
