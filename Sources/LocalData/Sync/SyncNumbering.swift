/// What this process knows of its installation, and which numbers it has used. Pure: the ledger reads and writes.
struct SyncNumbering: Sendable {
    private(set) var state = State.unread
    /// Why the installation cannot be read for now, or that a damaged one was replaced.
    private(set) var problem: StorageError?

    enum State: Sendable, Hashable {
        case unread
        case known(Numbers)
    }

    struct Numbers: Sendable, Hashable {
        var installation: SyncInstallation
        /// The next sequence number, where some are left that a write has reserved.
        var next: UInt64?
        /// ``SyncInstallation/mark`` as it was when this process began to edit.
        var mark: UInt64?
    }

    var installation: SyncInstallation? {
        if case .known(let numbers) = state { numbers.installation } else { nil }
    }

    /// The number of the next snapshot, if one is left.
    var next: UInt64? {
        if case .known(let numbers) = state { numbers.next } else { nil }
    }

    /// - Returns: What is known: another task may have read it first.
    mutating func wasRead(_ stored: SyncInstallation) -> SyncInstallation {
        problem = nil
        if let installation { return installation }
        state = .known(Numbers(installation: stored))
        return stored
    }

    mutating func wasFoundDamaged(_ error: StorageError) { problem = error }

    /// The installation was written durably.
    mutating func wasWritten(_ written: SyncInstallation) {
        guard case .known(var numbers) = state else {
            state = .known(Numbers(installation: written))
            return
        }
        numbers.installation = written
        state = .known(numbers)
    }

    /// Takes the next number; `nil` where others must be reserved first.
    mutating func take() -> UInt64? {
        guard case .known(var numbers) = state, let next = numbers.next, next < numbers.installation.reservedSequence else { return nil }
        numbers.next = next + 1
        state = .known(numbers)
        return next
    }

    /// Numbers from `first` on were reserved, and that one is taken; `nil`: what was left is not used any more.
    mutating func begin(after first: UInt64?) {
        guard case .known(var numbers) = state else { return }
        numbers.next = first.map { $0 + 1 }
        state = .known(numbers)
    }

    /// Whether a snapshot of a counterpart was taken into account in this process.
    var hasHeard = false

    var mayInherit: Bool {
        guard case .known(let numbers) = state else { return true }
        return numbers.installation.counterparts.isEmpty || !numbers.installation.inherited.isEmpty
    }

    /// As ``markAtFirstEdit()``; `nil` where the installation was not read.
    mutating func knownMark() -> UInt64? {
        if case .known = state { markAtFirstEdit() } else { nil }
    }

    /// Where counting on is safe from what a power loss took before this process began to edit.
    mutating func markAtFirstEdit() -> UInt64 {
        guard case .known(var numbers) = state else { return 0 }
        let mark = numbers.mark ?? numbers.installation.mark
        numbers.mark = mark
        state = .known(numbers)
        return mark
    }
}
