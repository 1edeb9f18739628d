/// What lies at a key's place on a device. Never a value.
public enum StoragePresence: Sendable, Hashable {
    case missing
    /// Something is there, of this size in bytes as it is stored; `nil` where a person would have to authenticate first.
    case present(byteCount: Int?)
    /// It cannot be told for now, such as on a locked device.
    case unreadable(StorageError.Code)
    /// The name is a placeholder for names made at run time, or the key belongs to another kind of device.
    case notApplicable
}
