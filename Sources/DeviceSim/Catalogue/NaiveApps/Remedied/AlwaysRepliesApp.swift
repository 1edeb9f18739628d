/// The remedy of P11: every way out of the method calls the reply handler, and "nothing" is an answer.
final class AlwaysRepliesApp: ForgottenReplyApp, @unchecked Sendable {
    override func haveNothing(for replyHandler: @escaping ([String: Any]) -> Void) {
        replyHandler(["error": "not loaded"])
    }
}
