import DeviceSim
import Testing

@testable import DeviceSimLanguage

/// What newcomers write, and the line that they are told to write instead.
@Suite struct LineRemedyTests {
    private static let keys = "key theme: String\n    security none\nkey count: Int\n    security none\n"

    /// All that is said of a line in a file with two keys, message and hint.
    private static func said(_ line: String) -> [String] {
        compile(keys + line + "\n").diagnostics.map { $0.message + "\n" + ($0.hint ?? "") }
    }

    @Test(arguments: [
        ("key t: String?", "every key may be missing\nwrite `String`"), ("key t: [Int]?", "every key may be missing"),
        ("key t: String!", "every key may be missing"), ("key t: [String: Int]", "no types of dictionaries"),
        ("key t: [String: Int]", "write `Any`"), ("key t: Set<String>", "the types are `String`, `Int`"),
        ("key t: [String", "this `[` is not closed"), ("expect phone theme not \"dark\"", "`never phone theme \"dark\" for 1s`"),
        ("expect phone theme != \"dark\"", "`never phone theme \"dark\" for 1s`"),
        ("expect not phone theme \"dark\"", "`never phone theme \"dark\" for 1s`"), ("expect phone is not locked", "`never phone"),
        ("expect never phone theme \"dark\" for 1s", "leave out `expect`"),
        ("expect phone theme \"a\" or \"b\" or \"c\" or \"d\" or \"e\"", "at most 4 values"),
        ("expect phone theme missing or \"a\" or \"b\"", "`missing` stands last"),
        ("phone observes isReachable", "`phone observes the session`"),
        ("expect phone observed isReachable true", "`expect event session.observed on phone with keyPath \"isReachable\", value true`"),
        ("never watch observed activationState inactive for 1s", "with keyPath \"activationState\", value \"inactive\"`"),
        ("phone set theme nil", "`phone remove theme`"), ("phone set theme null", "`phone remove theme`"),
        ("watch widget set count nil", "`watch widget remove count`"), ("watch widget set count null", "`watch widget remove count`"),
        ("expect phone theme null", "`expect phone theme missing`"),
        ("watch is off", "`watch power off` switches it off, `start watch off` begins so, and `expect watch is off`"),
        ("phone is locked", "`phone lock`"), ("phone is on", "`phone power on`"), ("phone is unlocked", "`phone unlock`"),
        ("set phone theme \"x\"", "the device comes first: `phone set …`"), ("set theme \"x\"", "the device comes first: `phone set …`"),
        ("launch watch", "the device comes first: `watch launch …`"), ("phone wrist down", "only a watch has this: `watch wrist …`"),
        ("phone complication on", "only a watch has this: `watch complication …`"),
        ("watch switches to watch2", "only the phone does this: `phone switches …`"),
        ("knob message.timeout 5s", "did you mean `message.replyTimeout` or `message.transferTimeout`?"),
        ("knob message.limt 5", "did you mean `message.limit`?"), ("knob link.latancy 5s", "did you mean `link.latency`?"),
        ("expect watch theme \"dark\" in 5s", "did you mean `within 5s`?"),
        ("never watch theme \"dark\" in 5s", "did you mean `for 5s`?"),
        ("expect phone theme fails locked or missing", "an error stands alone, and `or` between values"),
        ("phone get theme fails locked or notFound", "a step fails with one error"),
        ("expect phone theme exists or missing", "that there is a value or none is always so"),
        ("expect event storage.set on phone or watch", "without `on phone` it is an event on whichever device"),
        ("expect phone app running or suspended", "`or` stands between values of a key only"),
        ("expect phone theme \"a\" and watch theme \"a\"", "write a line for each"), ("expect theme \"a\"", "`expect phone theme …`"),
        ("expect phone theme not missing", "write `expect phone theme exists`"),
        ("expect phone and watch agree", "`expect devices agree`"), ("expect agree", "`expect devices agree`"),
        ("expect both theme \"a\"", "a line for each device"),
        ("expect devices theme \"a\"", "write `expect devices agree on theme`"), ("expect phone locked", "write `expect phone is locked`"),
        ("expect phone get theme fails locked", "`get` is a step"), ("expect phone fails locked", "say of which key"),
        ("expect phone no theme", "`expect phone theme missing`"),
        ("expect phone keychain has theme", "`expect phone disk contains theme`"),
        ("expect no errors", "`expect nothing else`"), ("expect phone app is running", "write `expect phone app running`"),
        ("expect phone theme empty", "`expect phone theme missing`"), ("expect watch theme syncs within 5s", "wait for the value"),
        ("expect phone theme locked", "write `expect phone theme fails locked`"),
        ("expect phone theme \"a\" always", "`expect … for 5s` looks whether it is so all the time"),
        ("phone get theme \"a\"", "a line of its own: `expect phone theme …`"),
        ("phone get theme = \"a\"", "a line of its own: `expect phone theme …`"),
        ("phone set theme to \"a\"", "values stand behind the key"), ("phone update 2.0", "write `phone update to 2.0`"),
        ("wait for 5s", "write `wait 5s`"), ("wait until 10s", "`at 10s`"), ("link off", "write `link down`"),
        ("link on", "write `link up`"),
        ("phone offload", "`phone update to 1.0`"), ("watch charging", "`watch taken off`"),
        ("key t: String\n    domain userDefaults\n    phone lock", "do not indent it"),
        ("key t: String\n    expect phone theme \"x\"", "do not indent it"),
    ])
    func whatIsMeantIsSaid(_ line: String, _ remedy: String) {
        let said = Self.said(line)
        #expect(said.contains { $0.contains(remedy) }, "\(line): \(said)")
        #expect(said.count == 1, "\(said)")
    }

    /// The lines that are shown instead can be read.
    @Test(arguments: [
        "never phone theme \"dark\" for 1s", "expect watch theme \"dark\" or \"light\" or missing", "phone observes the session",
        "expect event session.observed on phone with keyPath \"isReachable\", value true", "phone remove theme",
        "watch widget remove count",
        "expect event session.observed on watch with keyPath \"activationState\", value \"inactive\"", "watch power off",
        "expect phone theme \"dark\" or missing", "expect devices agree", "expect devices agree on theme", "expect phone theme missing",
        "expect phone disk contains theme", "expect nothing else", "expect no event storage.failed", "expect phone app running",
        "expect phone theme fails locked", "expect phone theme \"dark\" for 5s", "phone update to 2.0", "at 10s", "phone update to 1.0",
        "watch taken off", "phone app does \"deny notifications\"", "phone person fails", "expect watch is off", "phone power on",
        "phone unlock", "watch wrist down", "watch complication on",
    ])
    func whatIsShownIsALine(_ line: String) { #expect(Self.said(line).isEmpty, "\(Self.said(line))") }

    /// A device's other lines are none of these.
    @Test func aStepThatIsOnlyMisspelledIsStillFound() {
        #expect(Self.said("phone lok").first?.contains("did you mean `lock`?") == true)
        #expect(Self.said("watch is lyed to about counters").first?.contains("`lied`") == true)
    }
}
