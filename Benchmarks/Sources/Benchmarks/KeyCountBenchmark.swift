import Foundation
import LocalData
import WatchConnectivity

/// What many keys cost: registering them, bringing their values over from an earlier version of the app, auditing them, and beginning again in a new
/// process. Synced files; what a disk does is left out, and processor time is what is measured.
enum KeyCountBenchmark {
    /// A small synced file, whose value an earlier version of the app may have left under another name.
    struct Note: StorageKey {
        typealias Value = Data

        let name: String
        let number: Int
        let isOld: Bool
        let domain = StorageDomain.fileSystem(directory: .documents)
        let security = SecurityPolicy.none
        let serializer = Serializer<Data>.data
        let owner = "Benchmark"
        let description = "A note."

        init(_ number: Int, isOld: Bool = false) {
            name = isOld ? "old\(number)" : "note\(number)"
            self.number = number
            self.isOld = isOld
        }

        var syncPolicy: SyncPolicy { isOld ? .never : .automaticSmall }
        var migration: AnyStorageMigration? {
            guard !isOld else { return nil }
            return AnyStorageMigration(SimpleLegacyMigration(destinationKey: self, sourceKey: .key(Note(number, isOld: true))))
        }
    }

    struct Notes: StorageKeyCatalog {
        let allKeys: [AnyStorageKey]

        init(_ count: Int) {
            allKeys = (0..<count).map { .key(Note($0)) }
        }
    }

    /// An app's storage in a folder of its own, which is removed with it.
    final class Device {
        let folder: URL
        let environment: StorageEnvironment
        let files: CountingFileSystem
        let session = AcceptingSession()

        /// - Parameter synchronizes: Whether what is written becomes durable. Otherwise the files lie in memory, where the system has a folder for that: what a
        ///   disk's file system does for each of them takes longer than what is to be measured.
        init(synchronizes: Bool) throws {
            let memory = "/dev/shm"
            let parent =
                !synchronizes && FileManager.default.isWritableFile(atPath: memory)
                ? URL(fileURLWithPath: memory, isDirectory: true) : FileManager.default.temporaryDirectory
            folder = parent.appendingPathComponent("localdata-keys-\(getpid())-\(UUID().uuidString)")
            var environment = try HostEnvironment.make(in: folder, role: .phone)
            files = CountingFileSystem(environment.fileSystem, synchronizes: synchronizes)
            environment.fileSystem = files
            self.environment = environment
        }

        deinit { try? FileManager.default.removeItem(at: folder) }

        /// A new process of the app, with its session.
        func launch<Result>(_ body: (StorageRouter) async throws -> Result) async throws -> Result {
            try await WCSessionBackends.$current.withValue(session) { try await body(StorageRouter(environment: environment)) }
        }

        /// Stores the values as a process without a session does: nothing is sent.
        func fill(_ count: Int, isOld: Bool = false) async throws {
            let router = StorageRouter(environment: environment)
            for number in 0..<count { try await router.set(value(number), for: Note(number, isOld: isOld)) }
        }
    }

    /// 32 bytes.
    static func value(_ number: Int) -> Data { Data((0..<32).map { UInt8(truncatingIfNeeded: $0 + number) }) }

    static func run(counts: [Int]) async throws {
        var table = Table(["synced files", "registering", "sweep", "sweep again", "audit", "relaunch and first sync"])
        var base: [Double] = []
        for count in counts {
            Progress.say("keys: \(count)")
            var rounds: [[Double]] = []
            for _ in 0..<max(1, min(20, 2_000 / count)) { rounds.append(try await stages(count)) }
            let each = rounds[0].indices.map { stage in Measurement.median(rounds.map { $0[stage] }) / Double(count) }
            // Ten keys show what is paid once.
            if count >= 100, base.isEmpty { base = each }
            let cells = each.indices.map { stage in
                Figure.time(each[stage]) + (base.isEmpty ? "" : ", \(Figure.ratio(each[stage] / base[stage]))")
            }
            Progress.say("keys: \(count): \(cells.joined(separator: "; "))")
            table.add([Figure.count(count)] + cells)
        }
        table.print()
        try await setTable(counts: counts)
    }

