import Foundation

/// Sealing anew what is not sealed as its key declares today, whatever the difference: the master key, external key material, the cipher,
/// the derivation, or the envelope's version. The value, its version in the sync ledger and its observers do not notice.
///
/// It has no state of its own.
final class Resealer: Sendable {
    let defaults: UserDefaultsHelper
    let keychain: KeychainHelper
    let files: FileStorageHelper
    let encryption: EncryptionHelper
    let ledger: SyncLedger
    let turns: Turns
    let stored: StoredValues
    let moves: MovedValues
    let versions: ValueVersions
    let admission: Admission

    init(
        defaults: UserDefaultsHelper, keychain: KeychainHelper, files: FileStorageHelper, encryption: EncryptionHelper, ledger: SyncLedger,
        turns: Turns, stored: StoredValues, moves: MovedValues, versions: ValueVersions, admission: Admission
    ) {
        self.defaults = defaults
        self.keychain = keychain
        self.files = files
        self.encryption = encryption
        self.ledger = ledger
        self.turns = turns
        self.stored = stored
        self.moves = moves
        self.versions = versions
        self.admission = admission
    }

    /// - Parameter asksPerson: Whether a person may be asked to authenticate.
    func outcome(ofResealing key: any StorageKey, asksPerson: Bool = false) async throws -> ResealOutcome {
        let result: ResealOutcome.Result
        do {
            try admission.requireFileOfItsOwn(key)
            result = try await turns.run(at: stored.location(of: key)) { try await self.resealInTurn(key, asksPerson: asksPerson) }
        } catch let error as CancellationError {
            throw error
        } catch {
            result = .init(SyncLedger.storageError(error).at(key: key.name, domain: key.domain.kind, operation: "reseal"))
        }
        return ResealOutcome(key: key.name, domain: key.domain.kind, result: result)
    }

    /// How often another process may change the value between reading and replacing it.
    private static let maximumRounds = 3

    private func resealInTurn(_ key: any StorageKey, asksPerson: Bool) async throws -> ResealOutcome.Result {
        let accepted = key.acceptedPolicies
        // What is bound to a person was never sealed, and is not read to be told so.
        guard accepted.acceptsSealed, key.security.isEncrypted || !stored.isNotedBound(key) else {
            return try protectAnew(key, asksPerson: asksPerson)
        }
        for _ in 0..<Self.maximumRounds {
            guard let form = try await stored.storedForm(of: key, asksPerson: asksPerson) else {
                await versions.forgetReplacedEdit(of: key)
                return .absent
            }
            let differences = try stored.differences(of: form, of: key)
            guard !differences.isEmpty else {
                await versions.forgetReplacedEdit(of: key)
                // What was always sealed never had another protection.
                return accepted.acceptsPlain ? try protectAnew(key, asksPerson: asksPerson) : .current
            }
            if differences == [.protection] {
                if try moveToDeclaredClass(form, of: key) { return .resealed(differences) }
                continue
            }
            let plain = try await stored.opened(form, of: key)
            if try await replaceSeal(of: form, with: stored.secured(plain, for: key), key: key, plain: plain) {
                return .resealed(differences)
            }
        }
        throw StorageError(.inputOutput, facts: ["another process changed the value each time it was to be sealed anew"])
    }

    /// Gives a keychain item the protection that its key declares. An envelope that the key does not declare stays as it is: bound to a person or to the
    /// passcode, nothing could tell any more that it needs its master key.
    private func protectAnew(_ key: any StorageKey, asksPerson: Bool) throws -> ResealOutcome.Result {
        guard case .keychain(let service) = key.place else { return .current }
        let (accessibility, accessControl) = key.security.keychainAttributes
        let isChanged = try keychain.protect(
            account: key.name, service: service, accessibility: accessibility, accessControl: accessControl, asksPerson: asksPerson,
            accessGroup: key.accessGroup, checking: { try self.stored.requireNoUndeclaredEnvelope($0, of: key) })
        return isChanged.map { $0 ? .resealed([.protection]) : .current } ?? .absent
    }

