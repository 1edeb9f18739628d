import DeviceSim
import Testing

/// A step that could do nothing of what it says fails and tells what to do instead.
@Suite struct IdleStepTests {
    @Test(arguments: ["", "phone background\n", "phone suspend\n"])
    func cachesStayWhileTheAppRuns(_ before: String) throws {
        let result = ScenarioRunner.run(try scenario("\(before)phone purge caches\n"))
        guard case .failed(let failure) = result.outcome else {
            Issue.record("\(result.outcome)")
            return
        }
        #expect(failure.source == "phone purge caches")
        #expect(failure.message.contains("`terminate` it first"))
    }
}
