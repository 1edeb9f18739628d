import Foundation

/// The sealing anew of many values, one after the other in the order of their names, as an asynchronous sequence: asking for the next element seals
/// the next value.
///
/// ```swift
/// for try await progress in StorageRouter.shared.keyRotation() {
///     bar.fraction = Double(progress.completed) / Double(progress.total)
/// }
/// ```
///
/// A failure does not keep the others from it. It can be left, or its task cancelled, between two values; running it again resumes, and changes
/// nothing where everything is done.
public struct ResealSweep: AsyncSequence, Sendable {
    let router: StorageRouter
    let keys: [any StorageKey]
    /// Whether it begins or goes on with a rotation of the master keys, and completes it.
    let isRotation: Bool

    /// How many values it goes through.
    public var total: Int { keys.count }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(router: router, keys: keys, isRotation: isRotation) }

    /// One walk over the values. It is used by one task at a time.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let router: StorageRouter
        let keys: [any StorageKey]
        let isRotation: Bool
        /// What the rotation began with; `nil` before it did, and where there is no master key to rotate. Of several rings the process's own first.
        var begun: MasterKeyRing.Rotation? { rotations.lazy.compactMap(\.self).first }
        /// Of each ring, in their order.
        private var rotations: [MasterKeyRing.Rotation?] = []
        private(set) var isComplete = true
        private var isUnderWay = false
        private var isOver = false
        private var completed = 0

        init(router: StorageRouter, keys: [any StorageKey], isRotation: Bool) {
            self.router = router
            self.keys = keys
            self.isRotation = isRotation
        }

        /// Seals the next value anew. The first call of a rotation makes the new master key primary; the call that finds no more values completes
        /// the rotation, if all went well.
        /// - Throws: ``StorageError`` where the keychain cannot be read or written; `CancellationError`. What goes wrong with a value is in its outcome.
        public mutating func next() async throws -> ResealProgress? {
            guard !isOver else { return nil }
            try Task.checkCancellation()
            if isRotation, !isUnderWay {
                rotations = try await router.engines.rotation.inRotationTurn("rotate keys") { [rings = router.encryption.rings(of: keys)] in
                    try rings.map { try $0.beginRotation() }
                }
            }
            isUnderWay = true
            guard completed < keys.count else {
                if isRotation, isComplete {
                    try await router.engines.rotation.inRotationTurn("rotate keys") {
                        [rotations, rings = router.encryption.rings(of: keys)] in
                        for case (let ring, let rotation?) in zip(rings, rotations) { try ring.finish(rotation) }
                    }
                }
                isOver = true
                return nil
            }
            let outcome = try await outcome(of: keys[completed])
            if outcome.result.isOpen, !isSealedByProvider(keys[completed]) { isComplete = false }
            completed += 1
            return ResealProgress(completed: completed, total: keys.count, outcome: outcome)
        }

        /// Whether no master key seals the value: what is wrong with it says nothing of master keys, and a provider that an app has dropped never comes back.
        private func isSealedByProvider(_ key: any StorageKey) -> Bool {
            if case .external? = try? router.engines.stored.envelopeHeader(of: key)?.keySource { true } else { false }
        }

        private func outcome(of key: any StorageKey) async throws -> ResealOutcome {
            // What a migration brings after a rotation it seals by the key of today.
            if !isRotation, let error = try await router.engines.migration.completeBeforeResealing(key, using: router) {
                return ResealOutcome(key: key.name, domain: key.domain.kind, result: .deferred(error))
            }
            return try await router.engines.sealer.outcome(ofResealing: key)
        }
    }
}

/// How far a ``ResealSweep`` is, after each value.
public struct ResealProgress: Sendable {
    /// How many values are done with, this one included.
    public let completed: Int
    /// How many values the sweep looks at.
    public let total: Int
    /// What became of the value that was done with last.
    public let outcome: ResealOutcome
}

/// What became of one value when all that is not sealed as declared today was sealed anew.
public struct ResealOutcome: Sendable {
    /// The key's name.
    public let key: String
    /// The ``StorageDomain/kind`` of its place. A key and the sources of its migration may share a name.
    public let domain: String
    /// What came of the attempt.
    public let result: Result

