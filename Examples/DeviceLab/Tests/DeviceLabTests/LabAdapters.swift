import DeviceSim

@testable import DeviceLabPhone
@testable import DeviceLabWatch

/// What the tests ask of the lab's own types. Where those are imported, the system's names are the simulation's.
enum LabTable {
    static let probes = DeviceLabPhone.LabProbe.all.map { (name: $0.name, rules: $0.rules) }
    static let reasons = DeviceLabPhone.LabCoverage.reasons

    static func app(on device: DeviceID, writingTo box: LogBox) -> any SimulatedApp {
        device.isPhone ? LabPhone(box) : LabWatch(box)
    }
}

private final class LabPhone: HostedApp, @unchecked Sendable {
    private let box: LogBox

    init(_ box: LogBox) {
        self.box = box
        super.init { DeviceLabPhone.LabPhoneDelegate() }
    }

    @MainActor override func perform(_ action: String, with value: ScenarioValue) async throws {
        switch (action, value) {
        case ("probe", .string(let name)): DeviceLabPhone.LabModel.shared.run(name)
        case ("done", _): DeviceLabPhone.LabModel.shared.confirm()
        default: throw AppActionError("the lab has no action '\(action)'")
        }
        box.keep(DeviceLabPhone.LabModel.shared.logText, of: "phone")
    }

    @MainActor override func shown(_ name: String) async throws -> ScenarioValue {
        let model = DeviceLabPhone.LabModel.shared
        box.keep(model.logText, of: "phone")
        if name == "log" { return .string("kept") }
        if name == "isAsking" { return .bool(model.request != nil) }
        return .string(model.problem ?? model.states[name]?.rawValue ?? "not run")
    }
}

private final class LabWatch: HostedApp, @unchecked Sendable {
    private let box: LogBox

    init(_ box: LogBox) {
        self.box = box
        super.init(watch: { DeviceLabWatch.LabWatchDelegate() })
    }

    @MainActor override func perform(_ action: String, with value: ScenarioValue) async throws {
        switch (action, value) {
        case ("probe", .string(let name)): DeviceLabWatch.LabModel.shared.run(name)
        case ("done", _): DeviceLabWatch.LabModel.shared.confirm()
        default: throw AppActionError("the lab has no action '\(action)'")
        }
        box.keep(DeviceLabWatch.LabModel.shared.logText, of: "watch")
    }

    @MainActor override func shown(_ name: String) async throws -> ScenarioValue {
        let model = DeviceLabWatch.LabModel.shared
        box.keep(model.logText, of: "watch")
        if name == "log" { return .string("kept") }
        if name == "isAsking" { return .bool(model.request != nil) }
        return .string(model.problem ?? model.states[name]?.rawValue ?? "not run")
    }
}
