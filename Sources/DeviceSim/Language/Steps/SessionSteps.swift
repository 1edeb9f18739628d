import DeviceSimCore
import WatchConnectivity

/// The app on a device uses its session, or is told how to behave towards it.
public struct SessionStep: Sendable, Hashable {
    /// On which device.
    public let device: DeviceID
    /// What app code does with the session.
    public let action: Action
    /// For a send: what its error handler is told. The step then waits for that.
    public let outcome: StepOutcome

    /// A step of app code with the session.
    public init(_ device: DeviceID, _ action: Action, outcome: StepOutcome = .succeeds) {
        self.device = device
        self.action = action
        self.outcome = outcome
    }

    /// What app code can do with the session.
    public enum Action: Sendable, Hashable {
        /// Sets the delegate and calls `activate()`; does not wait for the result.
        case activate
        /// Calls `activate()` on a session without a delegate (W4).
        case activateWithoutDelegate
        /// Lets go of the delegate, which the session holds weakly (W8).
        case releaseDelegate
        /// Begins to observe all properties of the session whose changes code can be told of, for as long as the process lives.
        case observe
        /// `updateApplicationContext(_:)`.
        case updateContext(ScenarioValue)
        /// `label` names the message for later expectations.
        case sendMessage(ScenarioValue, expectsReply: Bool, label: String?)
        /// The value is ``ScenarioValue/data(_:)``.
        case sendMessageData(ScenarioValue, expectsReply: Bool, label: String?)
        /// From now on the app's delegate has, or lacks, that optional method. Survives the process: it is the app's code.
        case implements(WCSessionDelegateMethod, Bool)
        /// From its next launch on the app registers, or not, a provider of the key material of that source. It is the app's code.
        case provides(source: String, Bool)
        /// From now on the app answers messages so. Survives the process: it is the app's code.
        case answersMessages(MessageAnswer)
    }
}

/// What an app does with a message that wants a reply.
public enum MessageAnswer: Sendable, Hashable {
    /// What the reference app does: answers a sync request with a snapshot and anything else with an empty dictionary.
    case asReferenceApp
    /// A fixed reply, after a time. For message data the value is ``ScenarioValue/data(_:)``.
    case reply(ScenarioValue, after: VirtualDuration)
    /// Never calls the reply handler.
    case never
}

extension SessionStep {
    /// The lines that say what app code does with the session.
    enum Forms {
        static let activate = step(
            "DEVICE activate", "the app sets itself as delegate and activates its session", example: "phone activate", .activate)
        static let activateWithoutDelegate = step(
            "DEVICE activate without delegate", "the app activates its session and forgot the delegate (W4)",
            example: "phone activate without delegate", .activateWithoutDelegate)
        static let releaseDelegate = step(
            "DEVICE release delegate", "the app lets go of the delegate, which the session holds weakly (W8)",
            example: "phone release delegate", .releaseDelegate)
        static let observe = step(
            "DEVICE observes the session",
            "the app's code observes the session's properties from now on, until its process ends: each change of "
                + Suggestion.list(TraceEvent.Kind.observedProperties, limit: 16) + " is an event `session.observed`",
            example: "phone observes the session", .observe)
        static let updateContext = Form(
            .session, "DEVICE update context OBJECT [OUTCOME]", "the app updates the application context",
            example: "phone update context {\"theme\": \"dark\"}"
        ) { match in match.value(.object).flatMap { step(match, .updateContext($0)) } }
        static let sendMessage = Form(
            .session, "DEVICE send message OBJECT [expecting reply] [as NAME] [OUTCOME]",
            "the app sends a message; with `as NAME` the step does not wait, and `expect message NAME` says what must come of it",
            example: "watch send message {\"ask\": \"theme\"} expecting reply as m1"
        ) { match in
            match.value(.object).flatMap { value in
                let label = messageLabel(match)
                return step(match, .sendMessage(value, expectsReply: match.has("expecting"), label: label))
            }
        }
        static let sendMessageData = Form(
            .session, "DEVICE send data VALUE [expecting reply] [as NAME] [OUTCOME]", "the app sends a message of bare data",
            example: "phone send data data(100 bytes) as d1"
        ) { match in
            guard let value = match.value() else { return nil }
            guard case .data = value else {
                if let capture = match.capture(.value) {
                    match.diagnose(
                        capture.range, "message data is Data, and this is \(value.kindName)",
                        hint: "write `data(100 bytes)` or `base64(\"…\")`")
                }
                return nil
            }
            let label = messageLabel(match)
            return step(match, .sendMessageData(value, expectsReply: match.has("expecting"), label: label))
        }
        static let reply = Form(
            .session, "DEVICE replies VALUE [after TIME]", "from now on the app answers each message so; data answers message data",
            example: "watch replies {\"theme\": \"dark\"} after 2s"
        ) { match in
            guard let value = match.value(), let capture = match.capture(.value) else { return nil }
            switch value {
            case .object, .data: return step(match, .answersMessages(.reply(value, after: match.time() ?? .zero)))
            default:
                match.diagnose(
                    capture.range, "a reply is an object or data, and this is \(value.kindName)", hint: "such as `{\"theme\": \"dark\"}`")
                return nil
            }
        }
        static let neverReply = step(
            "DEVICE never replies", "from now on the app calls no reply handler", example: "phone never replies", .answersMessages(.never))
        static let replyAsReferenceApp = step(
            "DEVICE replies as usual", "from now on the app answers as the reference app does", example: "phone replies as usual",
            .answersMessages(.asReferenceApp))
        static let provides = provider(
            "DEVICE app provides STRING",
            "from its next launch on the app registers the provider of that external key material, as it does of all",
            example: "phone app provides \"remote.1\"", true)
        static let doesNotProvide = provider(
            "DEVICE app does not provide STRING", "from its next launch on the app registers no provider of that external key material",
            example: "phone app does not provide \"remote.1\"", false)
        static let implements = method(
            "DEVICE app implements METHOD", "the app's delegate has that method", example: "watch app implements didReceiveMessage", true)
        static let doesNotImplement = method(
            "DEVICE app does not implement METHOD", "the app's delegate lacks that method",
            example: "watch app does not implement didReceiveMessageWithReply", false)

