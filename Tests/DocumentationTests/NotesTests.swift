import DeviceSim
import Foundation
import LocalData
import Testing

/// The examples of the documents, run.
@Suite struct NotesTests {
    static let invariants: [AppInvariant] = [
        .bothShow("theme"),
        AppInvariant("the theme is one that somebody chose", .afterEachStep) { apps in
            let chosen = apps.actions.filter { $0.name == "choose theme" }.map(\.value)
            return try (chosen + [.string("system")]).contains(apps.phone("theme"))
        },
    ]

    static let scenarios = ScenarioSuite(
        "Scenarios/notes", catalogs: ["Notes": NotesCatalog()]
    ) {
        NotesApp()
    } watch: {
        NotesApp()
    }

    @Test(arguments: scenarios.cases) func scenario(_ scenario: ScenarioCase) throws {
        try scenario.check { Attachment.record($0, named: $1) }
    }

    @Test func themeReachesTheWatch() throws {
        var options = SimulationOptions()
        options.makeApp = { _ in NotesApp() }
        let simulation = Simulation(options: options)
        defer { simulation.shutDown() }
        try simulation.launchBoth()

        simulation.setLink(up: false)
        try simulation.run(on: simulation.phone) {
            try await StorageRouter.shared.set("dark", for: StorageKeys.ThemeKey())
        }
        simulation.setLink(up: true)
        try simulation.settle()

        let theme = try simulation.run(on: simulation.watch) {
            try await StorageRouter.shared.get(StorageKeys.ThemeKey())
        }
        #expect(theme == "dark")
    }

    @Test func draftOfVersion1IsMovedSealedAndSynced() throws {
        var options = SimulationOptions()
        options.appVersion = "1.0"
        let version = Version()
        options.makeApp = { _ in
            if version.isSecond { NotesApp() } else { ReferenceApp(catalogs: [Version1Catalog()]) }
        }
        let simulation = Simulation(options: options)
        defer { simulation.shutDown() }
        try simulation.launchBoth()
        let text = "buy oranges"
        try simulation.run(on: simulation.phone) { try await StorageRouter.shared.set(text, for: StorageKeys.Version1DraftKey()) }
        #expect(try !simulation.phone.storage.places(containing: Data(text.utf8)).isEmpty)

        version.isSecond = true
        for device in simulation.devices { device.update(to: "2.0") }
        try simulation.launchBoth()
        let draft = try simulation.run(on: simulation.watch) { try await StorageRouter.shared.get(StorageKeys.DraftKey()) }
        #expect(draft == Draft(text: text))

        // The plain copy goes once a later process has seen the new one, a minute after the first (see the article on migrations).
        try simulation.wait(.seconds(120))
        simulation.phone.terminate()
        try simulation.finish(simulation.phone.launch())
        try simulation.settle()
        #expect(try simulation.phone.storage.places(containing: Data(text.utf8)).isEmpty)
    }

    @Test func theModelDoesWhatTheArticlesSay() throws {
        var options = SimulationOptions()
        options.makeApp = { _ in NotesApp() }
        let simulation = Simulation(options: options)
        defer { simulation.shutDown() }
        try simulation.launchBoth()
        let theme = try simulation.run(on: simulation.phone) { try await NotesModel.theme() }
        #expect(theme == "system")
        try simulation.run(on: simulation.phone) {
            try await StorageRouter.shared.set("secret", for: StorageKeys.TokenKey())
            try await StorageRouter.shared.set(Draft(text: "buy oranges"), for: StorageKeys.DraftKey())
        }
        let plan = try simulation.run(on: simulation.phone) { try await NotesModel.whatAMigrationWouldDo() }
        #expect(plan == ["draft from draft: nothing"])
        let rotation = try simulation.run(on: simulation.phone) { try await NotesModel.rotate() }
        #expect(rotation.isComplete && rotation.isNew)
        let findings = try simulation.run(on: simulation.phone) { await NotesModel.audit() }
        #expect(findings.isEmpty)
        let shown = Recorded()
        let following = try simulation.phone.start("follow") { try await NotesModel.followTheme { shown.themes.append($0) } }
        try simulation.runReady()
        try simulation.run(on: simulation.phone) { try await NotesModel.choose("dark") }
        #expect(shown.themes == ["system", "dark"])
        #expect(!following.isFinished)
    }

    @Test func theDraftIsFollowedAfterTheUnlock() throws {
        var options = SimulationOptions()
        options.makeApp = { _ in NotesApp() }
        let simulation = Simulation(options: options)
        defer { simulation.shutDown() }
        try simulation.launchBoth()
        try simulation.run(on: simulation.phone) { try await StorageRouter.shared.set(Draft(text: "apples"), for: StorageKeys.DraftKey()) }
        simulation.phone.reboot()
        try simulation.finish(simulation.phone.launchInBackground())
        let shown = Recorded()
        let (unlocks, unlocked) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let following = try simulation.phone.start("follow") {
            await NotesModel.followDraft({ shown.drafts.append($0?.text) }, unlocks: unlocks)
        }
        try simulation.settle()
        #expect(shown.drafts.isEmpty && !following.isFinished)
        try simulation.phone.unlock()
        unlocked.yield()
        try simulation.settle()
        #expect(shown.drafts == ["apples"])
        try simulation.run(on: simulation.phone) { try await StorageRouter.shared.set(Draft(text: "pears"), for: StorageKeys.DraftKey()) }
        #expect(shown.drafts == ["apples", "pears"])
    }

