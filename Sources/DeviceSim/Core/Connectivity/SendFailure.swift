import WatchConnectivity

/// Why something that an app sent did not get through.
package struct SendFailure: Error, Sendable, Hashable {
    let code: WCError.Code
    let reason: String

    init(code: WCError.Code, reason: String) {
        self.code = code
        self.reason = reason
    }

    init(_ problem: PayloadProblem) {
        self.init(code: problem.code, reason: problem.reason)
    }

    var error: WCError { WCError(code, failureReason: reason) }
    var facts: [TraceEvent.Fact] {
        [.init("error", .text(code.name)), .init("code", .number(code.rawValue)), .init("reason", .text(reason))]
    }
}
