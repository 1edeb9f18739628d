import Foundation

extension FileSystemError {
    /// What the error means for a value. `EPERM` is data protection: the file is there and its key is not.
    func storageError(lockState: DeviceLockState) -> StorageError {
        let facts = ["errno \(errno) (\(String(cString: strerror(errno)))) at \(operation)"]
        switch errno {
        case ENOENT: return StorageError(.notFound, facts: facts)
        case EPERM:
            switch lockState {
            case .beforeFirstUnlock: return StorageError(.lockedBeforeFirstUnlock, facts: facts)
            case .locked: return StorageError(.locked, facts: facts)
            case .unlocked: return StorageError(.accessDenied, facts: facts)
            }
        case EACCES, EROFS: return StorageError(.accessDenied, facts: facts)
        case ENOSPC, EDQUOT: return StorageError(.noSpace, facts: facts)
        default: return StorageError(.inputOutput, facts: facts)
        }
    }
}
