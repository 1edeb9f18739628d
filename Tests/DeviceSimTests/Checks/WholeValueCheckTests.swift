import DeviceSim
import DeviceSimCore
import DeviceSimLanguage
import Testing

@testable import DeviceSimRunner
@testable import DeviceSimSearch

/// A whole value on the phone, and smaller forms in its place.
@Suite struct WholeValueCheckTests {
    private static let source = """
        # A picture.

        key photo: String
            domain      fileSystem documents
            security    none
            sync        automaticSmall
            watch form  first 4

        settle

        """

    /// What lies on the phone one after the other, and whether the last of it is held against LocalData. A value that was written is none of another's
    /// forms, and what a loss took away may be found in any form.
    @Test(arguments: [
        (["harbour at dawn", "sker"], "wait", true), (["harbour at dawn", "sker"], "power loss", false), (["sker"], "wait", false),
        (["harbour at dawn", "skerry in fog"], "wait", false), (["moor", "sker"], "wait", false),
        (["harbour at dawn", "fjord"], "wait", false),
    ])
    func smallerForms(_ values: [String], _ last: String, isFound: Bool) throws {
        let compilation = ScenarioCompiler.compile(path: "a", files: .memory(["a": Self.source]))
        let scenario = try #require(compilation.scenarios.first, "\(compilation.diagnostics)")
        let run = ScenarioRun(scenario, schedule: CrashSchedule(scenario), seed: 1, options: RunOptions(), root: nil, catalogs: [:])
        defer { run.simulation.shutDown() }
        try #require(try run.begin { true })
        let reference = KeyReference(index: 0, identifier: "photo")
        let key = CheckedKey(scenario.keys[0], at: reference, binding: run.keys[reference], among: scenario.keys)
        var keeper = InvariantChecker(keys: [key], knobs: scenario.knobs)
        for value in ["harbour at dawn", "skerry in fog", "moor"] {
            let place = keeper.place(of: key, on: .phone)
            keeper.histories[place].acknowledge(keeper.histories[place].begin(.string(value), on: .phone, step: 0))
        }
        var check = WholeValueCheck()
        var violation: Violation?
        for (number, value) in values.enumerated() {
            let binding = run.keys[reference]
            let planting = run.simulation.phone.inspect("plant") { try await binding.plant(.string(value), with: $0) }
            try run.simulation.finish(planting)
            let isLoss = number == values.count - 1 && last == "power loss"
            let action: ScenarioStep.Action = isLoss ? .device(DeviceStep(.phone, .powerLoss)) : .time(.wait(.seconds(1)))
            violation = try check.check([StepObservation(action: action, result: .done)], in: run, keeper, step: number)
        }
        #expect((violation?.invariant == .durability) == isFound, "\(violation?.explanation ?? [])")
    }
}
