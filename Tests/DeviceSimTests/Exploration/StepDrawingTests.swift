import DeviceSim
import Testing

@testable import DeviceSimLanguage
@testable import DeviceSimSearch

/// What a step says of how it is drawn is what the generators do.
@Suite struct StepDrawingTests {
    private static let world = SearchSpace.builtIn

    /// The names of a value's case and of the one in it, such as `device.widget.launch`.
    private static func name(of action: ScenarioStep.Action) -> String {
        switch action {
        case .device(let step): "device." + label(step.action)
        case .link(let step): "link." + label(step)
        case .session(let step): "session." + label(step.action)
        case .transfer(let step): "transfer." + label(step.action)
        case .data(let step): "data." + label(step.action)
        case .fault(let step): "fault." + label(step.action)
        case .time(let step): "time." + label(step)
        case .expect: "expect"
        case .together: "together"
        }
    }

    private static func label(_ value: Any) -> String {
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .enum, let child = mirror.children.first, let label = child.label else {
            return "\(value)".split(separator: "(").first.map(String.init) ?? ""
        }
        guard ["widget", "watch"].contains(label) else { return label }
        return "\(label).\(Self.label(child.value))"
    }

    private static func all(in action: ScenarioStep.Action) -> [ScenarioStep.Action] {
        guard case .together(let steps) = action else { return [action] }
        return [action] + steps.map(\.action)
    }

    @Test func noStepIsDrawnWithoutItsKindOfFault() throws {
        let world = try #require(Self.world)
        var wrong: Set<String> = []
        for number in 0..<400 {
            var random = SeededGenerator(seed: 1).fork("kinds \(number)")
            let odds = 1 + random.below(12)
            let kinds = Set(FaultKind.allCases.filter { _ in random.below(odds) == 0 })
            var generator = StepGenerator(random: random.fork("steps"), faultKinds: kinds, scenario: world.base)
            for _ in 0..<40 {
                for action in Self.all(in: generator.next()) where !action.traits.drawing.isAllowed(with: kinds) {
                    wrong.insert("\(Self.name(of: action)) with \(kinds.map(\.rawValue).sorted())")
                }
            }
        }
        #expect(wrong == [])
    }

    @Test func everyStepThatMayBeDrawnIs() throws {
        let world = try #require(Self.world)
        let generator = RunGenerator(world: world, seed: 1, maximumSteps: 24, strategies: [.fifo])
        var drawn: Set<String> = []
        for number in 0..<3_000 {
            for step in generator.draw(number).scenario.steps { drawn.formUnion(Self.all(in: step.action).map(Self.name)) }
        }
        var missing: Set<String> = []
        for form in Vocabulary.forms {
            guard let action = Self.action(form.example) else { continue }
            if case .never = action.traits.drawing { continue }
            if !drawn.contains(Self.name(of: action)) { missing.insert(Self.name(of: action)) }
        }
        #expect(missing == [])
        #expect(drawn.count > 40, "\(drawn.sorted())")
    }

    /// A line that speaks of a key goes with it. One that stayed would speak of another key, or of none.
    @Test func whatSpeaksOfAKeyGoesWithIt() {
        var count = 0
        for form in Vocabulary.forms where form.slots.contains(.key) {
            guard let action = Self.action(form.example) else { continue }
            var spoken = 0
            let mapped = ScenarioStep.drawn(action).mappingKeys { key in
                spoken += 1
                return KeyReference(index: key.index, identifier: "other\(key.index)")
            }
            #expect(spoken > 0 && mapped?.action.notation.contains("other") == true, "\(form.example)")
            #expect(ScenarioStep.drawn(action).mappingKeys { _ in nil } == nil, "\(form.example)")
            count += 1
        }
        #expect(count > 40, "\(count)")
    }

