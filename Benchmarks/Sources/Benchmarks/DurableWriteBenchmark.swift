import Foundation
import LocalData
import WatchConnectivity

/// How many durable writes one `set` of a file makes, and how long they take against one.
enum DurableWriteBenchmark {
    static func run() async throws {
        var table = Table([
            "`set` of a file, 4 KiB", "files written", "fsync of files", "renames", "fsync of directories", "time",
            "against one durable write",
        ])
        let sync = SyncPolicy.automaticSmall
        let rows: [(String, StorageBenchmark.Note, Bool)] = [
            ("not synced", .init(name: "plain", domain: .fileSystem(directory: .documents)), false),
            ("synced, without a counterpart", .init(name: "alone", domain: .fileSystem(directory: .documents), syncPolicy: sync), false),
            ("synced and sent", .init(name: "sent", domain: .fileSystem(directory: .documents), syncPolicy: sync), true),
            (
                "synced, sealed and sent",
                .init(name: "sealed", domain: .encryptedFileSystem(directory: .documents), security: .recommended, syncPolicy: sync), true
            ),
        ]
        for (title, key, isSent) in rows {
            Progress.say("writes: \(title)")
            let device = try KeyCountBenchmark.Device(synchronizes: true)
            let router = StorageRouter(environment: device.environment)
            var number = 0
            func set() async throws {
                number += 1
                let bytes = Data(repeating: UInt8(truncatingIfNeeded: number), count: 4_096)
                try await WCSessionBackends.$current.withValue(isSent ? device.session : nil) { try await router.set(bytes, for: key) }
            }
            try await set()
            _ = device.files.take()
            let count = 256
            for _ in 0..<count { try await set() }
            let counts = device.files.take()
            guard device.session.count == (isSent ? count + 1 : 0) else {
                throw BenchmarkError(message: "\(device.session.count) were sent")
            }
            let bytes = Data(repeating: 0x5A, count: 4_096)
            let path = device.folder.appendingPathComponent("Documents/bare").path
            let time = try await Measurement.pair(batch: 8, set, { try Bare.write(bytes, to: path) })
            let each = [counts.files, counts.fileSynchronizations, counts.renames, counts.directorySynchronizations]
                .map { "\((100 * Double($0) / Double(count)).rounded() / 100)" }
            table.add([title] + each + [Figure.time(time.first), Figure.ratio(time.ratio)])
        }
        table.print()
    }
}
