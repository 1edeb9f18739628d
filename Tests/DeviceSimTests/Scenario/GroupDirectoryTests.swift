import DeviceSim
import Testing

/// A directory of the app's choice that lies in an App Group's container is the group's. No scenario, since a search over files does not know when a device
/// has the container.
@Suite struct GroupDirectoryTests {
    @Test(arguments: 0..<6) func whatAWidgetSetsBackThereIsAnEdit(_ order: UInt64) throws {
        let text = """
            key note: String
                domain    fileSystem custom "/Containers/Shared/AppGroup/group.com.example/notes"
                security  none
                sync      automaticSmall
            key entitles: String
                domain    appGroupFileSystem "group.com.example" documents
                security  none

            phone set entitles "x"
            watch set entitles "y"
            phone set note "A"
            settle
            phone set note "B"
            settle
            expect watch note "B"
            phone terminate
            phone widget launch
            expect phone widget note "B"
            phone widget set note "A"
            phone launch
            settle
            expect phone note "A"
            expect watch note "A"
            """
        let compilation = ScenarioCompiler.compile(path: "directory.scenario", files: .memory(["directory.scenario": text]))
        let scenario = try #require(compilation.scenarios.first, "\(compilation.diagnostics)")
        var options = RunOptions()
        options.order = order == 0 ? .firstInFirstOut : .seeded(order)
        let result = ScenarioRunner.run(scenario, options: options)
        guard case .passed = result.outcome else { return #expect(Bool(false), "\(result.outcome)") }
    }
}
