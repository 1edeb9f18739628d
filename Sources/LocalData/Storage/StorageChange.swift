/// One element of ``StorageChanges``: a key's value at some moment.
public struct StorageChange<Value: Sendable>: Sendable {
    /// `nil` where no value is stored.
    public let value: Value?
    /// Where the change came from; `nil` for the first element, which is the value as it was found.
    public let origin: ChangeOrigin?
}

extension StorageChange: Equatable where Value: Equatable {}

/// The values of a key: the current one first, then each that replaces it, until the task is cancelled. See ``StorageRouter/changes(of:)``.
public struct StorageChanges<Key: StorageKey>: AsyncSequence, Sendable {
    public typealias Element = StorageChange<Key.Value>

    let router: StorageRouter
    let key: Key

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(router: router, key: key)
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
        let router: StorageRouter
        let key: Key
        private var updates: AsyncStream<ChangeObservers.Update>.Iterator?
        private var isOver = false

        init(router: StorageRouter, key: Key) {
            self.router = router
            self.key = key
        }

        /// The first call reads the value as ``StorageRouter/get(_:)`` does, an absent one included; the others wait for a change.
        /// - Throws: ``StorageError``, such as `locked` at the first call or `wrongType`; the sequence is then over. Iterate again to go on.
        public mutating func next() async throws -> StorageChange<Key.Value>? {
            guard !isOver else { return nil }
            do {
                guard updates != nil else {
                    let (stream, value) = try await router.observe(key)
                    updates = stream.makeAsyncIterator()
                    return StorageChange(value: value, origin: nil)
                }
                guard let update = await updates?.next() else {
                    isOver = true
                    return nil
                }
                let width = router.environment.device.integerBitWidth
                return StorageChange(value: try update.plain.map { try key.decoded($0, width: width) }, origin: update.origin)
            } catch {
                isOver = true
                updates = nil
                throw error
            }
        }
    }
}
