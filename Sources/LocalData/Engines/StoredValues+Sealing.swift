import Foundation

/// From a value's serialized bytes to what lies at its key's place, and back.
extension StoredValues {
    /// The form that `plain` has at the key's place.
    /// - Parameter isReadable: Whether the key's serializer can read it; another one's bytes are not looked into.
    /// - Throws: also `encodingFailed`, where it could not be told from a sealed value of an earlier version of the app.
    func secured(_ plain: Data, for key: any StorageKey, isReadable: Bool = true) async throws -> StoredForm {
        if case .encrypted(let policy) = key.security {
            do {
                return .bytes(
                    try await encryption.encrypt(
                        plain, policy: policy, identity: recordIdentity(of: key), keyName: key.name, accessGroup: key.accessGroup))
            } catch let error as StorageError {
                throw error.at(key: key.name, domain: key.domain.kind)
            }
        }
        var form = StoredForm.bytes(plain)
        if case .defaults = key.place { form = .propertyList(isReadable ? key.native(plain) : key.opaque(plain)) }
        try requireDistinguishable(form, of: key)
        return form
    }

    /// A plain value that begins like an envelope would be taken for one, where the key's values were sealed before: nothing could return it. Of a key
    /// that was never sealed it is stored like any other.
    private func requireDistinguishable(_ form: StoredForm, of key: any StorageKey) throws {
        guard key.acceptedPolicies.acceptsSealed, form.looksSealed else { return }
        throw StorageError(
            .encodingFailed, key: key.name, domain: key.domain.kind,
            facts: [
                "its bytes begin as a sealed value does, and the key has sealed values of earlier versions, so they could not be told from one",
                "put a byte before them, or take the encryption policies out of formerSecurity when no installation has such values any more",
            ])
    }

    /// Refuses to touch an envelope at the place of a key that declares no sealed values: an earlier version of the app sealed it, or a later one.
    /// - Throws: `undeclaredPolicy`.
    func requireNoUndeclaredEnvelope(_ bytes: Data, of key: any StorageKey) throws {
        guard !key.acceptedPolicies.acceptsSealed, Envelope.isClaimed(by: bytes) else { return }
        // A value of the type Data may begin so. One that is a whole envelope may be either, and is left alone.
        guard !key.decodes(bytes) || (try? Envelope(parsing: bytes)) != nil else { return }
        throw StorageError(
            .undeclaredPolicy, key: key.name, domain: key.domain.kind, facts: ["sealed, where the key declares a plain value"])
    }

    /// The serialized bytes of what lies, or lay, at the key's place.
    ///
    /// A form that the key declares neither for today nor for an earlier version of the app is not opened, and stays as it is.
    func opened(_ form: StoredForm, of key: any StorageKey) async throws -> Data {
        do {
            let accepted = key.acceptedPolicies
            try requireOwn(form, of: key)
            guard accepted.acceptsSealed else {
                let plain = try key.plain(form)
                if form.looksSealed { try await requireIsValue(form, plain, of: key) }
                return plain
            }
            if let envelope = form.envelope {
                return try await encryption.decrypt(
                    envelope, accepting: accepted, identity: recordIdentity(of: key), keyName: key.name, accessGroup: key.accessGroup)
            }
            return try unsealed(form, of: key, accepted)
        } catch let error as StorageError {
            throw error.at(key: key.name, domain: key.domain.kind)
        }
    }

    /// Of a key that was never sealed. An envelope can be a value of the type Data, such as one that the app had made to keep it itself; elsewhere, and where it
    /// is this place's own, another version of the app sealed it.
    private func requireIsValue(_ form: StoredForm, _ plain: Data, of key: any StorageKey) async throws {
        if key.decodes(plain), try await !isSealedHere(form, as: key) { return }
        throw StorageError(.undeclaredPolicy, facts: ["sealed, where the key declares a plain value"])
    }

    /// Whether an envelope was made for the key's own place: it opens there, and nowhere else. What somebody else's key material seals may be that, too.
    /// - Throws: Why it cannot be told for now, such as `locked`.
    private func isSealedHere(_ form: StoredForm, as key: any StorageKey) async throws -> Bool {
        let bytes: Data
        switch form {
        case .bytes(let found), .propertyList(.data(let found)): bytes = found
        case .propertyList: return false
        }
        guard let source = (try? Envelope(parsing: bytes))?.header.keySource else { return false }
        let policy: SecurityPolicy =
            switch source {
            case .master: .recommended
            case .external(let id): .encrypted(.external(source: KeyMaterialSource(id: id), keyDerivation: .hkdf()))
            }
        do {
            _ = try await encryption.decrypt(
                bytes, accepting: AcceptedPolicies(policy), identity: recordIdentity(of: key), keyName: key.name)
            return true
        } catch let error as StorageError {
            switch error.code {
            // Made for another place, by another device, or damaged: the app's own bytes.
            case .decryptionFailed, .keyMissing, .corrupt: return false
            case .providerMissing: return true
            default: throw error
            }
        }
    }

