import Foundation
import LocalData

/// A rule that makes storage operations fail.
public struct StorageFault: Sendable, Hashable {
    /// Which operations it is about.
    public var operations: Set<StorageOperation>
    /// A part of the path, of the suite's name, or of `service/account`; `nil` for any.
    public var place: String?
    /// Which of the operations it hits, counted from 1 from when the fault was set.
    public var occurrence: Int
    /// Whether it also hits all that follow.
    public var isPermanent: Bool
    /// What the operation fails with.
    public var failure: Failure

    /// What an operation can fail with.
    public enum Failure: Sendable, Hashable {
        /// An `errno`, with the host's own numbering. The keychain answers −34 to ENOSPC, −36 to others.
        case errno(Int32)
        /// An `OSStatus`. Files and preferences fail with EIO.
        case status(KeychainStatus)
    }

    /// A fault that hits the first matching operation, once, unless it says otherwise.
    public init(
        _ operations: Set<StorageOperation>, at place: String? = nil, occurrence: Int = 1, isPermanent: Bool = false, failure: Failure
    ) {
        self.operations = operations
        self.place = place
        self.occurrence = occurrence
        self.isPermanent = isPermanent
        self.failure = failure
    }
}

extension StorageFault.Failure {
    var errno: Int32 {
        switch self {
        case .errno(let code): code
        case .status: EIO
        }
    }

    var status: KeychainStatus {
        switch self {
        case .errno(ENOSPC): .diskFull
        case .errno: .inputOutput
        case .status(let status): status
        }
    }
}

extension StorageFault.Failure: CustomStringConvertible {
    /// As the trace has it: a name where there is one, since numbers differ among hosts.
    public var description: String {
        switch self {
        case .errno(let code): Self.names[code] ?? "errno \(code)"
        case .status(let status): "OSStatus \(status.rawValue)"
        }
    }

    /// The errors that storage gives, by number.
    static let names: [Int32: String] = [
        EPERM: "EPERM", ENOENT: "ENOENT", EIO: "EIO", EBADF: "EBADF", ENOMEM: "ENOMEM", EACCES: "EACCES", EBUSY: "EBUSY", EEXIST: "EEXIST",
        ENOTDIR: "ENOTDIR", EISDIR: "EISDIR", EINVAL: "EINVAL", ENFILE: "ENFILE", EMFILE: "EMFILE", EFBIG: "EFBIG", ENOSPC: "ENOSPC",
        EROFS: "EROFS", ENAMETOOLONG: "ENAMETOOLONG", ENOTEMPTY: "ENOTEMPTY", EDQUOT: "EDQUOT",
    ]
}
