import DeviceSim
import LocalData
import Specimens
import Testing
import WatchConnectivity

@testable import DeviceSimCore
@testable import DeviceSimSearch

/// Every order and every crash point of scenarios of a few steps, and what is left out of them.
@Suite struct SmallWorldTests {
    private static let theme = """
        key theme: String
            domain    fileSystem documents
            security  none
            sync      automaticSmall
        key volume: Int
            domain    fileSystem documents
            security  none
            sync      automaticSmall
        """

    private func scenario(_ steps: String, syncs: Bool = true) throws -> Scenario {
        let keys =
            syncs
            ? Self.theme
            : Self.theme.replacing("    sync      automaticSmall\n", with: "").replacing("    sync      automaticSmall", with: "")
        let text = "# A small world.\n\n\(keys)\n\n\(steps)\n"
        let compilation = ScenarioCompiler.compile(path: "small.scenario", files: .memory(["small.scenario": text]))
        return try #require(compilation.scenarios.first, "\(compilation.diagnostics)")
    }

    private func world(_ steps: String, syncs: Bool = true, _ change: (inout SmallWorld.Options) -> Void = { _ in }) throws -> SmallWorld {
        var options = SmallWorld.Options()
        options.run.makeConfiguredApp = { _, _ in TinyApp() }
        options.orderLimit = 20_000
        change(&options)
        return try SmallWorld(scenario(steps, syncs: syncs), options: options)
    }

    // MARK: What is left out

    /// Worlds so small that all of their orders can be made.
    private static let tiny = [
        "phone app does \"work\" with 3",
        "together\n    phone app does \"work\" with 2\n    phone app does \"work\" with 2",
        "together\n    phone app does \"work\" with 2\n    watch app does \"work\" with 2",
        "together\n    phone app does \"work\" with 2\n    watch app does \"work\" with 1\n    watch app does \"work\" with 1",
        "together\n    phone app does \"send\" with 1\n    watch app does \"work\" with 2",
        "together\n    phone app does \"send\" with 1\n    watch app does \"send\" with 1\nsettle",
        "together\n    phone app does \"ask\" with 1\n    watch app does \"work\" with 2\nsettle",
        "together\n    phone app does \"fan\" with 2\n    watch app does \"work\" with 1",
    ]