    /// Writes a file's bytes again, with the note beside them, under the class of data protection that its key declares.
    /// - Returns: False where something else lies there by now, which then stays.
    /// - Throws: Also where the note cannot be read: it may be all that says which version the value is.
    private func moveToDeclaredClass(_ form: StoredForm, of key: any StorageKey) throws -> Bool {
        guard case .bytes(let bytes) = form, case .file(let protection) = key.place else { return false }
        let place = try files.place(of: key)
        return try files.replace(bytes, with: bytes, at: place, protection: protection, note: files.storedNote(of: place))
    }

    /// Puts the same value, sealed anew, in the place of what was read there. Called in the key's turn.
    /// - Returns: False where something else lies there by now, which then stays.
    private func replaceSeal(
        of old: StoredForm, with new: StoredForm, key: any StorageKey, plain: Data
    ) async throws -> Bool {
        try await requireOpens(new, as: plain, key: key)
        let record = try ledger.announceResealed(key, from: old, to: new)
        let location = try stored.location(of: key)
        let seen = try await moves.announce(new, afterSeen: key, at: location)
        guard try putInPlace(of: old, new, for: key) else { return false }
        await moves.renew(seen, for: key, at: location)
        if let record { ledger.confirmResealed(record, of: key) }
        // Its digest is of what lay there before, which may have been plain.
        versions.forgetExtensionEdit(of: key)
        return true
    }

    /// A provider that gives other material at each call would leave a value that nothing opens.
    private func requireOpens(_ form: StoredForm, as plain: Data, key: any StorageKey) async throws {
        do {
            guard try await key.isSame(stored.opened(form, of: key), plain) else { throw StorageError(.decryptionFailed) }
        } catch let error as StorageError where error.code == .decryptionFailed {
            throw StorageError(.keyMissing, facts: ["the key material changed between two calls; nothing was stored"])
        }
    }

    /// A value whose key was retired while it was on its way to its place is sealed anew at once. Called in the key's turn.
    func resealIfRetired(_ form: StoredForm, of key: any StorageKey, plain: Data) async throws {
        guard !encryption.retiredKeys.isEmpty, case .bytes(let envelope) = form, encryption.retiredKeys.seal(envelope) else { return }
        _ = try await replaceSeal(of: form, with: stored.secured(plain, for: key), key: key, plain: plain)
    }

    /// Replaces what lies at the key's place if it is still what was read there. Another process that writes between the comparison and the
    /// replacement, two calls apart, is not seen; nothing that the systems offer would tell.
    private func putInPlace(of old: StoredForm, _ new: StoredForm, for key: any StorageKey) throws -> Bool {
        switch (key.place, old, new) {
        case (.defaults(let suite), _, _):
            guard try defaults.stored(forKey: key.name, in: suite).map(key.storedForm) == old else { return false }
            try stored.noteReplacement(of: key, in: suite, by: new)
            try defaults.change(to: new.propertyList, forKey: key.name, in: suite)
            return true
        case (.keychain(let service), .bytes(let found), .bytes(let bytes)):
            let (accessibility, accessControl) = key.security.keychainAttributes
            return try keychain.replace(
                found, with: bytes, account: key.name, service: service, accessibility: accessibility, accessControl: accessControl,
                accessGroup: key.accessGroup)
        case (.file(let protection), .bytes(let found), .bytes(let bytes)):
            let note = try stored.fileNote(nil, of: key, with: new, schema: stored.storedSchema(of: key))
            return try files.replace(found, with: bytes, at: files.place(of: key), protection: protection, note: note)
        case (.keychain, _, _), (.file, _, _): return false
        }
    }
}

extension StoredForm {
    /// As it lies in preferences.
    var propertyList: PropertyListValue {
        switch self {
        case .bytes(let bytes): .data(bytes)
        case .propertyList(let value): value
        }
    }
}
