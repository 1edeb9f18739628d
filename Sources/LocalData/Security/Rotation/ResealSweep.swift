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

    public struct AsyncIterator: AsyncIteratorProtocol {
        let router: StorageRouter
        let keys: [any StorageKey]
        let isRotation: Bool
        /// What the rotation began with; `nil` before it did, and where there is no master key to rotate.
        private(set) var begun: MasterKeyRing.Rotation?
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
                begun = try await router.inRotationTurn("rotate keys") { [rings = router.encryption.rings(of: keys)] in
                    // The process's own first: what it begins with is what is reported.
                    try rings.map { try $0.beginRotation() }.reduce(nil) { $0 ?? $1 }
                }
            }
            isUnderWay = true
            guard completed < keys.count else {
                if isRotation, isComplete {
                    try await router.inRotationTurn("rotate keys") { [rings = router.encryption.rings(of: keys)] in
                        for ring in rings { try ring.finishRotation() }
                    }
                }
                isOver = true
                return nil
            }
            let outcome = try await router.outcome(ofResealing: keys[completed])
            if outcome.result.isOpen { isComplete = false }
            completed += 1
            return ResealProgress(completed: completed, total: keys.count, outcome: outcome)
        }
    }
}
