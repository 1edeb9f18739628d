import Foundation

/// The `errno`s that a scenario can name. Their numbers are the host's own.
public enum ErrnoName: String, Sendable, Hashable, CaseIterable {
    /// Errors of POSIX by their names, since their numbers differ among hosts.
    case EACCES, EDQUOT, EEXIST, EFBIG, EINTR, EINVAL, EIO, EISDIR, EMFILE, ENAMETOOLONG, ENFILE, ENODEV, ENOENT, ENOSPC, ENOTDIR,
        /// Further errors of POSIX by their names.
        EPERM, EROFS, ESTALE, ETXTBSY

    /// The host's own number of it.
    public var number: Int32 {
        switch self {
        case .EACCES: Foundation.EACCES
        case .EDQUOT: Foundation.EDQUOT
        case .EEXIST: Foundation.EEXIST
        case .EFBIG: Foundation.EFBIG
        case .EINTR: Foundation.EINTR
        case .EINVAL: Foundation.EINVAL
        case .EIO: Foundation.EIO
        case .EISDIR: Foundation.EISDIR
        case .EMFILE: Foundation.EMFILE
        case .ENAMETOOLONG: Foundation.ENAMETOOLONG
        case .ENFILE: Foundation.ENFILE
        case .ENODEV: Foundation.ENODEV
        case .ENOENT: Foundation.ENOENT
        case .ENOSPC: Foundation.ENOSPC
        case .ENOTDIR: Foundation.ENOTDIR
        case .EPERM: Foundation.EPERM
        case .EROFS: Foundation.EROFS
        case .ESTALE: Foundation.ESTALE
        case .ETXTBSY: Foundation.ETXTBSY
        }
    }
}
