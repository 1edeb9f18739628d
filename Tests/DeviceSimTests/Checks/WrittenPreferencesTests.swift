import DeviceSim
import DeviceSimLanguage
import LocalData
import Synchronization
import Testing

@testable import DeviceSimSearch

/// What was set in preferences long ago is on the disk: a power loss does not take it.
@Suite struct WrittenPreferencesTests {
    private func run(_ steps: String, forgetting: Bool) throws -> Violation? {
        let loss = "phone power loss\nphone power on\nphone unlock\nphone launch\nphone get theme\n"
        let text = "key theme: String\n    security none\n\n\(steps)\n\(loss)"
        let compilation = ScenarioCompiler.compile(path: "a", files: .memory(["a": text]))
        var options = RunOptions()
        if forgetting {
            options.adaptEnvironment = { _, environment in
                var changed = environment
                changed.defaults = UnwrittenDefaults(base: environment.defaults, key: "theme")
                return changed
            }
        }
        return CheckedRun.run(try #require(compilation.scenarios.first, "\(compilation.diagnostics)"), options: options).violation
    }

    @Test(arguments: ["phone set theme \"first\"\nwait 1min", "phone set theme \"first\"\nwait 1min\nphone set theme \"second\"\nwait 1s"])
    func whatWasSetLongAgoIsThere(_ steps: String) throws {
        #expect(try run(steps, forgetting: false) == nil)
        let violation = try run(steps, forgetting: true)
        #expect(violation?.invariant == .durability && violation?.key == "theme" && violation?.device == .phone, "\(steps)")
    }

    /// The last sets are as lost as on real devices.
    @Test(arguments: ["phone set theme \"first\"", "phone set theme \"first\"\nwait 5s"])
    func whatWasSetJustNowMayBeLost(_ steps: String) throws {
        #expect(try run(steps, forgetting: true) == nil)
    }
}

/// Preferences that keep a value in the process alone.
private final class UnwrittenDefaults: DefaultsStore {
    private let base: any DefaultsStore
    private let key: String
    private let unwritten = Mutex<PropertyListValue??>(nil)

    init(base: any DefaultsStore, key: String) {
        self.base = base
        self.key = key
    }

    func isReadable(_ suite: DefaultsSuite) -> Bool { base.isReadable(suite) }
    func value(forKey key: String, in suite: DefaultsSuite) throws -> PropertyListValue? {
        let found = try base.value(forKey: key, in: suite)
        return key == self.key ? unwritten.withLock { $0 ?? found } : found
    }
    func set(_ value: PropertyListValue?, forKey key: String, in suite: DefaultsSuite) throws {
        guard key == self.key else { return try base.set(value, forKey: key, in: suite) }
        unwritten.withLock { $0 = .some(value) }
    }
    func keys(in suite: DefaultsSuite) throws -> [String] { try base.keys(in: suite) }
    func synchronize(_ suite: DefaultsSuite) throws { try base.synchronize(suite) }
}
