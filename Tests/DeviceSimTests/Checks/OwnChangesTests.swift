import DeviceSim
import LocalData
import Testing

@testable import DeviceSimCore
@testable import DeviceSimSearch

/// What an app under test sets by itself, and what steps ask it for.
@Suite struct OwnChangesTests {
    @Test(arguments: [
        // An action, also one that brings an older value back.
        "phone app does \"draw\"\nphone get title", "phone set title \"mine\"\nphone app does \"draw\"\nphone get title\nsettle",
        "phone set title \"drawn\"\nphone set title \"mine\"\nphone app does \"draw\"\nphone get title",
        // Loops over changes, of which one sets and one removes.
        "phone app does \"derive\"\nphone set title \"mine\"\nphone get derived",
        "phone app does \"clear\"\nphone set derived \"mine\"\nphone set title \"mine\"\nphone get derived",
        // What the app's own migration finds after an action.
        "phone app does \"leave\"\nphone get brought\nphone get brought",
    ])
    func whatAnAppSetsByItselfIsHeldAgainstNobody(_ steps: String) throws {
        #expect(try violation(of: steps, insists: false) == nil)
    }

    /// What a step wrote and a later step replaced does not come back, whoever sets it.
    @Test func anOlderValueIsHeldAgainstTheAppThatSetsIt() throws {
        let steps = "phone app does \"derive\"\nphone set title \"mine\"\nphone set title \"yours\"\nphone get title"
        #expect(try violation(of: steps, insists: false) == nil)
        #expect(try violation(of: steps, insists: true)?.key == "title")
    }

    /// - Parameter loses: Whether the app's values are kept by code that forgets the second one.
    private func violation(of steps: String, insists: Bool) throws -> Violation? {
        let compilation = ScenarioCompiler.compile(
            path: "a", files: .memory(["a": "# An app of its own.\n\ncatalog Own\n\n\(steps)\n"]), catalogs: ["Own": OwnCatalog()])
        let scenario = try #require(compilation.scenarios.first, "\(compilation.diagnostics)")
        var options = RunOptions()
        options.catalogs = ["Own": OwnCatalog()]
        options.makeApp = { _ in insists ? InsistentApp() : OwnApp() }
        return CheckedRun.run(scenario, options: options).violation
    }
}

private struct OwnKey: StorageKey {
    typealias Value = String
    let name: String
    let domain: StorageDomain = .userDefaults(suite: nil)
    let security: SecurityPolicy = .none
    let owner = "Tests"
    let description = "A value of the tests"
    var migration: AnyStorageMigration? { name == "brought" ? AnyStorageMigration(OwnMigration(destinationKey: self)) : nil }

    static let title = OwnKey(name: "title")
    static let derived = OwnKey(name: "derived")
    static let brought = OwnKey(name: "brought")
    static let left = OwnKey(name: "left")
}

private struct OwnMigration: StorageMigration {
    let destinationKey: OwnKey
    var sourceKeys: [AnyStorageKey] { [] }

    func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool { try await router.exists(OwnKey.left) }

    func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult {
        try await router.set("from \(router.get(OwnKey.left))", for: destinationKey)
        return MigrationResult(success: true, migratedCount: 1)
    }
}

private struct OwnCatalog: StorageKeyCatalog {
    var allKeys: [AnyStorageKey] { [OwnKey.title, .derived, .brought, .left].map { .key($0) } }
}

private class OwnApp: SimulatedApp, @unchecked Sendable {
    func didFinishLaunching(inBackground: Bool) async { _ = try? await StorageRouter.shared.registerCatalog(OwnCatalog()) }

    func perform(_ action: String, with value: ScenarioValue) async throws {
        switch action {
        case "draw": try await StorageRouter.shared.set("drawn", for: OwnKey.title)
        case "clear":
            Task {
                for try await change in StorageRouter.shared.changes(of: OwnKey.title) where change.value != nil {
                    try await StorageRouter.shared.remove(OwnKey.derived)
                }
            }
        case "leave": try await StorageRouter.shared.set("left", for: OwnKey.left)
        default:
            Task {
                for try await change in StorageRouter.shared.changes(of: OwnKey.title) {
                    try await StorageRouter.shared.set("of \(change.value ?? "nothing")", for: OwnKey.derived)
                }
            }
        }
    }
}

/// Sets the first value once more when it hears of a later one.
private final class InsistentApp: OwnApp, @unchecked Sendable {
    override func perform(_ action: String, with value: ScenarioValue) async throws {
        Task {
            var first: String?
            for try await change in StorageRouter.shared.changes(of: OwnKey.title) {
                first = first ?? change.value
                if let first, change.value != first { try await StorageRouter.shared.set(first, for: OwnKey.title) }
            }
        }
    }
}
