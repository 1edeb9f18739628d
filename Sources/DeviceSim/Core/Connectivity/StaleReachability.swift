/// A session that may miss that its counterpart is back: the rule of W35.
///
/// Where the counterpart was lost and is back within a second or two, the app is told of the loss only, and `isReachable` stays false until the
/// next loss and return.
struct StaleReachability: Sendable, Hashable {
    private var lost: VirtualTime?
    /// Whether the counterpart is back and the session does not know.
    private(set) var hidesReturn = false

    /// Takes in a change of what is true.
    /// - Parameter span: A return within this long goes unnoticed.
    /// - Returns: whether the session notices.
    mutating func change(to isReachable: Bool, at now: VirtualTime, within span: VirtualDuration) -> Bool {
        guard isReachable else {
            lost = now
            defer { hidesReturn = false }
            return !hidesReturn
        }
        if let lost, now - lost < span { hidesReturn = true }
        return !hidesReturn
    }
}