        /// In the order in which the grammar shows them, and in which they are tried.
        static let all: [Form] =
            [
                activate, activateWithoutDelegate, releaseDelegate, observe, updateContext, sendMessage, sendMessageData, reply, neverReply,
                replyAsReferenceApp, provides, doesNotProvide, implements, doesNotImplement,
            ]

        private static func step(_ pattern: String, _ help: String, example: String, _ action: SessionStep.Action) -> Form {
            Form(.session, pattern, help, example: example) { step($0, action) }
        }

        private static func method(_ pattern: String, _ help: String, example: String, _ isImplemented: Bool) -> Form {
            Form(.session, pattern, help, example: example) { match in
                match.word(.method).flatMap { WCSessionDelegateMethod(scenarioName: $0) }.flatMap {
                    step(match, .implements($0, isImplemented))
                }
            }
        }

        private static func provider(_ pattern: String, _ help: String, example: String, _ isProvided: Bool) -> Form {
            Form(.session, pattern, help, example: example) { match in
                guard let source = match.string() else { return nil }
                if let known = match.context.keyMaterialSources, !known.isEmpty, !known.contains(source) {
                    match.diagnose(
                        match.capture(.string)?.range ?? match.range, "no key of this file is sealed under \(ScenarioValue.quoted(source))",
                        hint: "the keys name \(Suggestion.list(known.sorted().map(ScenarioValue.quoted), limit: 8, last: "and"))")
                    return nil
                }
                return step(match, .provides(source: source, isProvided))
            }
        }

        private static func step(_ match: Match, _ action: SessionStep.Action) -> Meaning? {
            match.device.map { .step(.session(SessionStep($0, action, outcome: match.outcome))) }
        }

        private static func messageLabel(_ match: Match) -> String? {
            let label = match.newName(of: "message", in: \.messages)
            if let label, match.has("expecting") { match.context.answerableMessages.insert(label) }
            return label
        }
    }

    /// The line that says it. The compiler asks here for the form of a new action.
    var wording: Wording {
        switch action {
        case .activate: Forms.activate.filled()
        case .activateWithoutDelegate: Forms.activateWithoutDelegate.filled()
        case .releaseDelegate: Forms.releaseDelegate.filled()
        case .observe: Forms.observe.filled()
        case .updateContext(let value): Forms.updateContext.filled([.object: value.notation])
        case .sendMessage(let value, let expectsReply, let label):
            Forms.sendMessage.filled([.object: value.notation, .name: label], expectsReply ? "expecting" : nil)
        case .sendMessageData(let value, let expectsReply, let label):
            Forms.sendMessageData.filled([.value: value.notation, .name: label], expectsReply ? "expecting" : nil)
        case .implements(let method, true): Forms.implements.filled([.method: method.scenarioName])
        case .implements(let method, false): Forms.doesNotImplement.filled([.method: method.scenarioName])
        case .provides(let source, true): Forms.provides.filled([.string: ScenarioValue.quoted(source)])
        case .provides(let source, false): Forms.doesNotProvide.filled([.string: ScenarioValue.quoted(source)])
        case .answersMessages(.asReferenceApp): Forms.replyAsReferenceApp.filled()
        case .answersMessages(.never): Forms.neverReply.filled()
        case .answersMessages(.reply(let value, let delay)):
            Forms.reply.filled([.value: value.notation, .time: delay == .zero ? nil : "\(delay)"])
        }
    }
}