    /// The test of soundness: nothing that an order comes to is missed by making one order of each kind.
    @Test(arguments: tiny) func whatIsLeftOutEndsAsWhatIsMade(steps: String) throws {
        let all = try world(steps) { $0.reduction = .none }.tally(nil)
        #expect(!all.isCutShort && all.orders > 0 && all.failures.isEmpty, "\(all.failures.map(\.violation))")
        for reduction in [OrderSearch.Reduction.sleepSets, .dynamic] {
            let some = try world(steps) { $0.reduction = reduction }.tally(nil)
            #expect(
                some.ends == all.ends,
                "\(reduction): \(some.ends.count) ends of \(all.ends.count) in \(some.orders) orders of \(all.orders)")
            #expect(some.orders <= all.orders)
        }
    }

    /// The test can fail: where footprints say too little, ends are missed.
    @Test func tooSmallFootprintsMissEnds() throws {
        let missed = try Self.tiny.count { steps in
            let all = try world(steps) { $0.reduction = .none }.tally(nil)
            let some = try world(steps) { $0.blindTo = .everything }.tally(nil)
            return some.ends != all.ends
        }
        #expect(missed > 0)
    }

    /// Two devices that have nothing to do with each other need one order, however many there are.
    @Test func independentDevicesNeedOneOrder() throws {
        let steps = "together\n    phone app does \"work\" with 2\n    watch app does \"work\" with 2"
        let all = try world(steps) { $0.reduction = .none }.tally(nil)
        let some = try world(steps).tally(nil)
        #expect(all.orders > 1 && all.ends.count == 1)
        #expect(some.orders == 1 && some.leftOut > 0)
    }

    @Test func sameWorldSameCount() throws {
        let one = try world(Self.tiny[3]).tally(nil)
        let other = try world(Self.tiny[3]).tally(nil)
        #expect(one.ends == other.ends && one.states == other.states && one.orders == other.orders && one.leftOut == other.leftOut)
    }

    @Test func aBoundIsSaid() throws {
        let all = try world(Self.tiny[1]).tally(nil)
        #expect(!all.isCutShort && all.runs > 2)
        let some = try world(Self.tiny[1]).tally(nil, limit: 2)
        #expect(some.isCutShort && some.runs == 2)
        let none = try world(Self.tiny[1]).tally(nil, isOver: { true })
        #expect(none.isCutShort && none.runs == 1)
    }

    @Test func aScenarioMayBeTooLarge() throws {
        #expect(throws: SmallWorld.Refusal.tooLarge(steps: 6, limit: 5)) {
            try world(Array(repeating: "settle", count: 6).joined(separator: "\n"))
        }
        _ = try world(Array(repeating: "settle\nexpect phone theme missing", count: 5).joined(separator: "\n"))
    }

    // MARK: What is found

    /// One order of many: the plain one passes, and few others fail.
    @Test func aMistakeOfOneOrderIsFound() throws {
        let steps = "together\n    phone set theme \"dark\"\n    phone set volume 4\nsettle"
        let world = try world(steps, syncs: false) { $0.run.makeConfiguredApp = { _, _ in RacyApp() } }
        #expect(world.survey().failures.isEmpty)
        let tally = world.tally(nil)
        #expect(!tally.isCutShort)
        #expect(0 < tally.failingRuns && tally.failingRuns < tally.orders, "\(tally.failingRuns) of \(tally.orders)")
        let failure = try #require(tally.failures.first)
        #expect(failure.scenario.order != nil)
        try shrinks(failure, of: world, right: { _, _ in RacyApp(isRight: true) })
        let right = try self.world(steps, syncs: false) { $0.run.makeConfiguredApp = { _, _ in RacyApp(isRight: true) } }.tally(nil)
        #expect(right.failures.isEmpty)
    }

    /// A crash between two operations of one write, and nowhere else.
    @Test func aMistakeOfOneCrashPointIsFound() throws {
        let specimen = try #require(Specimen.all.first { $0.name.contains("deleted before the new one is there") })
        let steps = "phone set theme \"dark\"\nphone set theme \"light\""
        let world = try world(steps, syncs: false) { $0.run = specimen.bad }
        let plain = world.tally(nil)
        #expect(plain.failures.isEmpty && !plain.isCutShort)
        let points = world.crashPoints(in: plain)
        let failing = points.filter { !world.tally($0).failures.isEmpty }
        #expect(!failing.isEmpty && failing.count * 3 < points.count, "\(failing) of \(points.count)")
        #expect(failing.allSatisfy { $0.step == 1 && $0.device == .phone })
        let point = try #require(failing.first)
        try shrinks(try #require(world.tally(point).failures.first), of: world, right: specimen.right.makeConfiguredApp)
        let right = try self.world(steps, syncs: false) { $0.run = specimen.right }
        for point in right.crashPoints(in: right.tally(nil)) {
            #expect(right.tally(point).failures.isEmpty, "\(point)")
        }
    }

    /// Also in a step that is no call on the device: what arrives is stored while time passes.
    @Test func aCrashWhileTimePassesIsTried() throws {
        let specimen = try #require(Specimen.all.first { $0.name.contains("counts as seen before its values") })
        let steps = "phone set theme \"dark\"\nsettle"
        let world = try world(steps) { $0.run = specimen.bad }
        let points = world.crashPoints(in: world.tally(nil)).filter { $0.device == .watch && $0.step == 1 }
        #expect(!points.isEmpty)
        let found = points.compactMap { world.tally($0).failures.first }
        let failure = try #require(found.first)
        #expect(failure.scenario.notation(header: []).contains("of the next step"))
        try shrinks(failure, of: world, right: specimen.right.makeConfiguredApp)
        let right = try self.world(steps) { $0.run = specimen.right }
        for point in points { #expect(right.tally(point).failures.isEmpty, "\(point)") }
    }

    /// LocalData loses nothing, wherever the app ends or the power goes.
    @Test func theLibraryKeepsItsPromisesAtEveryCrashPoint() throws {
        var options = SmallWorld.Options()
        options.losesPower = true
        options.orderLimit = 3
        let world = try SmallWorld(scenario("phone set theme \"dark\"\nsettle"), options: options)
        let points = world.crashPoints(in: world.tally(nil))
        #expect(points.contains { $0.kind == .powerLoss && $0.device == .watch })
        for point in points.enumerated().filter({ $0.offset.isMultiple(of: 5) }).map(\.element) {
            let tally = world.tally(point)
            #expect(tally.failures.isEmpty, "\(point): \(tally.failures.map(\.violation.explanation))")
        }
    }

    /// What is printed fails as an ordinary scenario with the mistake, and passes without.
    private func shrinks(
        _ failure: SmallWorld.Failure, of world: SmallWorld, right: (@Sendable (DeviceID, AppBehaviour) -> any SimulatedApp)?
    ) throws {
        let small = try #require(world.shrink(failure, replay: "pairsim explore --exhaustive small.scenario"))
        #expect(small.violation.signature == failure.violation.signature)
        #expect(small.isConfirmed, "\(small.text)")
        let compilation = ScenarioCompiler.compile(path: "found.scenario", files: .memory(["found.scenario": small.text]))
        let found = try #require(compilation.scenarios.first, "\(compilation.diagnostics)")
        var options = RunOptions()
        options.makeConfiguredApp = right
        guard case .passed = ScenarioRunner.run(found, options: options).outcome else {
            Issue.record("fails without the mistake too: \(small.text)")
            return
        }
    }
}

/// An app whose work is so little that every order of it can be made. What it says to its counterpart tells the order in which it was done.
private final class TinyApp: NSObject, ValueKeeping, WCSessionDelegate, @unchecked Sendable {
    private var done: [String] = []

    func didFinishLaunching(inBackground: Bool) async {
        WCSession.default.delegate = self
        WCSession.default.activate()
    }

    func perform(_ action: String, with value: ScenarioValue) async throws {
        guard case .integer(let count) = value else { return }
        for number in 0..<Int(count) {
            await Task {}.value
            done.append("\(action)\(number)")
            switch action {
            case "send": try WCSession.default.updateApplicationContext(["done": done.joined(separator: ",")])
            case "ask": WCSession.default.sendMessage(["done": done.joined(separator: ",")], replyHandler: nil, errorHandler: nil)
            case "fan": Task { self.done.append("fanned\(number)") }
            default: break
            }
        }
        let log = done.joined(separator: ",")
        try StorageRouter.shared.environment.defaults.set(.string(log), forKey: "log", in: .standard)
        _ = try StorageRouter.shared.environment.fileSystem.path(of: .documents)
        ProcessContext.current?.record(.log, .init("while", .text(log)))
    }

    func session(_ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?) {}
    func sessionDidBecomeInactive(_ session: WCSession) {}
    func sessionDidDeactivate(_ session: WCSession) {}
    func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        done.append("got \(applicationContext["done"] ?? "")")
    }
    func session(_ session: WCSession, didReceiveMessage message: [String: Any]) { done.append("asked \(message["done"] ?? "")") }
}

