import DeviceSim
import Testing

/// Logs of a phone and its two watches, of which some are missing.
@Suite struct TwoWatchesTests {
    private static let steps = """
        # Two watches.

        start second watch
        key theme: String
            domain    userDefaults
            security  none
            sync      automaticSmall

        phone set theme "dark"
        wait 3s
        phone send message {"a": 1}
        phone transfer user info {"w": 1}
        wait 3s
        phone switches to watch2
        wait 3s
        phone transfer user info {"n": 7}
        phone set theme "light"
        wait 3s

        """

    private func observation(_ devices: [DeviceID]) throws -> Observation {
        let run = try SeenRun(text: Self.steps)
        return Observation(
            devices.map { device in
                let lines = run.result.trace.events.filter { $0.device == device }.map(\.json)
                return (name: "\(device).log", bytes: Array((lines.joined(separator: "\n") + "\n").utf8))
            })
    }

    /// The phone counts what it hands over for each watch: number 2 for one is not number 2 for the other.
    @Test func oneContextOfEachIsNoDuplicate() throws {
        let observation = try observation([.watch, .watch2])
        #expect(!observation.settings.contains { $0.knob.name == "context.duplicates" })
        #expect(observation.verdicts.first { $0.rule.name == "W43" }?.state == .notSeen)
        #expect(!observation.verdicts.contains { $0.state == .contradicted })
    }

    /// Devices do not say that a person changed watches: the phone's session does.
    @Test func theSwitchIsWritten() throws {
        let scenario = try observation([.phone, .watch, .watch2]).scenario()
        #expect(scenario.text.contains("\nphone switches to watch2\n"), "\(scenario.text)")
        #expect(scenario.text.contains("# Assumed: the person put on the other watch where the phone's session became inactive."))
        #expect(scenario.trouble == nil)
        for line in [
            "expect event session.deactivated on phone 1 time", "expect event userInfo.delivered on watch 1 time",
            "expect event userInfo.delivered on watch2 1 time",
        ] { #expect(scenario.text.contains("\n\(line)"), "\(scenario.missed)") }
    }

    /// The watches alone are told of, as far as they go.
    @Test func theWatchesAlone() throws {
        for devices in [[.watch], [.watch2], [.watch, .watch2]] as [[DeviceID]] {
            let scenario = try observation(devices).scenario()
            #expect(scenario.trouble == nil && scenario.text.contains("# Assumed: "))
        }
    }
}