    /// The processor time of each stage, in seconds.
    private static func stages(_ count: Int) async throws -> [Double] {
        let device = try Device(synchronizes: false)
        try await device.fill(count, isOld: true)
        // As at a first launch after an update: the session is not activated yet.
        let router = StorageRouter(environment: device.environment)
        var times = [try await Measurement.processorSeconds { try await router.registerCatalog(Notes(count)) }]
        for expected in [count, 0] {
            var moved = 0
            times.append(
                try await Measurement.processorSeconds {
                    for try await progress in router.migrations() {
                        if case .migrated(let result) = progress.outcome.result { moved += result.migratedCount }
                    }
                })
            guard moved == expected else { throw BenchmarkError(message: "\(moved) of \(expected) values were brought over") }
        }
        try await device.launch { router in
            try await router.registerCatalog(Notes(count))
            var present = 0
            times.append(
                await Measurement.processorSeconds {
                    let report = await router.auditReport()
                    present = report.items.count { if case .present = $0.presence { true } else { false } }
                })
            guard present == count else { throw BenchmarkError(message: "\(present) of \(count) values are there") }
        }
        times.append(
            try await device.launch { router in
                try await Measurement.processorSeconds {
                    try await router.registerCatalog(Notes(count))
                    try await router.syncRegisteredKeysIfNeeded()
                }
            })
        guard device.session.count > 0 else { throw BenchmarkError(message: "nothing was sent") }
        return times
    }

    /// `set` of one value beside so many others: everything that syncs travels in one context.
    private static func setTable(counts: [Int]) async throws {
        var table = Table([
            "synced files", "`set` of one, processor time", "against \(counts[0])", "`set` of one, durable", "against \(counts[0])",
        ])
        let few = try await SetAmongMany(counts[0], synchronizes: false)
        let fewDurable = try await SetAmongMany(counts[0], synchronizes: true)
        for count in counts {
            Progress.say("keys: set of one of \(count)")
            let many = try await SetAmongMany(count, synchronizes: false)
            let work = try await Measurement.pair(
                rounds: 21, batch: max(2, min(50, 20_000 / count)), usesProcessorTime: true, many.set, few.set)
            let manyDurable = try await SetAmongMany(count, synchronizes: true, like: many.device)
            let whole = try await Measurement.pair(rounds: 21, batch: 4, manyDurable.set, fewDurable.set)
            table.add([
                Figure.count(count), Figure.time(work.first), Figure.ratio(work.ratio), Figure.time(whole.first), Figure.ratio(whole.ratio),
            ])
        }
        table.print()
    }
}

/// One value that is set again and again, beside others that the process has read and sent.
final class SetAmongMany {
    let device: KeyCountBenchmark.Device
    private let router: StorageRouter
    private var number = 0

    /// - Parameter other: Where the values were stored already; they are copied.
    init(_ count: Int, synchronizes: Bool, like other: KeyCountBenchmark.Device? = nil) async throws {
        device = try KeyCountBenchmark.Device(synchronizes: synchronizes)
        if let other {
            for name in try FileManager.default.contentsOfDirectory(atPath: other.folder.path) {
                let path = device.folder.appendingPathComponent(name).path
                try FileManager.default.removeItem(atPath: path)
                try FileManager.default.copyItem(atPath: other.folder.appendingPathComponent(name).path, toPath: path)
            }
        } else {
            try await device.fill(count)
        }
        router = try await device.launch { router in
            try await router.registerCatalog(KeyCountBenchmark.Notes(count))
            try await router.syncRegisteredKeysIfNeeded()
            return router
        }
    }

    func set() async throws {
        number += 1
        let sent = device.session.count
        try await WCSessionBackends.$current.withValue(device.session) {
            try await router.set(KeyCountBenchmark.value(number), for: KeyCountBenchmark.Note(0))
        }
        guard device.session.count == sent + 1 else { throw BenchmarkError(message: "the change was not sent") }
    }
}
