@testable import LocalData

/// The code of the storage error that `body` throws, or `nil` if it throws none.
func storageErrorCode(_ body: () throws -> Void) -> StorageError.Code? {
    do {
        try body()
        return nil
    } catch {
        return (error as? StorageError)?.code
    }
}

/// The code of the storage error that `body` throws, or `nil` if it throws none.
func storageErrorCode(_ body: () async throws -> Void) async -> StorageError.Code? {
    do {
        try await body()
        return nil
    } catch {
        return (error as? StorageError)?.code
    }
}
