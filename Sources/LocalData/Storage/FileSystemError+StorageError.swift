import Foundation

extension FileSystemError {
    /// What the failure means for a caller.
    ///
    /// EPERM is what protected files answer with while their key is away; on an unlocked device it is a refusal like EACCES.
    func storageError(lockState: DeviceLockState) -> StorageError {
        var facts = ["errno \(errno)\(name.map { " (\($0))" } ?? "") at \(operation)"]
        if errno == ELOOP { facts.append("a symbolic link lies there, which is not followed") }
        return StorageError(code(lockState: lockState), facts: facts)
    }

    private func code(lockState: DeviceLockState) -> StorageError.Code {
        switch errno {
        case ENOENT: .notFound
        case EPERM:
            switch lockState {
            case .beforeFirstUnlock: .lockedBeforeFirstUnlock
            case .locked: .locked
            case .unlocked: .accessDenied
            }
        case EACCES, EROFS: .accessDenied
        case ENOSPC, EDQUOT: .noSpace
        default: .inputOutput
        }
    }

    /// The symbol of the errno, of those that file operations give.
    var name: String? {
        switch errno {
        case EACCES: "EACCES"
        case EBADF: "EBADF"
        case EBUSY: "EBUSY"
        case EDQUOT: "EDQUOT"
        case EEXIST: "EEXIST"
        case EFBIG: "EFBIG"
        case EINTR: "EINTR"
        case EINVAL: "EINVAL"
        case EIO: "EIO"
        case EISDIR: "EISDIR"
        case ELOOP: "ELOOP"
        case EMFILE: "EMFILE"
        case ENAMETOOLONG: "ENAMETOOLONG"
        case ENFILE: "ENFILE"
        case ENOENT: "ENOENT"
        case ENOMEM: "ENOMEM"
        case ENOSPC: "ENOSPC"
        case ENOTDIR: "ENOTDIR"
        case ENOTEMPTY: "ENOTEMPTY"
        case EPERM: "EPERM"
        case EROFS: "EROFS"
        case ESTALE: "ESTALE"
        case ETXTBSY: "ETXTBSY"
        case EXDEV: "EXDEV"
        default: nil
        }
    }
}
