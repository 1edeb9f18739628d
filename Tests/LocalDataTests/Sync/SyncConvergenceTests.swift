import Foundation
import Testing

@testable import LocalData

/// Random changes, crashes, losses, repeats and relaunches on both devices; then a working link. Both must hold the same, and come to rest.
@Suite struct SyncConvergenceTests {
    @Test(arguments: 0..<80) func bothDevicesAgree(seed: UInt64) async throws {
        var random = TestGenerator(seed: seed)
        let pair = SyncPair(seed: seed)
        var replays: [[String: Any]] = []
        /// Of each key the change with the highest stamp that was acknowledged, and the values of changes that may or may not have happened.
        var highest: [String: (stamp: SyncStamp, value: String?)] = [:]
        var uncertain: [String: Set<String?>] = [:]
        for step in 0..<40 {
            let device = pair.devices[Int.random(in: 0...1, using: &random)]
            switch Int.random(in: 0..<13, using: &random) {
            case 0..<5:
                let change = Change("\(step)", &random)
                let before = try change.record(on: device)
                try await change.make(on: device)
                let after = try change.record(on: device)
                // Removing what is not there is no change.
                if change.value == nil, after?.committed == before?.committed { continue }
                let stamp = try #require(after).committed.stamp
                if let known = highest[change.name], stamp < known.stamp { continue }
                highest[change.name] = (stamp, change.value)
            case 5:
                let change = Change("\(step)", &random)
                device.crash.arm(before: Int.random(in: 1...8, using: &random))
                do {
                    try await change.make(on: device)
                } catch is StorageError {}
                device.relaunch()
                uncertain[change.name, default: []].insert(change.value)
            case 6:
                device.relaunch()
                try await device.sync()
            case 7:
                try await device.sync()
            case 8:
                _ = device.session.takeUnderWay()
            case 9:
                try await pair.heal()
            case 10:
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
        for name in Change.names {
            let value = try await Change.value(of: name, on: pair.phone)
            #expect(try await Change.value(of: name, on: pair.watch) == value, "\(name)")
            let isKnown = value == highest[name]?.value || uncertain[name]?.contains(value) == true
            #expect(isKnown, "\(name): neither the highest stamp's value nor that of an interrupted change")
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

    /// A random change of one of the keys.
    struct Change {
        static let names = ["theme", "notes", "token", "manual"]

        let name: String
        /// `nil` removes.
        let value: String?

        init(_ value: String, _ random: inout TestGenerator) {
            name = Self.names[Int.random(in: Self.names.indices, using: &random)]
            self.value = Int.random(in: 0..<4, using: &random) == 0 ? nil : value
        }

        func make(on device: SyncDevice) async throws {
            try await Self.open(name) { try await apply($0, on: device) }
        }

        func record(on device: SyncDevice) throws -> SyncRecord? {
            switch name {
            case "theme": try device.record(ThemeKey())
            case "notes": try device.record(NotesKey())
            case "token": try device.record(TokenKey())
            default: try device.record(ManualKey())
            }
        }

        static func value(of name: String, on device: SyncDevice) async throws -> String? {
            try await open(name) { try await read($0, on: device) }
        }

        private func apply<Key: StorageKey>(_ key: Key, on device: SyncDevice) async throws {
            if let value = value as? Key.Value { try await device.set(value, for: key) } else { try await device.remove(key) }
        }

        private static func read<Key: StorageKey>(_ key: Key, on device: SyncDevice) async throws -> String? {
            try await device.value(key) as? String
        }

        private static func open<Result>(_ name: String, _ body: (any StorageKey) async throws -> Result) async throws -> Result {
            switch name {
            case "theme": try await body(ThemeKey())
            case "notes": try await body(NotesKey())
            case "token": try await body(TokenKey())
            default: try await body(ManualKey())
            }
        }
    }
}
