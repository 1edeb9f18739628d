import Foundation
import Testing

@testable import LocalData

/// Random changes, crashes, losses, repeats and relaunches on both devices; then a working link. Both must hold the same, and come to rest.
@Suite struct SyncConvergenceTests {
    @Test(arguments: 0..<80) func bothDevicesAgree(seed: UInt64) async throws {
        var random = TestGenerator(seed: seed)
        let pair = SyncPair(seed: seed)
        var replays: [[String: Any]] = []
        for step in 0..<40 {
            let device = pair.devices[Int.random(in: 0...1, using: &random)]
            switch Int.random(in: 0..<12, using: &random) {
            case 0..<5:
                try await Self.change(device, "\(step)", &random)
            case 5:
                try await Self.interrupted(device, "\(step)", &random)
            case 6:
                device.relaunch()
                try await device.sync()
            case 7:
                try await device.sync()
            case 8:
                _ = device.session.takeUnderWay()
            case 9:
                guard let context = replays.randomElement(using: &random), let snapshot = try SyncSnapshot(in: context) else { continue }
                let target = snapshot.device == "phone" ? pair.watch : pair.phone
                _ = try await target.run { try await $0.apply(snapshot) }
            default:
                let sender = device === pair.phone ? pair.watch : pair.phone
                if sender.session.underWay != nil { replays.append(sender.session.applicationContext) }
                try await pair.deliver(to: device)
            }
        }
        try await pair.heal()
        for key in [ThemeKey().name, NotesKey().name, TokenKey().name, ManualKey().name] {
            let values = try await Self.values(of: key, pair)
            #expect(values[0] == values[1], "\(key)")
        }
        let before = pair.devices.map(\.session.sendCount)
        try await pair.heal()
        #expect(pair.devices.map(\.session.sendCount) == before, "the devices do not come to rest")
        for device in pair.devices {
            let status = await device.status()
            #expect(status.pending == [])
            #expect(status.tombstones == [], "a deletion that both have is remembered for ever")
            #expect(status.problems.isEmpty)
        }
    }

    private static func change(_ device: SyncDevice, _ value: String, _ random: inout TestGenerator) async throws {
        let removes = Int.random(in: 0..<4, using: &random) == 0
        switch Int.random(in: 0..<4, using: &random) {
        case 0: try await apply(device, removes ? nil : value, ThemeKey())
        case 1: try await apply(device, removes ? nil : value, NotesKey())
        case 2: try await apply(device, removes ? nil : value, TokenKey())
        default: try await apply(device, removes ? nil : value, ManualKey())
        }
    }

    private static func apply<Key: StorageKey>(_ device: SyncDevice, _ value: String?, _ key: Key) async throws where Key.Value == String {
        if let value { try await device.set(value, for: key) } else { try await device.remove(key) }
    }

    private static func interrupted(_ device: SyncDevice, _ value: String, _ random: inout TestGenerator) async throws {
        device.faults.count = 0
        device.faults.crashAt = Int.random(in: 1...8, using: &random)
        do {
            try await change(device, value, &random)
        } catch is StorageError {} catch is FileSystemError {}
        device.relaunch()
    }

    private static func values(of name: String, _ pair: SyncPair) async throws -> [String?] {
        var values: [String?] = []
        for device in pair.devices {
            switch name {
            case "theme": values.append(try await device.value(ThemeKey()))
            case "notes": values.append(try await device.value(NotesKey()))
            case "token": values.append(try await device.value(TokenKey()))
            default: values.append(try await device.value(ManualKey()))
            }
        }
        return values
    }
}
