import DeviceSim
import Foundation
import Testing

@testable import PairsimTool

/// `pairsim watch`: what changed is run, and failures stand first.
struct WatchTests {
    /// Runs a watch, with something done between the rounds.
    private func watch(_ bench: Bench, _ line: String, _ changes: [() throws -> Void]) -> Bench.Ending {
        var bench = bench
        var rest = changes[...]
        bench.pause = { _ in
            guard let change = rest.popFirst() else { return false }
            try? change()
            return true
        }
        return bench.run(line)
    }

    @Test func whatChangesIsRun() throws {
        let good = NewScenario.text(title: "A")
        let bad = good.replacing("\"dark\" within", with: "\"light\" within")
        let bench = Bench.real(["Scenarios/a.scenario": good, "Scenarios/b.scenario": good])
        let files = bench.files
        let ending = watch(
            bench, "watch",
            [
                { try files.write(Data(bad.utf8), to: "Scenarios/b.scenario") }, {},
                { try files.write(Data("phone sing\n".utf8), to: "Scenarios/a.scenario") },
                { try files.write(Data(good.utf8), to: "Scenarios/a.scenario") },
            ])
        let rounds = ending.output.components(separatedBy: "watching; Ctrl-C ends\n").dropLast()
        #expect(rounds.count == 4, "\(ending.output)")
        guard rounds.count == 4 else { return }
        #expect(rounds[0].contains("2 passed, 0 failed (2 files"))
        #expect(rounds[1].hasPrefix("Scenarios/b.scenario:") && rounds[1].contains("1 passed, 1 failed (1 of 2 files"))
        #expect(rounds[2].contains("1 does not parse") && rounds[2].contains("another value was found"))
        #expect(rounds[3].contains("1 passed, 1 failed"))
        #expect(ending.status == .failed)
    }

    @Test func standardInputIsNotWatched() {
        let ending = Bench.real(["a.scenario": NewScenario.text(title: "A")]).run("watch a.scenario -")
        #expect(ending.status == .usage && ending.errors.contains("standard input (-) comes once; name a file"), "\(ending.errors)")
    }

    @Test func whatIsIncludedConcernsAll() throws {
        let bench = Bench.real([
            "Scenarios/a.scenario": "# A.\ninclude \"shared/keys.inc\"\n\nphone set theme \"a\"\n",
            "Scenarios/shared/keys.inc": "key theme: String\n",
        ])
        let files = bench.files
        let ending = watch(bench, "watch", [{ try files.write(Data("key other: String\n".utf8), to: "Scenarios/shared/keys.inc") }])
        #expect(ending.status == .unparsable && ending.output.contains("1 does not parse (1 file,"), "\(ending.output)")
    }

    /// Whatever it is called, wherever it lies, and although it is not there yet.
    @Test func whatIsIncludedFromAnywhereIsWatched() throws {
        let bench = Bench.real([
            "Scenarios/a.scenario": "# A.\ninclude \"../elsewhere/all.txt\"\n\nphone set theme \"a\"\n",
            "Scenarios/b.scenario": NewScenario.text(title: "B"), "elsewhere/all.txt": "include \"keys.inc\"\n",
        ])
        let files = bench.files
        let ending = watch(
            bench, "watch",
            [
                { try files.write(Data("key theme: String\n".utf8), to: "elsewhere/keys.inc") },
                { try files.write(Data("key other: String\n".utf8), to: "elsewhere/keys.inc") }, {},
                { try files.write(Data("key theme: String\n".utf8), to: "elsewhere/all.txt") },
            ])
        let rounds = ending.output.components(separatedBy: "watching; Ctrl-C ends\n").dropLast()
        #expect(rounds.count == 4, "\(ending.output)")
        let summaries = rounds.map { $0.split(separator: "\n").last.map(String.init) ?? "" }
        #expect(summaries.map { $0.contains("1 does not parse") } == [true, false, true, false], "\(summaries)")
        #expect(summaries.dropFirst().allSatisfy { $0.contains("(1 of 2 files") }, "\(summaries)")
    }

    @Test func twoWatchersDoNoHarm() throws {
        let bench = Bench.real(["Scenarios/a.scenario": NewScenario.text(title: "A")])
        var inner: Bench.Ending?
        let outer = watch(bench, "watch", [{ inner = watch(bench, "watch", [{}]) }])
        #expect(outer.status == .passed && inner?.status == .passed)
        #expect(bench.files.paths == ["Scenarios/a.scenario"])
    }

    @Test func aFileThatGoesIsForgotten() throws {
        let bench = Bench.real(["x/a.scenario": "phone sing\n"])
        #expect(watch(bench, "watch nowhere", []).status == .cannotRun)
        #expect(watch(bench, "watch --json x", []).output.split(separator: "\n").count == 1)
        #expect(watch(bench, "watch x", []).status == .unparsable)
    }
}
