/// Why a version of a key is not with the session yet.
public enum SyncObstacle: Sendable, Hashable {
    /// This device has no session, or no counterpart by its nature.
    case sessionNotSupported
    /// The session is not activated yet, or failed to.
    case sessionNotActivated
    /// The phone hands over to another watch.
    case sessionInactive
    /// The phone is paired with no watch.
    case counterpartNotPaired
    /// The app is not installed on the counterpart, and the session refused to send because of that.
    case counterpartAppNotInstalled
    /// The key's policy is ``SyncPolicy/manual`` and nobody asked for a sync since it changed.
    case notRequested
    /// The key's policy is ``SyncPolicy/automaticSmall`` and the serialized value is larger than ``SyncPolicy/maximumAutomaticByteCount``.
    case tooLarge
    /// The context has no room for it beside the other keys and what the app has put there.
    case didNotFit
    /// The value cannot be read for now, such as on a locked device. It is not taken for a deletion.
    case unreadable(StorageError.Code)
    /// The session refused the context, with this code of `WCError`.
    case refused(code: Int)
    /// Nothing stands in the way; the next sync takes it along.
    case waiting
}
