import DeviceSim
import Testing

@testable import DeviceSimLanguage
@testable import DeviceSimSearch

/// Which keys of several versions of an app are one value to the checks, and what searches draw of such chains.
@Suite struct VersionFamilyTests {
    private func keys(_ declarations: String) throws -> Scenario {
        let source = "# Versions.\n\n\(declarations)\nsettle\n"
        let compilation = ScenarioCompiler.compile(path: "a.scenario", files: .memory(["a.scenario": source]))
        return try #require(compilation.scenarios.first, "\(compilation.diagnostics)")
    }

    private func key(_ identifier: String, _ domain: String, _ versions: String, from source: String? = nil) -> String {
        "key \(identifier): String\n    name      \"value\"\n    domain    \(domain)\n    security  none\n    \(versions)\n"
            + (source.map { "    migrates  from \($0)\n" } ?? "") + "\n"
    }

    /// The oldest is the value's first key, wherever it stands among the keys, which are sorted.
    @Test func aChainThatComesBackIsOneValue() throws {
        let world = try keys(
            key("z", "userDefaults", "until     1.9") + key("a", "fileSystem documents", "since     2.0\n    until     2.9", from: "z")
                + key("b", "fileSystem documents", "since     3.0\n    until     3.9")
                + key("c", "userDefaults", "since     4.0", from: "b"))
        let keys = world.keys
        #expect(keys.map(\.identifier) == ["a", "b", "c", "z"])
        #expect(keys.map { $0.first(among: keys) } == [3, 3, 3, 3])
        #expect(keys.map { $0.moved(among: keys) } == [3, nil, 3, nil])
        #expect(world.appVersions.map(\.description) == ["1.0", "2.0", "3.0", "4.0"])
        #expect(world.newestAppVersion.description == "4.0")
    }

    /// Two updates bring other values to one place: which lies there depends on the one that was left out.
    @Test func whatAnUpdateThatIsLeftOutWouldHaveMovedIsUntold() throws {
        let world = try keys(
            key("first", "userDefaults", "until     1.9") + key("second", "fileSystem documents", "since     2.0", from: "first")
                + key("other", "fileSystem caches", "until     1.9")
                + key("another", "fileSystem documents", "since     3.0", from: "other"))
        let untold = UntoldKeys.among(world.keys, in: world)
        #expect(untold.keys.map { world.keys[$0].identifier }.sorted() == ["another", "second"])
    }

    /// Where both versions of the app have the old key for a while, values are set there that do not move.
    @Test(arguments: [
        ("until     2.9", "since     2.0", false), ("until     1.9", "since     2.0", true),
        ("since     2.0\n    until     2.9", "since     3.0", true),
    ])
    func onlyWhatIsGoneIsTakenOver(_ old: String, _ new: String, _ isTakenOver: Bool) throws {
        let keys = try keys(key("first", "userDefaults", old) + key("later", "fileSystem documents", new, from: "first")).keys
        #expect(keys.map(\.identifier) == ["first", "later"])
        #expect(keys[1].takesOver(keys[0]) == isTakenOver)
        #expect(keys[1].first(among: keys) == (isTakenOver ? 0 : 1))
    }

    @Test func drawnChainsAreOneValueThatMovesAndComesBack() throws {
        var seen: Set<String> = []
        for number in 0..<120 {
            var random = SeededGenerator(seed: 7).fork("chain \(number)")
            let hasWidget = number % 2 == 0
            let world = try #require(VersionChain(&random, hasWidget: hasWidget).world, "chain \(number) is refused")
            // Beside the keys that no version changes.
            let links = world.keys.indices.filter { world.keys[$0].identifier.hasPrefix("version") }
            let keys = KeySelection.select(Set(links), of: world).keys
            #expect(keys.allSatisfy { $0.first(among: keys) == 0 }, "chain \(number)")
            #expect(world.appVersions.count == keys.count, "chain \(number)")
            #expect(!hasWidget || keys.contains(where: \.isSharedWithWidget) || keys.count < 5, "chain \(number)")
            if hasWidget, keys.contains(where: \.isSharedWithWidget) { seen.insert("shared") }
            seen.insert(keys[0].syncs ? "synced" : "kept")
            for (key, before) in zip(keys.dropFirst(), keys) {
                seen.insert(key.isAtPlace(of: before) ? "in place" : "moved")
                if key.name != before.name { seen.insert("renamed") }
            }
            for (index, key) in keys.enumerated() {
                guard let declaration = key.declaration else { continue }
                let earlier = keys[..<index].filter { $0.isAtPlace(of: key) }
                if earlier.contains(where: { $0.identifier != keys[index - 1].identifier }) { seen.insert("came back") }
                let others = earlier.compactMap { $0.declaration?.security }.filter { $0 != declaration.security && !$0.isKeychain }
                #expect(others.allSatisfy(declaration.formerSecurity.contains), "chain \(number)")
            }
        }
        #expect(seen == ["came back", "in place", "kept", "moved", "renamed", "shared", "synced"])
    }
}
