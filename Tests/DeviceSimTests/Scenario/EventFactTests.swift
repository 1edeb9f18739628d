import DeviceSim
import Testing

@testable import DeviceSimLanguage
@testable import DeviceSimRunner

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
                    case .text, .list: ["deletions", "key", "keys", "omitted"].contains(name) ? "\"theme\"" : "\"x\""
                    case .word(let words): "\"\(words.last ?? "")\""
                    }
                let said = Self.said("expect no event \(kind.rawValue) with \(name) \(value)")
                #expect(said.isEmpty, "\(kind.rawValue) \(name): \(said)")
            }
        }
    }

    /// A device on which such an event never is would make `expect no event …` hold as well.
    @Test(
        arguments: [
            ("link.down", "phone", "name no device"), ("link.down", "watch", "name no device"),
            ("scenario.step", "phone", "name no device"),
            ("device.wristDown", "phone", "write `watch`"), ("app.backgroundTask", "phone", "write `watch`"),
            ("session.companionAppInstalledChanged", "phone", "write `watch`"), ("session.inactive", "watch", "write `phone`"),
            ("app.prewarm", "watch", "write `phone`"),
        ])
    func aDeviceThatNeverHasItIsRefused(_ event: String, _ device: String, _ hint: String) {
        for line in [
            "expect no event \(event) on \(device)", "never event \(event) on \(device) for 1s", "expect in order\n    \(device) \(event)",
        ] {
            let said = Self.said(line)
            #expect(said.contains("`\(event)` never happens on the \(device): ") && said.contains(hint), "\(line): \(said)")
        }
        #expect(Self.said("expect no event \(event)").isEmpty)
    }

    /// Keys are named as they are stored, by storage and by sync.
    @Test(
        arguments: [
            ("storage.set", "key \"theme\"", "write `key \"user.theme\"`"), ("sync.applied", "key \"theme\"", "write `key \"user.theme\"`"),
            ("sync.sent", "keys \"theme\"", "write `keys \"user.theme\"`"),
            ("sync.applied", "key \"user.thmee\"", "did you mean \"user.theme\"?"),
            ("storage.set", "key \"x\"", "the keys are `user.theme`"), ("storage.set", "key \"user.theme\"", ""),
            ("sync.ignored", "key \"of another version\"", ""), ("context.delivered", "keys \"theme\"", ""),
        ])
    func aKeyThatNobodyHasIsRefused(_ event: String, _ fact: String, _ hint: String) {
        let diagnostics = compile("key theme: String\n    name \"user.theme\"\n\nphone lock\nexpect no event \(event) with \(fact)\n")
            .diagnosticsAsWritten
        #expect(diagnostics.first?.hint == (hint.isEmpty ? nil : hint), "\(diagnostics)")
    }

    @Test func storageAndSyncCallAKeyTheSame() throws {
        let run = try scenario(
            """
            key theme: String
                name "user.theme"
                sync automaticSmall

            phone set theme "dark"
            expect event storage.set on phone with key "user.theme"
            expect event sync.applied on watch with key "user.theme" within 5s
            """)
        guard case .passed = ScenarioRunner.run(run).outcome else { return #expect(Bool(false), "it must pass") }
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
