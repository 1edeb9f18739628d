import DeviceSimCore
import DeviceSimLanguage
import LocalData
import Testing

@testable import DeviceSimSearch

/// What a search draws of apps that keep one value elsewhere in each of their versions.
@Suite struct VersionChainTests {
    /// Worlds of one generator, with and without a widget.
    private static let worlds: [(source: String, world: Scenario?, hasWidget: Bool)] = {
        var random = SeededGenerator(seed: 20_261_123)
        return (0..<200).map { number in
            let chain = VersionChain(&random, hasWidget: number % 4 == 0)
            return (chain.source, chain.world, number % 4 == 0)
        }
    }()

    @Test func everyWorldIsOneThatTheLanguageTakes() {
        for (source, world, _) in Self.worlds where world == nil { Issue.record("refused:\n\(source)") }
    }

    /// Otherwise no read would be held against anything.
    @Test func theChecksTakeAChainForOneValueAndKnowWhatItHolds() throws {
        for (source, world, _) in Self.worlds {
            let world = try #require(world)
            #expect(UntoldKeys.among(world.keys, in: world).isEmpty, "\(source)")
            let families = Set(world.keys.indices.filter { Self.isLink(world.keys[$0]) }.map { world.keys[$0].first(among: world.keys) })
            #expect(families.map { world.keys[$0].identifier } == ["version1"], "\(source)")
        }
    }

    @Test func eachVersionOfTheAppHasOneKey() throws {
        for (_, world, _) in Self.worlds {
            let world = try #require(world)
            #expect((3...4).contains(world.appVersions.count))
            for version in world.appVersions { #expect(world.keys.filter { Self.isLink($0) && $0.exists(in: version) }.count == 1) }
        }
    }

    /// Whether it is the key of some version, and none that all versions have.
    private static func isLink(_ key: ScenarioKey) -> Bool { key.identifier.hasPrefix("version") }

    /// Some chains are of bytes, some give up what they cannot open, and some have other keys beside them.
    @Test func chainsHaveSeveralShapes() throws {
        let worlds = try Self.worlds.map { try #require($0.world) }
        let bytes = worlds.filter { $0.keys.contains { Self.isLink($0) && $0.type == .data } }.count
        let company = worlds.filter { !$0.keys.allSatisfy(Self.isLink) }.count
        let discarding = Self.worlds.filter { $0.source.contains("discard") }.count
        #expect((20...65).contains(bytes), "\(bytes) of 200 are of bytes")
        #expect((40...95).contains(company), "\(company) of 200 have other keys beside them")
        #expect((5...40).contains(discarding), "\(discarding) of 200 discard")
    }

    @Test func aWidgetFindsTheValueOfSomeVersion() throws {
        for (source, world, hasWidget) in Self.worlds where hasWidget {
            #expect(try #require(world).keys.contains { $0.isSharedWithWidget }, "\(source)")
        }
    }

    /// The classes that people found and the built-in world could not draw.
    @Test func someLeadBackSomeChangeInPlaceAndSomeChangeNames() throws {
        let worlds = try Self.worlds.map { try #require($0.world) }.map { world in
            KeySelection.select(Set(world.keys.indices.filter { Self.isLink(world.keys[$0]) }), of: world)
        }
        func count(_ isMeant: (Scenario) -> Bool) -> Int { worlds.filter(isMeant).count }
        let leadsBack = count { world in
            world.keys.indices.contains { last in
                world.keys.indices.contains { last > $0 + 1 && world.keys[last].isAtPlace(of: world.keys[$0]) }
            }
        }
        let inPlace = count { $0.keys.dropFirst().contains { $0.declaration?.migrationSource == nil } }
        let names = count { Set($0.keys.map(\.name)).count > 1 }
        let syncs = count { $0.keys[0].syncs }
        for (number, what) in [(leadsBack, "lead back"), (inPlace, "change in place"), (names, "change names"), (syncs, "sync")] {
            #expect((20...180).contains(number), "\(number) of 200 \(what)")
        }
        func mayBeOneFile(in world: Scenario, ignoringCase: Bool) -> Bool {
            world.keys.contains { key in world.keys.contains { $0.mayBeOneFile(with: key, ignoringCase: ignoringCase) } }
        }
        let paths = count { mayBeOneFile(in: $0, ignoringCase: false) }
        let cases = count { mayBeOneFile(in: $0, ignoringCase: true) && !mayBeOneFile(in: $0, ignoringCase: false) }
        #expect((10...60).contains(paths), "\(paths) of 200 name a file by its path and otherwise")
        #expect((1...20).contains(cases), "\(cases) of 200 name a file in other letters")
        let suites = count { world in
            world.keys.contains { key in
                world.keys.contains { $0.isAtPlace(of: key) && $0.declaration?.domain != key.declaration?.domain }
            }
        }
        let serializers = count { Set($0.keys.compactMap { $0.declaration?.serializer }).count > 1 }
        #expect((5...60).contains(suites), "\(suites) of 200 name a suite or a service otherwise")
        #expect((3...40).contains(serializers), "\(serializers) of 200 write values otherwise")
    }

    /// One run in eight; all others are what they would be without chains.
    @Test func someRunsAreAboutAChain() throws {
        let generator = RunGenerator(world: try #require(SearchSpace.builtIn), seed: 1, maximumSteps: 10, strategies: [.fifo])
        let chains = (0..<400).filter { generator.draw($0).scenario.keys.contains { $0.identifier == "version1" } }
        #expect((25...80).contains(chains.count))
    }

    /// A device is brought to the versions between, one after the other, and to the last one in the end.
    @Test func updatesGoThroughTheVersions() throws {
        let generator = RunGenerator(world: try #require(SearchSpace.builtIn), seed: 1, maximumSteps: 20, strategies: [.fifo])
        var seen: Set<AppVersion> = []
        for index in 0..<400 {
            let run = generator.draw(index)
            guard run.scenario.keys.contains(where: { $0.identifier == "version1" }) else { continue }
            for step in run.scenario.steps {
                guard case .device(let step) = step.action, case .update(let version) = step.action else { continue }
                #expect(run.scenario.appVersions.contains(version))
                seen.insert(version)
            }
        }
        #expect(seen.count == 4)
    }
}
