import DeviceSim
import Foundation
import FuzzSupport
import LocalData
import Testing

@testable import DeviceSimCore

/// Whatever lies in the folder of a simulated device, looking at it and running on it end with an answer.
///
/// For a long run: `LOCALDATA_FUZZ=1000000 swift test -c release -Xswiftc -enable-testing --filter FuzzTests`
@Suite(.serialized) struct DeviceFileFuzzTests {
    @Test func nothingButTypedErrors() async throws {
        let folder = try ScratchFolder()
        let targets = [Self.record] + Self.files(below: folder.url)
        var settings = FuzzSettings.fromEnvironment(for: targets)
        // Each of these inputs is a run of files; the readers of LocalData get the many.
        settings.count = max(1, settings.count / 20)
        for target in targets {
            let summary = await Fuzzer(target, settings: settings).run()
            if let failure = summary.failure { Issue.record("\(failure)") }
            if settings.isLong { print(summary) }
        }
    }

    private static let record = FuzzTarget(
        "device-record",
        seeds: [
            PlistNode.dictionary([
                .init("version", .integer(1)), .init("installations", .integer(2)),
                .init("applicationContainer", .string("com.example.app-2")),
                .init(
                    "files",
                    .dictionary([
                        .init(
                            "/Containers/x",
                            .dictionary([.init("protection", .string("complete")), .init("isExcludedFromBackup", .bool(true))]))
                    ])),
            ]).xml
        ], share: 400, promises: { isTyped($0) }
    ) { bytes in
        let record = try DeviceRecord(encoded: Data(bytes))
        try FuzzViolation.unless(try DeviceRecord(encoded: record.encoded()) == record, "a record is not what it is written as")
    }

    /// The files that a device with a few values has, each replaced in turn.
    private static func files(below folder: URL) -> [FuzzTarget] {
        let paths = [
            "Containers/Data/Application/com.example.app/Library/Preferences/com.example.app.plist", "Keychains/keychain.plist",
            "device.plist",
            "Containers/Data/Application/com.example.app/Library/Application Support/LocalData/Sync/Device/installation.json",
        ]
        var seeds: [[UInt8]] = []
        do {
            try use(folder.appendingPathComponent("original"))
            for (index, path) in paths.enumerated() {
                let bytes = try Data(contentsOf: folder.appendingPathComponent("original/phone/\(path)"))
                seeds.append([UInt8(index)] + bytes)
            }
        } catch {
            Issue.record("the device of the seeds cannot be made: \(error)")
        }
        let known = seeds
        return [
            FuzzTarget("device-files", seeds: seeds, share: 40, promises: { isTyped($0) }) { bytes in
                guard let index = bytes.first.map(Int.init), index < paths.count else { throw StorageError(.unsupported) }
                let root = folder.appendingPathComponent("changed")
                try? FileManager.default.removeItem(at: root)
                for (number, seed) in known.enumerated() {
                    let file = root.appendingPathComponent("phone/\(paths[number])")
                    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                    try Data(number == index ? bytes.dropFirst() : seed.dropFirst()).write(to: file)
                }
                let device = try? StoredDevice(folder: root.appendingPathComponent("phone"))
                _ = try device?.inventory()
                try use(root)
            }
        ]
    }

    private static func use(_ root: URL) throws {
        var options = SimulationOptions()
        options.root = root
        let simulation = Simulation(options: options)
        defer { simulation.shutDown() }
        try simulation.finish(simulation.phone.launch())
        let key = MeetingKey(domain: .userDefaults(suite: nil), security: .recommended)
        try simulation.run(on: simulation.phone) {
            try await StorageRouter.shared.set(1, for: key)
            _ = try await StorageRouter.shared.get(key)
            _ = try await StorageRouter.shared.syncSnapshot()
        }
    }

    private static func isTyped(_ error: any Error) -> Bool { error is StorageError || error is FileSystemError }
}
