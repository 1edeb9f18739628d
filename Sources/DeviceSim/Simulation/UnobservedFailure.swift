/// Something that failed and no code of an app was told of: a transfer whose failure came to a delegate without `didFinish`, a message
/// without an error handler, data handed to a delegate that lacks the method.
///
/// What an app's own code throws away cannot be seen here: a `try?` around `updateApplicationContext` leaves a `context.refused` in the
/// trace, an ignored error of LocalData nothing.
public struct UnobservedFailure: Sendable, Hashable {
    public let time: VirtualTime
    public let device: DeviceID?
    /// Which run of the app it happened in; `nil` outside the app.
    public let process: Int?
    /// What failed: `message`, `user info` or `file`, and its number.
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

    init?(_ event: TraceEvent) {
        guard event.kind == .unobservedFailure, case .text(let what)? = event["what"], case .number(let number)? = event["sequence"],
            case .text(let error)? = event["error"], case .text(let cause)? = event["because"]
        else { return nil }
        time = event.time
        device = event.device
        process = event.process
        self.what = "\(what) \(number)"
        self.error = error
        self.cause = cause
    }
}

extension UnobservedFailure: CustomStringConvertible {
    /// In one line, for a person.
    public var description: String {
        "\(time) \(device.map { "\($0)" } ?? "-"): \(what) failed with \(error), and nobody was told: \(cause)"
    }
}

extension Trace {
    /// In the order in which they happened.
    public var unobservedFailures: [UnobservedFailure] { events.compactMap { UnobservedFailure($0) } }
}