    /// What can come of sealing one value anew. In every case there is a whole value, or none as before.
    public enum Result: Sendable {
        /// It was sealed anew, because of these differences.
        case resealed([SealingDifference])
        /// It is sealed as declared.
        case current
        /// There is no value.
        case absent
        /// Not possible for now, such as on a locked device. The value is as it was; call again.
        case deferred(StorageError)
        /// The value is as it was. Whether calling again can help, ``ResealOutcome/mayBeResealedLater`` says.
        case failed(StorageError)
    }

    /// An outcome made up for a test; the sweeps make their own.
    public init(key: String, domain: String, result: Result) {
        self.key = key
        self.domain = domain
        self.result = result
    }
}

extension ResealOutcome {
    /// Whether the value is not sealed as declared and another attempt may do it, such as after an unlock or when there is room again. What
    /// cannot be opened at all is left to the app to restore or remove.
    public var mayBeResealedLater: Bool { result.isOpen }
}

extension ResealOutcome.Result {
    init(_ error: StorageError) {
        self = error.code.isTemporary ? .deferred(error) : .failed(error)
    }

    /// Whether another attempt may seal the value anew. What cannot be opened at all keeps no rotation open.
    var isOpen: Bool {
        switch self {
        case .resealed, .current, .absent: false
        case .deferred: true
        case .failed(let error):
            switch error.code {
            case .keyMissing, .decryptionFailed, .corrupt, .unsupportedFormat, .superseded, .invalidated, .invalidKey, .undeclaredPolicy,
                .encodingFailed:
                false
            default: true
            }
        }
    }
}

/// How one value is sealed, against what its key declares today.
public struct PlannedReseal: Sendable {
    /// The name of the key whose value it is.
    public let key: String
    /// The ``StorageDomain/kind`` of its place.
    public let domain: String
    /// Whether the value is sealed as declared, and why not.
    public let state: State

    /// How a stored value compares with what its key declares.
    public enum State: Sendable {
        /// There is no value.
        case absent
        /// The value is sealed as declared.
        case current
        /// To be sealed anew, because of these differences. A rotation begins by making a new master key primary, so that then everything
        /// else that a master key seals is due as well.
        case due([SealingDifference])
        /// Cannot be read for now.
        case deferred(StorageError)
        /// Cannot be sealed anew, such as a value whose key material is gone. It stays as it is.
        case failed(StorageError)
    }
}

/// In what a stored envelope is not what its key's declaration, and the keychain, would make of the value today.
public enum SealingDifference: String, Sendable, Hashable, CaseIterable {
    /// It is plain where it should be sealed, or sealed where it should be plain.
    case form
    /// Another key seals it: a master key that is no longer primary, or other external key material than the policy names.
    case key
    /// Another cipher than the policy names.
    case cipher
    /// Another derivation, another number of iterations, or a salt or info that the policy does not give.
    case derivation
    /// Its keychain item has another accessibility or access control, or its file another class of data protection.
    case protection
    /// An earlier version of the envelope, which does not name the value's custom directory.
    case format
}

extension SealingPlan {
    /// In what an envelope differs from what this plan makes, sorted as declared.
    /// - Parameter primary: The id of the primary master key; `nil` where there is none.
    func differences(of header: EnvelopeHeader, primary: String?, version: EnvelopeFormat.Version) -> [SealingDifference] {
        var differences: [SealingDifference] = []
        switch (externalSource, header.keySource) {
        case (let source?, .external(let id)) where source.id == id: break
        case (nil, .master(let id)) where id == primary: break
        default: differences.append(.key)
        }
        if header.cipher != cipher { differences.append(.cipher) }
        if !makes(header.derivation) { differences.append(.derivation) }
        if header.version != version { differences.append(.format) }
        return differences
    }

    /// A salt that the policy leaves open has the length of those that are drawn, and is fine as it is.
    private func makes(_ derivation: EnvelopeDerivation) -> Bool {
        switch (keyDerivation, derivation) {
        case (.hkdf(let salt, let info), .hkdf(let usedSalt, let usedInfo)):
            salt.map { $0 == usedSalt } ?? (usedSalt.count == Self.saltLength) && usedInfo == info ?? Data()
        case (.pbkdf2(_, let salt), .pbkdf2(let usedSalt, let usedIterations)):
            salt.map { $0 == usedSalt } ?? (usedSalt.count == Self.saltLength) && usedIterations == iterations
        case (.hkdf, .pbkdf2), (.pbkdf2, .hkdf): false
        }
    }
}
