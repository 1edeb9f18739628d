import DeviceSim
import Foundation
import Testing

@testable import KindsPhone
@testable import KindsWatch

/// Delegates and observed properties, as for Objective-C.
@Suite struct RemoteTests {
    static let scenarios = ScenarioSuite("Scenarios/remote") {
        RemotePhone()
    } watch: {
        RemoteWatch()
    }

    @Test(arguments: scenarios.cases) func scenario(_ scenario: ScenarioCase) throws {
        try scenario.check { Attachment.record($0, named: $1) }
    }
}

private final class RemotePhone: SimulatedApp {
    @MainActor func didFinishLaunching(inBackground: Bool) async { KindsPhone.RemoteScreen.shared.open() }

    @MainActor func perform(_ action: String, with value: ScenarioValue) async throws {
        switch (action, value) {
        case ("turn", .integer(let steps)): KindsPhone.RemoteControl.shared.turn(by: Int(steps))
        case ("close", .null): KindsPhone.RemoteScreen.shared.close()
        case ("send list", .null):
            let file = SystemShims.FileManager.default.temporaryDirectory.appendingPathComponent("list")
            try SystemShims.write(Data(count: 500_000), to: file, options: [])
            KindsPhone.RemoteControl.shared.sendList(at: file)
        default: throw AppActionError("the app has no action '\(action)'")
        }
    }

    @MainActor func shown(_ name: String) async throws -> ScenarioValue {
        switch name {
        case "label": .string(KindsPhone.RemoteScreen.shared.label)
        case "sent": .double(KindsPhone.RemoteScreen.shared.sent)
        default: .integer(Int64(KindsPhone.RemoteControl.shared.volume))
        }
    }
}

private final class RemoteWatch: SimulatedApp {
    @MainActor func didFinishLaunching(inBackground: Bool) async { KindsWatch.RemoteScreen.shared.open() }

    @MainActor func perform(_ action: String, with value: ScenarioValue) async throws {
        guard case .integer(let steps) = value else { throw AppActionError("the app has no action '\(action)'") }
        KindsWatch.RemoteControl.shared.turn(by: Int(steps))
    }
}
