import Foundation

/// Which stored forms are a key's value: those that its ``StorageKey/security`` makes, and those of its ``StorageKey/formerSecurity``.
///
/// An envelope says itself what opens it, and whoever can write at a place can put one there: sealed by the weakest source of the app, or no envelope
/// at all. So what a key does not declare is not opened, however well it would.
struct AcceptedPolicies: Sendable, Hashable {
    /// Whether values are sealed today.
    let isSealed: Bool
    /// Whether a plain value is one.
    let acceptsPlain: Bool
    private let acceptsMaster: Bool
    /// The ids of the external sources.
    private let sources: Set<String>

    init(_ security: SecurityPolicy, former: [SecurityPolicy] = []) {
        isSealed = security.isEncrypted
        let all = [security] + former
        acceptsPlain = all.contains { !$0.isEncrypted }
        acceptsMaster = all.contains(where: \.isSealedByMasterKey)
        sources = Set(all.compactMap(\.externalSource?.id))
    }

    /// Whether an envelope may be the value.
    var acceptsSealed: Bool { acceptsMaster || !sources.isEmpty }

    func accepts(_ source: EnvelopeKeySource) -> Bool {
        switch source {
        case .master: acceptsMaster
        case .external(let id): sources.contains(id)
        }
    }

    /// - Throws: `undeclaredPolicy`, with what sealed the envelope.
    func require(_ source: EnvelopeKeySource) throws(StorageError) {
        guard !accepts(source) else { return }
        let seal =
            switch source {
            case .master: "a master key of this app"
            case .external(let id): "key material source '\(id)'"
            }
        throw StorageError(.undeclaredPolicy, facts: ["sealed with \(seal)"])
    }
}

extension StorageKey {
    var acceptedPolicies: AcceptedPolicies { AcceptedPolicies(security, former: formerSecurity) }
}

extension SecurityPolicy {
    /// Whose key material seals, if not the app's own master key.
    var externalSource: KeyMaterialSource? {
        if case .encrypted(.external(let source, _)) = self { source } else { nil }
    }
}

extension StoredForm {
    /// The bytes, if they claim to be an envelope.
    var envelope: Data? {
        guard case .bytes(let bytes) = self, Envelope.isClaimed(by: bytes) else { return nil }
        return bytes
    }
}

extension StorageKey {
    /// The revision of a stored form, by which versions are told apart: of one that is about to be stored as of one that was found.
    ///
    /// An envelope in preferences is the same version to an app that seals the key, and to one that knows it plain. Not where plain values of the key are
    /// data: there an envelope may be one.
    func revision(of form: StoredForm) -> Data {
        guard case .propertyList(.data(let bytes)) = form, Value.self != Data.self, Envelope.isClaimed(by: bytes) else {
            return SyncRevision.digest(of: form)
        }
        return SyncRevision.digest(of: .bytes(bytes))
    }
}