    @Test func theAuditWarnsOfNothing() {
        #expect(StorageAuditReport(for: NotesCatalog()).warnings.isEmpty)
    }

    @Test func materialOfTheServerOpensTheDiary() throws {
        let simulation = Simulation(options: SimulationOptions())
        defer { simulation.shutDown() }
        try simulation.launchBoth()
        try simulation.run(on: simulation.phone) {
            await signedIn()
            try await StorageRouter.shared.set("dear diary", for: StorageKeys.DiaryKey())
        }
        #expect(try simulation.phone.storage.places(containing: Data("dear diary".utf8)).isEmpty)
        simulation.phone.terminate()
        try simulation.finish(simulation.phone.launch())
        #expect {
            try simulation.run(on: simulation.phone) { try await StorageRouter.shared.get(StorageKeys.DiaryKey()) }
        } throws: {
            ($0 as? StorageError)?.code == .providerMissing
        }
    }

    @Test func theSearchFindsNothing() throws {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/Scenarios/notes/chosen-out-of-range.scenario"
        typealias PhoneApp = NotesApp
        typealias WatchApp = NotesApp
        let catalogs: [String: any StorageKeyCatalog] = ["Notes": NotesCatalog()]
        let compilation = ScenarioCompiler.compile(path: path, catalogs: catalogs)
        let scenario = try #require(
            compilation.scenarios.first, "\(ScenarioDiagnostic.rendered(compilation.diagnostics))")
        var options = Explorer.Options(world: SearchSpace(scenario))
        options.run.catalogs = catalogs
        options.run.makeApp = { $0.isPhone ? PhoneApp() : WatchApp() }
        let explorer = Explorer(options)
        for index in 0..<20 {
            if let violation = explorer.run(index).violation {
                Issue.record("run \(index): \(violation.explanation)")
            }
        }
    }

    /// What an app promises of itself, in a search over its actions and its keys.
    @Test func theSearchHoldsTheAppToItsInvariants() throws {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/Scenarios/notes/chosen-out-of-range.scenario"
        let catalogs: [String: any StorageKeyCatalog] = ["Notes": NotesCatalog()]
        let scenario = try #require(ScenarioCompiler.compile(path: path, catalogs: catalogs).scenarios.first)
        var run = RunOptions()
        run.catalogs = catalogs
        run.makeApp = { _ in NotesApp() }
        func violation(_ invariants: [AppInvariant]) -> Violation? {
            run.invariants = invariants
            let exploration = Exploration(over: [scenario], hasOwnKeys: false, run: run) { world in
                var options = Explorer.Options(world: world)
                options.run = run
                return options
            }
            return (0..<40).lazy.compactMap { exploration.run($0).violation }.first
        }
        let found = violation(Self.invariants)
        #expect(found == nil, "\(found?.explanation ?? [])")
        // One that does not hold is found.
        #expect(violation([AppInvariant("the watch stays dark") { try $0.watch("theme") == .string("dark") }])?.invariant == .app)
    }

    /// As the article on searches says of files that declare their keys.
    @Test func theSearchOverDeclaredKeysFindsNothing() throws {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/Scenarios/search/theme.scenario"
        let scenario = try #require(ScenarioCompiler.compile(path: path).scenarios.first)
        var options = Explorer.Options(world: SearchSpace(scenario))
        options.run.makeConfiguredApp = { _, behaviour in ReferenceApp(catalogs: behaviour.catalogs) }
        let explorer = Explorer(options)
        for index in 0..<20 {
            let violation = explorer.run(index).violation
            #expect(violation == nil, "run \(index): \(violation?.explanation ?? [])")
        }
    }

    /// As the grammar says of keys of a catalog.
    @Test func aValueOfAnotherTypeIsNamedByTheRun() throws {
        let text = "# A draft is no text.\n\ncatalog Notes\n\nphone set draft \"sesame\"\n"
        let catalogs: [String: any StorageKeyCatalog] = ["Notes": NotesCatalog()]
        let compilation = ScenarioCompiler.compile(path: "a", files: .memory(["a": text]), catalogs: catalogs)
        var options = RunOptions()
        options.catalogs = catalogs
        options.makeApp = { _ in NotesApp() }
        let scenario = try #require(compilation.scenarios.first)
        let failure = try #require(ScenarioRunner.run(scenario, options: options).outcome.failure)
        #expect(failure.message.hasPrefix("failed with encodingFailed: storage of 'draft': "))
        #expect(failure.message.contains("(not a Draft as JSON)"))
        #expect(!failure.message.contains("sesame"))
    }

    /// Used on the simulation's thread only.
    private final class Version: @unchecked Sendable {
        var isSecond = false
    }

    /// Used on the simulation's thread only.
    private final class Recorded: @unchecked Sendable {
        var themes: [String] = []
        var drafts: [String?] = []
    }
}
