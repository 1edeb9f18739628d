import Foundation

/// Key rotation. What is sealed stays readable throughout: the old keys open until they are retired.
extension StorageRouter {
    /// Makes a new master key that seals from now on, and seals anew every registered value that is not sealed as its key declares today: by
    /// an older master key, by external material of another source, with another cipher or derivation.
    ///
    /// Call it again if it was interrupted, by a crash, a cancellation, a locked device: as long as a rotation is not complete, the next call goes
    /// on with it and mints no key. After a complete one the next call begins a new one. Values keep their versions: nothing is sent to the
    /// counterpart, and no observer sees a change. Values that are set meanwhile are sealed with the new key by themselves.
    ///
    /// **External key material.** The material of a ``KeyMaterialSource`` never changes: new material is a new source, such as `remote.2` after
    /// `remote.1`. Declare the new one in the keys' policies and the old one in their ``StorageKey/formerSecurity``, and keep the provider of the old
    /// one registered until ``keyRotationPlan(whileOthersAreQuiet:)`` says that nothing needs it; values open by the source that sealed them.
    ///
    /// - Parameter retiringOldKeys: Also deletes the old master keys that nothing needs, see ``retireUnneededKeys(whileOthersAreQuiet:)``: where sealed
    ///   values lie in preferences, those of earlier rotations, since the key that this one replaces has to wait. Otherwise they stay and open what they
    ///   sealed.
    /// - Throws: ``StorageError`` where the keychain cannot be read or the new key not be stored, such as `lockedBeforeFirstUnlock`; nothing has
    ///   begun then. `superseded` where a newer version of the app left a rotation of a kind that this one does not know. `CancellationError`
    ///   between two values.
    @discardableResult
    public nonisolated func rotateKeys(retiringOldKeys: Bool = false) async throws -> KeyRotationReport {
        var values = keyRotation().makeAsyncIterator()
        var outcomes: [ResealOutcome] = []
        while let progress = try await values.next() { outcomes.append(progress.outcome) }
        let retirement = retiringOldKeys ? try await engines.rotation.retireAfterRotation() : nil
        return KeyRotationReport(
            primary: values.begun?.primary, isNew: values.begun?.isNew ?? false, isComplete: values.isComplete, outcomes: outcomes,
            retirement: retirement)
    }

    /// As ``rotateKeys(retiringOldKeys:)``, value by value.
    public nonisolated func keyRotation() -> ResealSweep {
        ResealSweep(router: self, keys: engines.rotation.sealedKeys(), isRotation: true)
    }

    /// Stores anew every registered value that is not secured as its key declares today, with the keys that there are: after an update of the app
    /// that changed a policy. A plain value is sealed and a sealed one made plain where the key's ``StorageKey/formerSecurity`` says that it may be
    /// one. Each value is replaced in one step; a crash leaves it in the one form or in the other, and both are read. Mints a
    /// master key only where the first value is to be sealed. Running it again changes nothing.
    ///
    /// Keychain items get the accessibility and the access control that their keys declare. It asks nobody: an item under access control is
    /// deferred with `authenticationRequired`, and is changed by the next `set` or by ``resealValue(of:)``, from the foreground.
    /// - Returns: What became of each value, sorted by name.
    /// - Throws: `CancellationError` between two values.
    @discardableResult
    public nonisolated func resealValues() async throws -> [ResealOutcome] {
        var outcomes: [ResealOutcome] = []
        for try await progress in resealing() { outcomes.append(progress.outcome) }
        return outcomes
    }

    /// As ``resealValues()``, value by value.
    public nonisolated func resealing() -> ResealSweep {
        ResealSweep(router: self, keys: engines.rotation.sealedKeys(withKeychain: true), isRotation: false)
    }

    /// As ``resealValues()``, for one key: such as one whose name is made at run time, which no catalog lists as it is. It may ask a person to
    /// authenticate, where the value is under access control.
    @discardableResult
    public nonisolated func resealValue<Key: StorageKey>(of key: Key) async throws -> ResealOutcome {
        try await engines.admission.perform("reseal", on: key) { _ in
            if let error = try await self.engines.migration.completeBeforeResealing(key, asksPerson: true, using: self) {
                return ResealOutcome(key: key.name, domain: key.domain.kind, result: .deferred(error))
            }
            return try await self.engines.sealer.outcome(ofResealing: key, asksPerson: true)
        }
    }

    /// Deletes the master keys that no longer seal and that verifiably nothing needs.
    ///
    /// **Preferences take two calls.** The system writes preferences in its own time, and a power loss before that brings back what the old key sealed.
    /// Where a registered key is sealed in preferences, the first call notes that nothing needs the old key, and keeps it with
    /// ``KeyNeed/unsettledPreferences``. A call of a later process that still finds nothing deletes it, if a minute of the device's running time, or a
    /// restart, lies between the two. So call this at every launch, or once a day; with nothing to retire it only looks.
    ///
    /// It waits for the operations on values that are under way, which may have taken an old key. It reads everything that it can list, and keeps a key if anything is sealed by it, registered or not, or cannot be read. It does not know
    /// other devices, files that were moved out of the app, nor suites and directories outside the containers that no key names any more: what
    /// lies there sealed by a retired key is lost to ``StorageError/Code/keyMissing`` (see ``KeyRotationPlan/limits``). A backup brings its own keychain back with its files.
    /// - Parameter whileOthersAreQuiet: Whether no other process of the app's App Groups, such as an extension, is sealing values now. Only the app
    ///   can know; otherwise keys stay where registered keys use an App Group. Master keys of an access group always stay (``KeyNeed/accessGroup(_:)``): other
    ///   apps of the group may keep what they seal where this one cannot look.
    /// - Returns: What was retired, and what was kept for what reason. What is kept for ``KeyNeed/unsettledPreferences`` alone goes by itself in time.
    /// - Throws: ``StorageError``: `locked` or `lockedBeforeFirstUnlock`, since on a locked device not everything can be seen. Nothing is deleted
    ///   then.
    @discardableResult
    public nonisolated func retireUnneededKeys(whileOthersAreQuiet: Bool = false) async throws -> KeyRetirementReport {
        try await engines.rotation.retireInTurn(whileOthersAreQuiet: whileOthersAreQuiet)
    }

    /// How every registered value is sealed, and what needs which key. Writes nothing.
    /// - Parameter whileOthersAreQuiet: As in ``retireUnneededKeys(whileOthersAreQuiet:)``.
    /// - Throws: ``StorageError`` where the keychain cannot be read.
    public nonisolated func keyRotationPlan(whileOthersAreQuiet: Bool = false) async throws -> KeyRotationPlan {
        try await engines.rotation.plan(whileOthersAreQuiet: whileOthersAreQuiet)
    }
}