/// Loses a theme where a volume is set in exactly one moment between its beginning and its end. Nothing else of it is wrong but that it keeps its values here.
private final class RacyApp: ValueKeeping, @unchecked Sendable {
    private let isRight: Bool
    private var isThemeUnderWay = false
    private var isThemeLost = false

    init(isRight: Bool = false) {
        self.isRight = isRight
    }

    func didFinishLaunching(inBackground: Bool) async {}

    func set(_ value: ScenarioValue, for key: AppKey) async throws {
        if key.name == "theme" {
            isThemeUnderWay = true
            await Task {}.value
            isThemeUnderWay = false
            if isThemeLost, !isRight { return }
        } else {
            for _ in 0..<3 { await Task {}.value }
            isThemeLost = isThemeUnderWay
        }
        let text: String? =
            switch value {
            case .string(let text): "s\(text)"
            case .integer(let number): "i\(number)"
            default: nil
            }
        guard let text else { throw StorageError(.encodingFailed, key: key.name) }
        try StorageRouter.shared.environment.defaults.set(.string(text), forKey: key.name, in: .standard)
    }

    func value(of key: AppKey) async throws -> ScenarioValue {
        guard case .string(let text)? = try StorageRouter.shared.environment.defaults.value(forKey: key.name, in: .standard) else {
            throw StorageError(.notFound, key: key.name)
        }
        return text.hasPrefix("i") ? .integer(Int64(text.dropFirst()) ?? 0) : .string(String(text.dropFirst()))
    }

    func exists(_ key: AppKey) async throws -> Bool {
        try StorageRouter.shared.environment.defaults.value(forKey: key.name, in: .standard) != nil
    }

    func remove(_ key: AppKey) async throws { try StorageRouter.shared.environment.defaults.set(nil, forKey: key.name, in: .standard) }
    func sync() async throws {}
}
