import DeviceSim
import Testing

@testable import DeviceSimRunner

/// `expect audit orphaned nothing` is no all-clear where a write that did not end has left its temporary file.
@Suite struct LeftoverAuditTests {
    /// The line that fails when the app crashes before that operation of a set; `nil` where none does.
    private func failingLine(at operation: Int) throws -> Int? {
        let run = try scenario(
            """
            key note: String
                domain    fileSystem documents
                security  none

            phone set note "first"
            phone set note "second" crashes at operation \(operation)
            phone launch
            expect phone audit orphaned nothing
            phone get note
            expect phone audit orphaned nothing
            """)
        switch ScenarioRunner.run(run).outcome {
        case .passed: return nil
        case .failed(let failure):
            #expect(failure.message.contains("orphaned: \".localdata-"))
            return failure.line
        default: return 0
        }
    }

    @Test func aTemporaryFileIsToldOfUntilTheNextUse() throws {
        let lines = try (1...4).map { try failingLine(at: $0) }
        #expect(lines.contains(8), "\(lines)")
        // The next use takes it away, so only the first of the two fails.
        #expect(lines.allSatisfy { $0 == nil || $0 == 8 }, "\(lines)")
    }
}