    /// Refuses bytes that an earlier version of the app may have left at the key's place, under another name, and that the key would take for a value of its own:
    /// nothing in them says whose they are.
    /// - Throws: `undeclaredPolicy` where they are sealed, `invalidKey` where another serializer reads something else in them.
    private func requireOwn(_ form: StoredForm, of key: any StorageKey) throws {
        guard key.acceptedPolicies.acceptsPlain, key.migration != nil else { return }
        let bytes: Data
        switch form {
        case .bytes(let found): bytes = found
        case .propertyList(.data(let found)) where form.looksSealed: bytes = found
        case .propertyList: return
        }
        // A value of the type Data may begin as an envelope does.
        let isSealed = Envelope.isClaimed(by: bytes) && (try? Envelope(parsing: bytes)) != nil
        for other in key.allSources {
            guard
                isSealed
                    ? other.acceptedPolicies.acceptsSealed && !key.acceptedPolicies.acceptsSealed : key.reads(bytes, otherwiseThan: other),
                try isAnotherName(other, of: key)
            else { continue }
            guard !isSealed else { throw StorageError(.undeclaredPolicy, facts: ["sealed, where the key declares a plain value"]) }
            throw StorageError(
                .invalidKey,
                facts: [
                    "the migration's source '\(other.name)' lies where the key does, under another name, and has another serializer",
                    "what lies there can be read by both: it stays as it is, for a version that gives one of them another place",
                ])
        }
    }

    /// What is no envelope, of a key that is sealed today or was: a plain value, or damage. Only what decodes is taken for a value; what looks like one of
    /// another type is left alone all the same.
    private func unsealed(_ form: StoredForm, of key: any StorageKey, _ accepted: AcceptedPolicies) throws -> Data {
        guard accepted.isSealed else { return try key.plain(form) }
        // The beginning of an envelope, or nothing of one: damage, unless a key that was plain before could have stored that.
        if case .bytes(let bytes) = form, !accepted.acceptsPlain, bytes.isEmpty || EnvelopeFormat.magic.starts(with: bytes) {
            throw Self.noEnvelope(form)
        }
        guard let plain = try? key.plain(form), try key.decodes(plain) || storedSchema(of: key) > key.schemaVersion else {
            guard form.isPlainOfSomeType else { throw Self.noEnvelope(form) }
            throw StorageError(.undeclaredPolicy, facts: ["a plain value of another type, where the key declares a sealed one"])
        }
        guard accepted.acceptsPlain else {
            throw StorageError(.undeclaredPolicy, facts: ["a plain value, where the key declares a sealed one"])
        }
        return plain
    }

    private static func noEnvelope(_ form: StoredForm) -> StorageError {
        switch form {
        case .propertyList(let value): return StorageError(.corrupt, facts: ["a plain \(value.kind) where there should be an envelope"])
        case .bytes(let bytes):
            do {
                _ = try EnvelopePrefix(parsing: bytes)
                return StorageError(.corrupt)
            } catch {
                return error.storageError
            }
        }
    }

    /// What lies at the key's place, if it is sealed under a master key that verifiably is not on this device. Called in the key's turn. Asks nobody.
    /// `nil` where another process may have stored it, which may have a key that this one has not.
    /// - Throws: ``StorageError`` where that cannot be told, such as `locked`.
    func formSealedForGood(of key: any StorageKey) async throws -> StoredForm? {
        let accepted = key.acceptedPolicies
        // Another process may have the key.
        guard accepted.acceptsSealed, try !isShared(key) else { return nil }
        do {
            guard let form = try await storedForm(of: key, asksPerson: false), let envelope = form.envelope,
                try encryption.isMasterKeyGone(of: envelope, accepting: accepted)
            else { return nil }
            return form
        } catch let error as StorageError where error.code == .authenticationRequired {
            // What an earlier version of the app bound to a person is not sealed.
            return nil
        }
    }
}

