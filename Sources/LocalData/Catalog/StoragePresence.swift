/// What lies at a key's place on a device. Never a value.
public enum StoragePresence: Sendable, Hashable {
    /// Nothing is there; the place was readable.
    case missing
    /// Something is there, of this size in bytes as it is stored; `nil` where a person would have to authenticate first.
    case present(byteCount: Int?)
    /// Something is there that `get` cannot return, now or later: corrupt, of another type, or sealed as something else.
    case damaged(StorageError.Code)
    /// It cannot be read for now, such as on a locked device, or without its key. It may be there or not.
    case unreadable(StorageError.Code)
    /// The name is a placeholder for names made at run time, or the key belongs to another kind of device.
    case notApplicable
}
