import Foundation
import Testing

@testable import LocalData

/// What version 1 has persisted is read for ever.
@Suite struct PersistedFormatTests {
    @Test(arguments: PersistedFormat.all) func whatVersion1WroteIsRead(_ format: PersistedFormat) async throws {
        #expect(try await format.read(format.fixture()) == format.meaning)
    }

    /// A fixture that reads the same whatever is in it would prove nothing.
    @Test(arguments: PersistedFormat.all) func aDamagedFixtureReadsAsSomethingElse(_ format: PersistedFormat) async throws {
        let fixture = try format.fixture()
        let meaning = try? await format.read(fixture.prefix(fixture.count / 2))
        #expect(meaning != format.meaning)
    }

    /// No fixture without a format, no format without a fixture.
    @Test func theFolderHoldsAFixtureOfEachFormat() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: PersistedFormat.folder.path).sorted()
        #expect(files == PersistedFormat.all.map(\.file).sorted())
    }

    /// A state that can be persisted has a fixture.
    @Test func everyKindOfMarkHasAFixture() {
        let files = Set(PersistedFormat.all.map(\.file))
        for state in MigrationMark.State.allCases { #expect(files.contains("migration-mark-\(state.rawValue).json")) }
    }

    /// With `LOCALDATA_WRITE_FIXTURES` set, writes the fixtures that are missing. What is there stays: it is on people's devices.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["LOCALDATA_WRITE_FIXTURES"] != nil)) func missingFixturesAreWritten()
        async throws
    {
        try FileManager.default.createDirectory(at: PersistedFormat.folder, withIntermediateDirectories: true)
        for format in PersistedFormat.all where !FileManager.default.fileExists(atPath: format.url.path) {
            try (try await format.make()).write(to: format.url, options: .withoutOverwriting)
            Issue.record("written: \(format.file)")
        }
    }
}