/// In what stored values are not as their keys declare.
extension StoredValues {
    /// Whether what protects a keychain item is not what the key declares. Asks nobody.
    func isItemProtectedOtherwise(_ key: any StorageKey) throws -> Bool {
        guard case .keychain(let service) = key.place else { return false }
        let (accessibility, accessControl) = key.security.keychainAttributes
        return try keychain.isProtectedOtherwise(
            account: key.name, service: service, accessibility: accessibility, accessControl: accessControl, accessGroup: key.accessGroup)
    }

    /// In what a stored form, and the class of its file, differ from what the key declares, sorted. Whether it may be the key's value at all, opening it
    /// says. What protects a keychain item is looked at when it is changed, and by
    /// an audit (``isItemProtectedOtherwise(_:)``).
    /// - Parameter form: What lies there, or the front of it.
    /// - Throws: `corrupt`, `unsupportedFormat` or `superseded` where it is an envelope that cannot be judged.
    func differences(of form: StoredForm, of key: any StorageKey) throws -> [SealingDifference] {
        var differences = try sealingDifferences(of: form, of: key)
        if case .file(let declared) = key.place, let found = try files.attributes(of: files.place(of: key))?.protection, found != declared {
            differences.append(.protection)
        }
        return SealingDifference.allCases.filter(differences.contains)
    }

    private func sealingDifferences(of form: StoredForm, of key: any StorageKey) throws -> [SealingDifference] {
        guard let envelope = form.envelope else { return key.security.isEncrypted ? [.form] : [] }
        let header: EnvelopeHeader
        do { header = try EnvelopePrefix(parsing: envelope).header } catch { throw error.storageError }
        guard case .encrypted(let policy) = key.security else { return [.form] }
        return try SealingPlan(policy).differences(
            of: header, primary: encryption.ring(of: key.accessGroup).pointer()?.primary, version: recordIdentity(of: key).version)
    }
}

extension StoredForm {
    /// Whether somebody's serializer wrote it, as far as that shows. Damaged envelopes do not look so.
    fileprivate var isPlainOfSomeType: Bool {
        switch self {
        case .propertyList(.data(let bytes)), .bytes(let bytes):
            bytes.starts(with: Data("bplist".utf8)) || bytes.starts(with: Data("<?xml".utf8))
                || (try? Coders.jsonDecoder.decode(AnyJSON.self, from: bytes)) != nil
        case .propertyList: true
        }
    }

    /// Any well-formed text.
    private struct AnyJSON: Decodable {
        init(from decoder: any Decoder) {}
    }
}

extension StorageKey {
    /// The serialized bytes of a form that is not sealed.
    fileprivate func plain(_ form: StoredForm) throws -> Data {
        switch form {
        case .bytes(let bytes): bytes
        case .propertyList(let value): try serialized(value)
        }
    }

    fileprivate func decodes(_ plain: Data) -> Bool { (try? serializer.decode(plain)) != nil }

    /// Whether another key's serializer finds a value in the same bytes, and not the one that this key's does.
    fileprivate func reads<Other: StorageKey>(_ plain: Data, otherwiseThan other: Other) -> Bool {
        guard serializer.name != other.serializer.name, other.acceptedPolicies.acceptsPlain, decodes(plain),
            let found = try? other.serializer.decode(plain)
        else { return false }
        guard let value = found as? Value, let encoded = try? serializer.encode(value) else { return true }
        return !isSame(encoded, plain)
    }

    /// How a value in preferences lies there: sealed values are bytes in every domain.
    func storedForm(_ value: PropertyListValue) -> StoredForm {
        guard case .data(let bytes) = value, Envelope.isClaimed(by: bytes), acceptedPolicies.acceptsSealed else {
            return .propertyList(value)
        }
        return .bytes(bytes)
    }
}

extension EncryptionHelper {
    /// Whether an envelope names a master key that the keychain says it does not have. Not for what is no envelope, for a provider's material, nor for
    /// what the key does not declare: that is nothing of its own.
    /// - Throws: ``StorageError`` where the keychain cannot tell.
    nonisolated func isMasterKeyGone(of envelope: Data, accepting accepted: AcceptedPolicies) throws -> Bool {
        guard let source = (try? Envelope(parsing: envelope))?.header.keySource, accepted.accepts(source), case .master(let id) = source
        else {
            return false
        }
        do throws(StorageError) {
            _ = try masterKeyOfAnyRing(id)
            return false
        } catch  where error.code == .keyMissing {
            return true
        }
    }
}

extension StoredForm {
    /// Whether it begins as an envelope does.
    var looksSealed: Bool {
        switch self {
        case .bytes(let bytes), .propertyList(.data(let bytes)): Envelope.isClaimed(by: bytes)
        case .propertyList: false
        }
    }
}
