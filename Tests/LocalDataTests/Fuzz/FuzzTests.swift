import Foundation
import FuzzSupport
import Testing

@testable import LocalData

/// Whatever bytes come from outside, LocalData answers with a value or one of its errors: no crash, no hang, and no more memory than the bytes are worth.
///
/// Each run makes a few thousand inputs, the same ones every time. For a long one:
///
///     LOCALDATA_FUZZ=1000000 swift test -c release -Xswiftc -enable-testing --filter FuzzTests
@Suite(.serialized) struct FuzzTests {
    static let targets: [@Sendable () async throws -> [FuzzTarget]] = [
        { try await EnvelopeTargets.all() }, { PropertyListTargets.all }, { SerializerTargets.all }, { SyncTargets.all },
        { try await DeviceTargets.all() }, { try FileStoreTargets.all() },
    ]

    @Test func nothingButTypedErrors() async throws {
        var targets: [FuzzTarget] = []
        for make in Self.targets { targets += try await make() }
        #expect(Set(targets.map(\.name)).count == targets.count)
        let settings = FuzzSettings.fromEnvironment(for: targets)
        let memory = FuzzMemory.peakMiB
        var total = 0
        for target in targets {
            let summary = await Fuzzer(target, settings: settings).run()
            if let failure = summary.failure { Issue.record("\(failure)") }
            total += summary.count
            if settings.isLong { print(summary) }
            // A target that takes everything, or nothing, tests little.
            if settings.replay == nil, summary.failure == nil {
                #expect(summary.read > 0 && summary.refused > 0, "\(summary)")
            }
        }
        // Other tests take memory too, unless this one runs alone.
        if settings.isLong { #expect(FuzzMemory.peakMiB - memory < 512, "\(FuzzMemory.peakMiB) MiB") }
        print("fuzzing: \(total) inputs for \(targets.count) readers of LocalData, seed \(settings.seed)")
    }
}
