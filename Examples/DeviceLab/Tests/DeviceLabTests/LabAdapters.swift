import DeviceSim

@testable import DeviceLabPhone
@testable import DeviceLabWatch

/// What the tests ask of the lab's own types. Where those are imported, the system's names are the simulation's.
enum LabTable {
    static let probes = DeviceLabPhone.LabProbe.all.map { (name: $0.name, rules: $0.rules) }
    static let reasons = DeviceLabPhone.LabCoverage.reasons

    static func app(on device: DeviceID, writingTo box: LogBox) -> any SimulatedApp {
        device.isPhone
            ? LabApp<DeviceLabPhone.LabModel>(box) { DeviceLabPhone.LabPhoneDelegate() }
            : LabApp<DeviceLabWatch.LabModel>(box, watch: { DeviceLabWatch.LabWatchDelegate() })
    }
}

/// One side's model. The two are made of one source, and are different types.
@MainActor private protocol LabSide: AnyObject {
    static var shared: Self { get }
    static var device: String { get }
    var logText: String { get }
    var isAsking: Bool { get }
    func run(_ name: String)
    func confirm()
    func told(of probe: String) -> String
}

extension DeviceLabPhone.LabModel: LabSide {
    fileprivate static var device: String { "phone" }
    fileprivate var isAsking: Bool { request != nil }
    fileprivate func told(of probe: String) -> String { problem ?? states[probe]?.rawValue ?? "not run" }
}

extension DeviceLabWatch.LabModel: LabSide {
    fileprivate static var device: String { "watch" }
    fileprivate var isAsking: Bool { request != nil }
    fileprivate func told(of probe: String) -> String { problem ?? states[probe]?.rawValue ?? "not run" }
}

private final class LabApp<Side: LabSide>: HostedApp, @unchecked Sendable {
    private let box: LogBox

    init(_ box: LogBox, _ makeDelegate: @escaping @MainActor @Sendable () -> any UIApplicationDelegate) {
        self.box = box
        super.init(makeDelegate)
    }

    init(_ box: LogBox, watch makeDelegate: @escaping @MainActor @Sendable () -> any WKApplicationDelegate) {
        self.box = box
        super.init(watch: makeDelegate)
    }

    @MainActor override func perform(_ action: String, with value: ScenarioValue) async throws {
        switch (action, value) {
        case ("probe", .string(let name)): Side.shared.run(name)
        case ("done", _): Side.shared.confirm()
        default: throw AppActionError("the lab has no action '\(action)'")
        }
        box.keep(Side.shared.logText, of: Side.device)
    }

    @MainActor override func shown(_ name: String) async throws -> ScenarioValue {
        box.keep(Side.shared.logText, of: Side.device)
        return switch name {
        case "log": .string("kept")
        case "isAsking": .bool(Side.shared.isAsking)
        default: .string(Side.shared.told(of: name))
        }
    }
}
