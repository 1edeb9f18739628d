import LocalData

/// A model whose screen says what went wrong last.
@MainActor
protocol ShowsProblems: AnyObject {
    /// The error's code, such as `locked`; `nil` after something that succeeded.
    var problem: String? { get set }
}

extension ShowsProblems {
    /// Does something with storage. An error is shown, and replaces no value.
    func attempt(_ body: () async throws -> Void) async {
        do {
            try await body()
            problem = nil
        } catch let error as StorageError {
            problem = error.code.rawValue
        } catch {
            problem = String(describing: type(of: error))
        }
    }
}

extension StorageRouter {
    /// The value, or `nil` where there is none. Every other error is one: a locked device is not an empty one.
    nonisolated func value<Key: StorageKey>(of key: Key) async throws -> Key.Value? {
        do {
            return try await get(key)
        } catch let error as StorageError where error.code == .notFound {
            return nil
        }
    }
}
