import DeviceSim
import Foundation
import Testing

@testable import PairsimTool
@testable import Specimens

/// `pairsim explore` over an app that does not use LocalData.
struct ExploreOwnAppTests {
    private static let text = """
        # A theme goes over.

        phone app does "choose" with "dark"
        watch app does "choose" with "light"
        settle

        """

    private func bench(_ mistake: ThemeInContexts.Mistake? = nil, text: String = text, invariants: [AppInvariant] = [.bothShow("theme")])
        -> Bench
    {
        var bench = Bench()
        bench.files = MemoryFiles(["app.scenario"])
        bench.realEngine = .deviceSim(
            files: .memory(["app.scenario": text]), app: AppUnderTest(invariants: invariants) { _ in ThemeInContexts(mistake) })
        return bench
    }

    @Test func whatItIsHeldToIsSaid() {
        let ending = bench().run("explore app.scenario --runs 6 --jobs 1 --own-keys")
        #expect(ending.status == .passed, "\(ending.output)\(ending.errors)")
        #expect(ending.output.hasPrefix("Exploring app.scenario: 6 runs, seed 1, strategies fifo, random, pct\n"), "\(ending.output)")
        for text in [
            "the app under test does not use LocalData", "--own-keys draws nothing",
            "held to 1 invariant of the app: \"both show the same theme\"",
            "faults drawn: link, latency, lifecycle, crash, lock, duplicates, together, waking, wrist;",
        ] { #expect(ending.output.contains(text), "\(text)\n\(ending.output)") }
    }

    @Test func whatItIsHeldToIsSaidOfEveryOrder() {
        let ending = bench().run("explore --exhaustive app.scenario --runs 6 --jobs 1")
        #expect(ending.output.hasPrefix("what the app prints is left out\nheld to 1 invariant of the app: "), "\(ending.output)")
        #expect(!bench().run("explore --exhaustive app.scenario --runs 6 --jobs 1 --quiet").output.contains("held to"))
    }

    @Test func withoutInvariantsItSaysSo() {
        let ending = bench(text: Self.text.replacing("\"light\"", with: "\"dark\""), invariants: []).run(
            "explore app.scenario --runs 2 --jobs 1")
        #expect(
            ending.output.contains("the app promises nothing of its own")
                && ending.output.contains("give the action \"choose\" one value alone"))
    }

    @Test func aFindNamesTheInvariantAndTheCommand() throws {
        let bench = bench(.takesWhatComes)
        let ending = bench.run("explore app.scenario --runs 20 --jobs 1 --fault link --report json=out.json --report junit=out.xml")
        #expect(ending.status == .failed)
        #expect(ending.output.contains("expect invariant \"both show the same theme\""), "\(ending.output)")
        #expect(ending.output.contains("explore app.scenario --seed 1 --fault link --only"))
        let report = try ExplorationReport(JSONValue(reading: try #require(bench.files["out.json"])).members("report"))
        #expect(report.search.isOfOwnCode && report.search.faults == ["link"] && report.found.map(\.invariant) == [.app])
        // Nothing is said to be kept that was not looked at.
        let cases = try #require(bench.files.text("out.xml")?.split(separator: "<testcase"))
        #expect(cases.dropFirst().count == Invariant.ofAnyApp.count, "\(cases)")
        #expect(!cases.contains { $0.contains("classname=\"durability\"") })
    }

    @Test func faultsThatDrawNothingAreNamed() {
        let ending = bench().run("explore app.scenario --runs 2 --jobs 1 --fault widget --fault switching --fault link")
        #expect(ending.output.contains("of the faults named, widget draw nothing") && ending.output.contains("switching draws nothing"))
    }

    @Test func aKindOfFaultThatThereIsNotIsRefused() {
        let ending = bench().run("explore app.scenario --fault lnk")
        #expect(ending.status == .usage && ending.errors.contains("--fault lnk: there is no such kind of fault; there are link, latency"))
    }

    @Test(arguments: ["explore", "explore app.scenario --propose out"]) func whatIsAboutLocalDataAloneIsRefused(_ command: String) {
        let ending = bench().run(command)
        #expect(ending.status == (command == "explore" ? .nothingSelected : .cannotRun) && ending.errors.contains("LocalData"))
    }

    /// What others write to a descriptor goes elsewhere, and what the tool writes goes where it did.
    @Test func whatAppsPrintStaysOutOfTheOutput() throws {
        let pipe = Pipe()
        let descriptor = dup(pipe.fileHandleForWriting.fileDescriptor)
        let sink = DescriptorSink(descriptor)
        sink.write("before\n")
        sink.keepToItself(sendingOthersTo: .nowhere)
        DescriptorSink(descriptor).write("an app\n")
        sink.write("after\n")
        close(descriptor)
        try pipe.fileHandleForWriting.close()
        // The sink has a descriptor of its own by now, so there is no end to wait for.
        #expect(pipe.fileHandleForReading.availableData == Data("before\nafter\n".utf8))
    }
}
