import DeviceSim
import DeviceSimLanguage
import LocalData
import Testing

@testable import DeviceSimSearch

/// What changes no value leaves all that opens.
@Suite struct UnchangedValuesCheckTests {
    private static let keys = """
        key pin: String
            domain   keychain
            security keychain afterFirstUnlock
        key seal: String
            domain fileSystem documents

        phone set pin "first"
        phone set seal "second"

        """

    private func run(_ steps: String, losing account: String? = nil) throws -> Violation? {
        let compilation = ScenarioCompiler.compile(path: "a", files: .memory(["a": Self.keys + steps + "\n"]))
        var options = RunOptions()
        if let account {
            options.adaptEnvironment = { _, environment in
                var changed = environment
                changed.keychain = RashKeychain(base: environment.keychain, account: account)
                return changed
            }
        }
        return CheckedRun.run(try #require(compilation.scenarios.first, "\(compilation.diagnostics)"), options: options).violation
    }

    @Test(arguments: ["rotate keys and retire old ones", "rotate keys", "retire keys", "reseal seal", "exists pin", "observes seal"])
    func whatChangesNothingIsNoViolation(_ step: String) throws {
        #expect(try run("phone \(step)") == nil)
    }

    /// The app's own item goes with an old master key, and nothing ever reads it again.
    @Test func aRetirementThatTakesAValueAlongIsNamed() throws {
        let violation = try run("phone rotate keys\nphone retire keys\nphone uninstall", losing: "pin")
        #expect(violation?.invariant == .durability && violation?.key == "pin" && violation?.device == .phone)
        #expect(violation?.explanation.first?.contains("changes no value") == true)
    }
}

/// A keychain in which an item goes with any other that is deleted.
private struct RashKeychain: KeychainStore {
    let base: any KeychainStore
    let account: String

    var ownAccessGroup: String? { base.ownAccessGroup }

    func add(_ item: KeychainItem) -> KeychainStatus { base.add(item) }
    func copyMatching(_ query: KeychainQuery) -> (status: KeychainStatus, items: [KeychainItem]) { base.copyMatching(query) }
    func update(_ query: KeychainQuery, to change: KeychainChange) -> KeychainStatus { base.update(query, to: change) }
    func delete(_ query: KeychainQuery) -> KeychainStatus {
        defer { _ = base.delete(KeychainQuery(account: account)) }
        return base.delete(query)
    }
}
