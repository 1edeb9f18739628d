import DeviceSim
import Foundation
import Synchronization
import TestSupport
import Testing

/// DeviceLab as two simulated devices: each probe runs to its end, and the logs that it writes say what the rules say.
@Suite struct DeviceLabTests {
    static let folder = repository.appendingPathComponent("Examples/DeviceLab")

    static let scenarios: [String] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent("Scenarios").path)) ?? []
        return names.filter { $0.hasSuffix(".scenario") }.sorted()
    }()

    /// What came of a run, and the logs of both devices.
    static func runs(of file: String) -> [(result: ScenarioResult, logs: LogBox)] {
        let path = folder.appendingPathComponent("Scenarios/\(file)").path
        let compilation = ScenarioCompiler.compile(path: path)
        return compilation.scenarios.map { scenario in
            let box = LogBox()
            var options = RunOptions()
            options.makeApp = { LabTable.app(on: $0, writingTo: box) }
            return (ScenarioRunner.run(scenario, options: options), box)
        }
    }

    @Test(arguments: scenarios) func runsAndContradictsNothing(_ file: String) throws {
        let runs = Self.runs(of: file)
        #expect(!runs.isEmpty)
        for (result, logs) in runs {
            if case .passed = result.outcome {} else { Issue.record("\(result.name): \(result.outcome)") }
            let observation = Observation(logs.all)
            #expect(observation.scenario().trouble == nil)
            #expect(observation.log.events.count > 5)
            let isWhole = observation.log.logs.allSatisfy(\.seemsWhole)
            #expect(isWhole)
            for verdict in observation.verdicts where verdict.state == .contradicted {
                Issue.record(
                    "\(result.name): \(verdict.rule.name) \(verdict.contradictions.map { "\(observation.log.name(of: $0.place)) \($0.text)" })"
                )
            }
            // Never a value: the probes' own payloads have these.
            for log in logs.all { #expect(!String(decoding: log.bytes, as: UTF8.self).contains("\"late\":")) }
        }
    }

    /// Rules whose probe shows nothing where a device does as the simulation does by default: they are about what may happen besides.
    private static let onlyWhereItHappens: Set<String> = [
        "W35", "W36", "W37", "W43", "W52", "W68", "W69", "W70", "W71", "W81", "W100", "W140", "W141", "W144", "W122", "W53", "W10", "W90",
        "W114", "W146",
    ]

    /// Of the rules that a probe is for, the logs say that they are kept.
    @Test func whatAProbeIsForIsSeen() {
        var confirmed: Set<String> = []
        for file in Self.scenarios {
            for (_, logs) in Self.runs(of: file) {
                confirmed.formUnion(Observation(logs.all).verdicts.filter { $0.state == .confirmed }.map(\.rule.name))
            }
        }
        let meant = Set(LabTable.probes.flatMap(\.rules))
        #expect(meant.subtracting(confirmed).subtracting(Self.onlyWhereItHappens).sorted() == [])
        #expect(confirmed.count > 30)
    }

    /// Each rule has a probe, or a reason why a pair of devices cannot show it; none has both.
    @Test func everyRuleHasAProbeOrAReason() throws {
        let rules = Set(SessionRule.table.map(\.name))
        let probed = Set(LabTable.probes.flatMap(\.rules))
        let reasons = LabTable.reasons
        #expect(rules.subtracting(probed).subtracting(reasons.keys).sorted() == [], "no probe and no reason")
        #expect(probed.union(reasons.keys).subtracting(rules).sorted() == [], "no such rule")
        #expect(probed.intersection(reasons.keys).sorted() == [], "a probe and a reason against it")
        let names = LabTable.probes.map(\.name)
        #expect(Set(names).count == names.count)
        // The page has the same table.
        let page = try String(contentsOf: Self.folder.appendingPathComponent("README.md"), encoding: .utf8)
        for rule in SessionRule.table {
            let probes = LabTable.probes.filter { $0.rules.contains(rule.name) }.map { "`\($0.name)`" }
            let row = "| \(rule.name) | \(reasons[rule.name] ?? probes.joined(separator: ", ")) |"
            #expect(page.contains(row), "\(row)")
        }
    }
}

/// What the recorders on both devices have written.
final class LogBox: Sendable {
    private let texts = Mutex<[String: String]>([:])

    func keep(_ text: String, of device: String) { texts.withLock { $0[device] = text } }

    var all: [(name: String, bytes: [UInt8])] {
        texts.withLock { texts in texts.sorted { $0.key < $1.key }.map { ("\($0.key).log", Array($0.value.utf8)) } }
    }
}
