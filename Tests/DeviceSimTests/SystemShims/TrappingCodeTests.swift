import DeviceSim
import Foundation
import Testing

@testable import DeviceSimCore

/// What ends an app on a device ends the simulated app, and not whoever searches. What fails there leaves behind what it leaves there.
@Suite struct TrappingCodeTests {
    /// The crashes that code of the phone's app caused, by their codes.
    private func crashes(of body: @escaping @Sendable () -> Void) throws -> [String] {
        var options = SimulationOptions()
        options.makeApp = { device in Doer { if device.isPhone { body() } } }
        let simulation = Simulation(options: options)
        defer { simulation.shutDown() }
        _ = try simulation.phone.launch()
        try simulation.settle()
        return simulation.trace.events.filter { $0.kind == .crash }.map { event in
            if case .text(let code)? = event["code"] { code } else { "" }
        }
    }

    @Test func aGroupThatIsLeftTooOftenEndsTheApp() throws {
        #expect(try crashes { SystemShims.DispatchGroup().leave() } == ["EXC_BREAKPOINT"])
        let balanced = try crashes {
            let group = SystemShims.DispatchGroup()
            group.enter()
            group.enter()
            group.leave()
            group.leave()
        }
        #expect(balanced.isEmpty)
    }

    @Test func aConditionOfAQueueThatDoesNotHoldEndsTheApp() throws {
        let queue = "own"
        #expect(
            try crashes { SystemShims.dispatchPrecondition(condition: .onQueue(SystemShims.DispatchQueue(label: queue))) }
                == ["EXC_BREAKPOINT"])
        #expect(try crashes { SystemShims.dispatchPrecondition(condition: .notOnQueue(SystemShims.DispatchQueue(label: queue))) }.isEmpty)
    }

    @Test func whatIsNoPropertyListEndsTheApp() throws {
        #expect(try crashes { SystemShims.UserDefaults.standard.set(Doer {}, forKey: "a") } == ["NSInvalidArgumentException"])
    }

    /// A stored number can be cast to whatever type of numbers holds it, also within lists.
    @Test func storedNumbersAreNumbersOfEachKind() throws {
        let told = Notes()
        _ = try crashes {
            let defaults = SystemShims.UserDefaults.standard
            defaults.set(3, forKey: "three")
            defaults.set(2.5, forKey: "half")
            defaults.set([["n": 1], ["n": 2]], forKey: "list")
            let three = defaults.object(forKey: "three")
            told.append("\(three as? Int ?? 0) \(three as? Double ?? 0) \(three as? Int64 ?? 0) \(three as? NSNumber ?? 0)")
            told.append("\(defaults.object(forKey: "half") as? Int ?? 0) \(defaults.object(forKey: "half") as? Double ?? 0)")
            told.append("\(defaults.array(forKey: "list") as? [[String: Int]] ?? []) \(defaults.array(forKey: "three") == nil)")
        }
        #expect(told.entries == ["3 3.0 3 3", "0 2.5", "[[\"n\": 1], [\"n\": 2]] true"])
    }

    /// Whoever posts a notification goes on once all observers have been told, on whichever queue.
    @Test func aNotificationIsToldBeforeTheCallReturns() throws {
        let told = Notes()
        _ = try crashes {
            let name = Notification.Name("told")
            _ = SystemShims.NotificationCenter.default.addObserver(forName: name, object: nil, queue: .main) { _ in told.append("told") }
            SystemShims.DispatchQueue.global().async {
                SystemShims.NotificationCenter.default.post(name: name, object: nil)
                told.append("over")
            }
        }
        #expect(told.entries == ["told", "over"])
    }

    // MARK: The keychain

    private static func add(_ kind: String, _ name: String, _ value: String) -> Int32 {
        SystemShims.Keychain.add(["class": kind, name: value, "acct": "me", "v_Data": Data(value.utf8)], nil)
    }

    private static func finds(_ kind: String) -> Bool { SystemShims.Keychain.copyMatching(["class": kind], nil) == 0 }

    /// A query without a service, or a server, is about its own class of passwords: all of them.
    @Test(arguments: ["genp", "inet"]) func aDeletionIsOfItsOwnClass(_ kind: String) throws {
        let found = Notes()
        _ = try crashes {
            _ = (Self.add("genp", "svce", "first"), Self.add("genp", "svce", "second"))
            _ = (Self.add("inet", "srvr", "first.example"), Self.add("inet", "srvr", "second.example"))
            found.append("\(Self.finds("genp")) \(Self.finds("inet"))")
            found.append("\(SystemShims.Keychain.delete(["class": kind]))")
            found.append("\(Self.finds("genp")) \(Self.finds("inet"))")
            found.append("\(SystemShims.Keychain.delete(["class": kind]))")
        }
        #expect(found.entries == ["true true", "0", kind == "inet" ? "true false" : "false true", "-25300"])
    }

    // MARK: Files

    /// A file that the device has no key to is not replaced, nor taken away.
    @Test func aRefusedWriteLeavesWhatIsThere() throws {
        var options = SimulationOptions()
        let told = Notes()
        options.makeApp = { device in
            Doer {
                guard device.isPhone else { return }
                let file = SystemShims.FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)[0]
                    .appendingPathComponent("note")
                told.append((try? SystemShims.contents(of: file)).map { String(decoding: $0, as: UTF8.self) } ?? "nothing")
                do {
                    try SystemShims.write(Data("x".utf8), to: file, options: .completeFileProtection)
                    told.append("written")
                } catch {
                    told.append("refused")
                }
            }
        }
        let simulation = Simulation(options: options)
        defer { simulation.shutDown() }
        _ = try simulation.phone.launch()
        try simulation.settle()
        simulation.phone.terminate()
        try simulation.phone.lock()
        // Its key goes some time after the lock.
        try simulation.advance(to: simulation.now + .seconds(60))
        _ = try simulation.phone.launchInBackground()
        try simulation.settle()
        simulation.phone.terminate()
        try simulation.phone.unlock()
        _ = try simulation.phone.launch()
        try simulation.settle()
        #expect(told.entries == ["nothing", "written", "nothing", "refused", "x", "written"])
    }
}

private final class Notes: @unchecked Sendable {
    private(set) var entries: [String] = []

    func append(_ entry: String) { entries.append(entry) }
}

private final class Doer: SimulatedApp, @unchecked Sendable {
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    func didFinishLaunching(inBackground: Bool) async { body() }
}
