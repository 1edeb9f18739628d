/// Something that failed and no code of an app was told of: a transfer whose failure came to a delegate without `didFinish`, a message
/// without an error handler, data handed to a delegate that lacks the method, a member of the session
/// that this side does not have.
///
/// What an app's own code throws away cannot be seen here: a `try?` around `updateApplicationContext` leaves a `context.refused` in the
/// trace, an ignored error of LocalData nothing.
public struct UnobservedFailure: Sendable, Hashable {
    /// When it failed.
    public let time: VirtualTime
    /// The device on which it failed; `nil` where it is of none.
    public let device: DeviceID?
    /// Which run of the app it happened in; `nil` outside the app.
    public let process: Int?
    /// What failed: `message`, `user info` or `file`, and its number; or a member.
    public let what: String
    /// The name of the error.
    public let error: String
    /// Why nobody knows.
    public let cause: String

    /// One that a report told of.
    package init(time: VirtualTime, device: DeviceID?, process: Int?, what: String, error: String, cause: String) {
        self.time = time
        self.device = device
        self.process = process
        self.what = what
        self.error = error
        self.cause = cause
    }

    package init?(_ event: TraceEvent) {
        guard let facts = Self.failure(event) ?? Self.misuse(event) else { return nil }
        time = event.time
        device = event.device
        process = event.process
        (what, error, cause) = facts
    }

    private typealias Facts = (what: String, error: String, cause: String)

    private static func failure(_ event: TraceEvent) -> Facts? {
        guard event.kind == .unobservedFailure, case .text(let what)? = event["what"], case .number(let number)? = event["sequence"],
            case .text(let error)? = event["error"], case .text(let cause)? = event["because"]
        else { return nil }
        return ("\(what) \(number)", error, cause)
    }

    /// A member that Apple's session has on one side only was used on the other, where the code would not even compile.
    private static func misuse(_ event: TraceEvent) -> Facts? {
        guard event.kind == .misuse, case .text(let member)? = event["member"], case .text(let system)? = event["only"] else { return nil }
        return ("WCSession.\(member)", "wrongSide", "it is on \(system) only, and the call got a value that says nothing")
    }
}

extension UnobservedFailure: CustomStringConvertible {
    /// In one line, for a person.
    public var description: String {
        "\((time - .start).readable) \(device.map { "\($0)" } ?? "-"): \(what) failed with \(error), and nobody was told: \(cause)"
    }
}

extension Trace {
    /// In the order in which they happened.
    public var unobservedFailures: [UnobservedFailure] { events.compactMap { UnobservedFailure($0) } }
}
