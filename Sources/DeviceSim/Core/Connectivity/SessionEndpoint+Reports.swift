import WatchConnectivity

/// What a developer should know of, and no callback says.
extension SessionEndpoint {
    /// A failure that the app has no code for.
    /// - Parameter what: `message`, `user info` or `file`.
    func recordUnobserved(_ what: String, _ number: Int, _ failure: SendFailure, because cause: String) {
        record(
            .unobservedFailure,
            [
                .init("what", .text(what)), .init("sequence", .number(number)), .init("error", .text(failure.code.name)),
                .init("reason", .text(failure.reason)), .init("because", .text(cause)),
            ])
    }

    /// Whether this device's session has a member that Apple's has on one side only. The first use on the other side is noted.
    func isMember(_ member: String, of side: Side) -> Bool {
        if life.device.isPhone == (side == .phone) { return true }
        if isKnownMisuse.insert(member).inserted {
            record(.misuse, [.init("member", .text(member)), .init("only", .text(side == .phone ? "iOS" : "watchOS"))])
        }
        return false
    }

    enum Side {
        case phone, watch
    }
}