    /// Where names differ in case only the disks take them for one, and nowhere else.
    @Test func disksIgnoreCaseWhereNamesWantIt() throws {
        let generator = RunGenerator(world: try #require(Self.world), seed: 1, maximumSteps: 4, strategies: [.fifo])
        var count = 0
        for number in 0..<2_000 {
            let scenario = generator.draw(number).scenario
            let isWanted = scenario.keys.contains { key in scenario.keys.contains { $0.differsInCaseOnly(from: key) } }
            #expect(scenario.knobs.diskIgnoresCase == isWanted)
            if isWanted { count += 1 }
        }
        #expect((20...200).contains(count), "\(count) of 2,000 runs")
    }

    /// A widget must declare no migration, and so its steps are about no key that has one for good.
    @Test func aWidgetLeavesKeysAloneThatMigrate() throws {
        let generator = RunGenerator(world: try #require(Self.world), seed: 1, maximumSteps: 24, strategies: [.fifo])
        var count = 0
        for number in 0..<6_000 {
            let scenario = generator.draw(number).scenario
            for action in scenario.steps.flatMap({ Self.all(in: $0.action) }) {
                guard case .data(let step) = action, step.part == .widget, let key = step.action.key else { continue }
                #expect(scenario.keys[key.index].isForWidget, "run \(number): \(key.identifier)")
                count += 1
            }
        }
        #expect(count > 300, "\(count) steps")
    }

    /// Who holds a lock on a shared file gives it back, or is to be suspended: the system kills it then.
    @Test func whoHoldsALockIsSuspended() throws {
        let generator = RunGenerator(world: try #require(Self.world), seed: 1, maximumSteps: 24, strategies: [.fifo])
        var ends: [String: Int] = [:]
        for number in 0..<6_000 {
            let actions = generator.draw(number).scenario.steps.map(\.action)
            for (index, action) in actions.enumerated() {
                guard case .device(let step) = action, case .lockFile(let part, _) = step.action, index + 1 < actions.count,
                    case .device(let next) = actions[index + 1], next.device == step.device
                else { continue }
                switch (part, next.action) {
                case (.app, .background), (.app, .suspend), (.app, .unlockFile(.app, _)), (.widget, .widget(.suspend)),
                    (.widget, .unlockFile(.widget, _)):
                    ends[Self.name(of: actions[index + 1]), default: 0] += 1
                default: Issue.record("run \(number): \(Self.name(of: actions[index + 1])) after a lock of the \(part)")
                }
            }
        }
        #expect(Set(ends.keys) == ["device.background", "device.suspend", "device.unlockFile", "device.widget.suspend"], "\(ends)")
        #expect(ends.values.reduce(0, +) > 40, "\(ends)")
    }

    /// Steps register what an app leaves out at its launch, in the midst of it and at the end; and no step speaks of a catalog that is gone with its keys.
    @Test func whatIsRegisteredLaterIsNotForgotten() throws {
        let generator = RunGenerator(world: try #require(Self.world), seed: 1, maximumSteps: 24, strategies: [.fifo])
        func registered(_ steps: [ScenarioStep], by device: DeviceID) -> [String] {
            steps.compactMap { step in
                guard case .data(let data) = step.action, data.device == device, case .register(let name) = data.action else { return nil }
                return name
            }
        }
        var count = 0
        for number in 0..<3_000 {
            let scenario = generator.draw(number).scenario
            let devices = scenario.start.watch2 == nil ? [DeviceID.phone, .watch] : DeviceID.all
            for device in devices {
                let late = scenario.start[device].lateCatalogs
                #expect(Set(registered(scenario.steps, by: device)) == Set(late), "run \(number)")
                guard let name = late.first else { continue }
                count += 1
                #expect(registered(scenario.steps, by: device).count >= 2, "run \(number)")
                #expect(scenario.keys.contains { $0.declaration?.catalog == name }, "run \(number)")
            }
            let plain = scenario.replacing(
                keys: scenario.keys.map { key in
                    guard var declaration = key.declaration else { return key }
                    declaration.catalog = KeyDeclaration.defaultCatalog
                    return ScenarioKey(identifier: key.identifier, type: key.type, origin: .declared(declaration), range: key.range)
                })
            #expect(devices.allSatisfy { plain.start[$0].lateCatalogs.isEmpty && registered(plain.steps, by: $0).isEmpty }, "run \(number)")
        }
        #expect((100...400).contains(count), "\(count) devices of 3,000 runs")
    }

    /// The step that a line stands for; `nil` for other lines, and for those that say more than fits into one.
    private static func action(_ line: String) -> ScenarioStep.Action? {
        let source =
            "# One step.\n\nstart second watch\nkey theme: String\nkey note: String\nkey oldTheme: String\nkey token: String\nkey secret: String\n\n\(line)\n"
        let compilation = ScenarioCompiler.compile(path: "step", files: .memory(["step": source]))
        return compilation.scenarios.first?.steps.first?.action
    }
}
