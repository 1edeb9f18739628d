import AppPhone
import AppWatch
import DeviceSim
import Testing

/// An app of two modules, whose code imports the other by the name that it has in the app, is made a phone and a watch; its views are left out, and the files
/// that its recipe says.
@Suite struct TwoModuleTests {
    @Test func modulesKeepTheirNamesInCode() throws {
        let simulation = Simulation(options: SimulationOptions())
        defer { simulation.shutDown() }
        try simulation.launchBoth()
        let phone = try simulation.run(on: simulation.phone) {
            _ = AppPhone.Model.shared.add("a")
            return AppPhone.Model.shared.add("b")
        }
        let watch = try simulation.run(on: simulation.watch) { AppWatch.Model.shared.add("a") }
        #expect(phone == "phone 2 2")
        #expect(watch == "watch 1 1")
        // By the device's clock, though the code says whose `Date` it means.
        let date = try simulation.run(on: simulation.phone) { AppPhone.standard.date.timeIntervalSince1970 }
        #expect(date == 1_767_258_000.05)
    }

    @Test func whatStandsBesideViewsKeepsItsLine() {
        #expect(AppPhone.Wording.line == 23)
    }
}
