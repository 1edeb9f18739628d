import DeviceSim
import Testing

@testable import DeviceSimLanguage

/// A fact that an event never has would make `expect no event …` hold whatever happens.
@Suite struct EventFactTests {
    private static func said(_ lines: String) -> String {
        compile("key theme: String\n    security none\n\nphone lock\n" + lines + "\n").diagnostics
            .map { $0.message + ": " + ($0.hint ?? "") }.joined(separator: "\n")
    }

    /// The same fact in each form of line that can ask for one.
    private static let forms = [
        "expect event EVENT on phone with FACT", "expect no event EVENT on phone with FACT", "expect event EVENT with FACT 2 times",
        "never event EVENT with FACT for 1s", "expect event EVENT with FACT at least 1 time within 1s",
        "expect in order\n    phone EVENT with FACT", "expect in any order\n    EVENT with FACT",
    ]

    private static func line(_ form: String, _ event: String, _ fact: String) -> String {
        form.replacing("EVENT", with: event).replacing("FACT", with: fact)
    }

    @Test(
        arguments: forms,
        [
            ("sync.applied", "from \"wach\"", "there is no device \"wach\": did you mean \"watch\"?"),
            ("sync.applied", "keys \"theme\"", "`sync.applied` has the facts `from`, `key` and `sequence`: did you mean `key`?"),
            ("session.observed", "isReachable false", "has the facts `keyPath` and `value`: write `keyPath \"isReachable\"`"),
            ("session.observed", "keyPath \"isreachable\"", "did you mean \"isReachable\"?"),
            ("session.observed", "value \"active\"", "is never \"active\""), ("session.observed", "value 1", "`true`, `false` or a text"),
            ("link.down", "key \"theme\"", "`link.down` has no facts"),
            ("session.reachabilityChanged", "isReachable \"yes\"", "is `true` or `false`"),
            ("storage.set", "key true", "write it in quotation marks"), ("context.delivered", "sequence \"2\"", "is a whole number"),
            ("storage.observed", "origin \"remote\"", "it is one of \"found\", \"local\", \"migration\", \"sync\""),
            ("app.backgroundTask", "for \"file\", because \"x\"", "has the fact `for`"),
            ("message.failed", "error \"lost\"", "is never \"lost\""),
            ("session.error", "error \"sessionNotActivatd\"", "there is no error"),
            ("storage.failed", "error \"lockd\"", "there is no error"),
        ])
    func whatNoEventHasIsRefused(_ form: String, _ wrong: (event: String, fact: String, reason: String)) {
        let said = Self.said(Self.line(form, wrong.event, wrong.fact))
        #expect(said.contains(wrong.reason), "\(form): \(said)")
    }

    @Test(
        arguments: forms,
        [
            ("sync.applied", "key \"theme\", sequence 2"), ("sync.applied", "from \"a device of its own\""),
            ("session.observed", "keyPath \"activationState\", value \"inactive\""),
            ("session.observed", "value false"), ("context.updated", "keys \"theme\""), ("storage.audit", "keys 2"),
            ("storage.failed", "error \"MyError\", by \"widget\""), ("app.log", "text \"x\", success true"),
            ("session.error", "error \"notReachable\", code 7007"),
        ])
    func whatOneHasIsTaken(_ form: String, _ right: (event: String, fact: String)) {
        #expect(Self.said(Self.line(form, right.event, right.fact)).isEmpty)
    }

    /// What the table says that a fact may be can be written.
    @Test func everyFactCanBeAskedFor() {
        for kind in TraceEvent.Kind.allCases {
            for (name, content) in kind.facts.sorted(by: { $0.key < $1.key }) {
                let value: String =
                    switch content {
                    case .number: "1"
                    case .flag, .flagOrWord: "true"
                    case .text, .list: "\"x\""
                    case .word(let words): "\"\(words.last ?? "")\""
                    }
                let said = Self.said("expect no event \(kind.rawValue) with \(name) \(value)")
                #expect(said.isEmpty, "\(kind.rawValue) \(name): \(said)")
            }
        }
    }

    /// A property that only the other device's session has is never true.
    @Test(
        arguments: [
            ("watch", "isPaired", "phone"), ("watch", "isComplicationEnabled", "phone"), ("phone", "isCompanionAppInstalled", "watch"),
            ("phone", "iOSDeviceNeedsUnlockAfterRebootForReachability", "watch"),
        ])
    func whatASessionDoesNotHaveIsNeverTrue(_ device: String, _ property: String, _ other: String) {
        let said = Self.said("expect \(device) session \(property) true")
        #expect(said.contains("`\(property)` is a property of the \(other)'s session, and never true on \(device)"), "\(said)")
        #expect(said.contains("write `expect \(other) session \(property) true`"))
        #expect(Self.said("expect \(device) session \(property) false").isEmpty)
        #expect(Self.said("expect \(other) session \(property) true").isEmpty)
        #expect(Self.said("expect \(device) session isReachable true").isEmpty)
    }
}
