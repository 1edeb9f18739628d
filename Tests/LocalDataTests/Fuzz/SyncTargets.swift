import Foundation
import FuzzSupport

@testable import LocalData

/// The ledger's files and what comes from the counterpart.
enum SyncTargets {
    static var all: [FuzzTarget] { [record, installation, overrides, snapshot, applied, made] }

    private static let words = [
        #""version":1"#, #""version":2"#, #""counter":"#, #""content":"deleted""#, #""content":"value""#, #""revision":"00""#,
        #""pending":"#, "{", "}", "[",
        "]", ",", "\"", "\\u0000", "null", "18446744073709551615", "9223372036854775807",
    ].map { Array($0.utf8) }

    @Sendable private static func isOfLedger(_ error: any Error) -> Bool {
        (error as? StorageError).map { [.corrupt, .superseded].contains($0.code) } ?? false
    }

    private static let records = [
        #"{"committed":{"content":"value","counter":4,"device":"phone","revision":"0a"},"key":"theme","location":"defaults/standard/theme","pending":{"content":"value","counter":7,"device":"watch","revision":"b001"},"version":1}"#,
        #"{"committed":{"content":"deleted","counter":5,"device":"phone"},"highest":9,"key":"theme","location":"x","settled":true,"version":1}"#,
        #"{"committed":{"content":"lost","counter":0,"device":"phone"},"key":"theme","location":"x","reduced":true,"version":1}"#,
    ].map { Array($0.utf8) }

    private static let record = FuzzTarget("sync-record", seeds: records, words: words, share: 200, promises: isOfLedger) { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        let record = try SyncRecord(encoded: text, keyName: "theme")
        try FuzzViolation.unless(SyncRecord.keyName(in: Data(text.utf8)) == "theme", "the record's key is not found in it")
        try FuzzViolation.unless(
            try SyncRecord(encoded: record.encoded, keyName: "theme") == record, "a record is not what it is written as")
        let recovered = record.recovered(finding: Data([1]), device: "phone").confirmed()
        try FuzzViolation.unless(recovered.highestCounter >= record.highestCounter, "a record's counter went back")
    }

    private static let installation = FuzzTarget(
        "sync-installation",
        seeds: [
            #"{"counterparts":[{"content":5,"epoch":"e1","sequence":7}],"epoch":"0011aa","floor":12,"reserved":65,"version":1}"#,
            #"{"counterparts":[],"epoch":"0011aa","floor":0,"missed":{"theme":7},"reserved":1,"version":1}"#,
        ].map { Array($0.utf8) }, words: words, share: 100, promises: isOfLedger
    ) { bytes in
        let installation = try SyncInstallation(encoded: Data(bytes))
        try FuzzViolation.unless(
            try SyncInstallation(encoded: Data(installation.encoded.utf8)) == installation, "an installation is not what it is written as")
    }

    private static let overrides = FuzzTarget(
        "sync-policies", seeds: [Array(#"{"policies":{"a":"never","b":"automaticSmall","c":"manual"},"version":1}"#.utf8)], words: words,
        share: 40,
        promises: isOfLedger
    ) { bytes in
        let device = TestDevice()
        device.files.put(Data(bytes), at: "/app/Library/Application Support/LocalData/Sync/policies.json")
        let ledger = SyncLedger(environment: device.environment, files: FileStorageHelper(environment: device.environment))
        _ = try ledger.overrides()
        try ledger.setOverride(.manual, of: ValueKey<String>("new"))
        let again = SyncLedger(environment: device.environment, files: FileStorageHelper(environment: device.environment))
        try FuzzViolation.unless(try again.overrides() == ledger.overrides(), "policies are not what they are written as")
    }

    // MARK: The counterpart's snapshot

    private static let payloads: [PlistNode] = [
        .dictionary([
            .init(
                SyncSnapshot.entryKey,
                .dictionary([
                    .init("version", .integer(1)), .init("device", .string("watch")), .init("epoch", .string("e1")),
                    .init("sequence", .integer(3)),
                    .init("content", .integer(2)),
                    .init(
                        "acknowledged",
                        .dictionary([.init("epoch", .string("e0")), .init("sequence", .integer(1)), .init("content", .integer(1))])),
                    .init(
                        "entries",
                        .dictionary([
                            .init("note", entry([.init("value", .data(Array(#""milk""#.utf8)))])),
                            .init("secret", entry([.init("value", .data(Array("42".utf8))), .init("reduced", .bool(true))])),
                            .init("gone", entry([.init("deleted", .bool(true)), .init("settled", .bool(true))])),
                        ])), .init("omitted", .array([.string("large")])),
                    .init("omittedVersions", .dictionary([.init("large", entry([.init("schema", .integer(2))]))])),
                ]))
        ])
    ]

    private static func entry(_ members: [PlistNode.Member]) -> PlistNode {
        .dictionary([.init("counter", .integer(5)), .init("device", .string("watch"))] + members)
    }

    @Sendable private static func forged(_ random: inout FuzzGenerator) -> [UInt8] {
        (0...random.below(3)).reduce(random.element(of: payloads)) { node, _ in node.mutated(&random) }.binary
    }

    @Sendable private static func isOfSnapshot(_ error: any Error) -> Bool {
        if error is NotRead || PropertyListTargets.isOfReading(error) { return true }
        return (error as? StorageError).map { [.invalidSnapshot, .superseded].contains($0.code) } ?? false
    }

    /// What a session hands out. It has checked that it is a property list; the rest is LocalData's to check.
    private static func dictionary(_ bytes: [UInt8]) throws -> [String: Any] {
        guard let dictionary = try PropertyListValue(encoded: Data(bytes)).propertyList as? [String: Any] else { throw NotRead() }
        return dictionary
    }

    private static let snapshot = FuzzTarget(
        "sync-snapshot", seeds: payloads.map(\.binary), words: PropertyListTargets.words, share: 150, make: forged, promises: isOfSnapshot
    ) { bytes in
        var snapshot = try SyncSnapshot(dictionary(bytes))
        let travelling = snapshot.payload
        snapshot.refused = [:]
        try FuzzViolation.unless(try SyncSnapshot(travelling) == snapshot, "a snapshot is not what it is sent as")
    }

    private static let keys = (
        note: ValueKey("note", of: String.self, in: .documents).syncing,
        secret: ValueKey("secret", of: Int.self, security: .recommended).syncing,
        gone: ValueKey("gone", of: String.self).syncing
    )

    private static let applied = FuzzTarget(
        "applied-snapshot", seeds: payloads.map(\.binary), words: PropertyListTargets.words, share: 10, make: forged, promises: isOfSnapshot
    ) { bytes in
        let snapshot = try SyncSnapshot(dictionary(bytes))
        let device = TestDevice()
        let router = device.router()
        try await router.set("mine", for: keys.note)
        try await router.set(7, for: keys.secret)
        _ = try await router.exists(keys.gone)
        let report = try await router.apply(snapshot)
        _ = try await router.apply(snapshot)
        // What was there is replaced by a value that can be read, by nothing, or not at all.
        for launched in [router, device.router()] {
            let note = try await launched.valueIfStored(keys.note)
            let secret = try await launched.valueIfStored(keys.secret)
            if !report.applied.contains("note") { try FuzzViolation.unless(note == "mine", "a value changed that was not applied") }
            if !report.applied.contains("secret") { try FuzzViolation.unless(secret == 7, "a sealed value changed that was not applied") }
            _ = try await launched.valueIfStored(keys.gone)
        }
        try await router.set("new", for: keys.note)
        try FuzzViolation.unless(try await router.get(keys.note) == "new", "the key cannot be set any more")
    }
}

extension SyncTargets {
    /// Snapshots that no reading has looked at, with any numbers: apps can make them, and a counterpart can send most.
    private static let made = FuzzTarget(
        "made-snapshot",
        seeds: [
            [UInt8](repeating: 0, count: 64), [UInt8](repeating: 0xFF, count: 64), [UInt8](0..<64),
            [UInt8](repeating: 0, count: 32) + [0x7F] + [UInt8](repeating: 0xFF, count: 31),
        ], share: 10, promises: isOfSnapshot
    ) { bytes in
        var rest = bytes[...]
        func number() -> UInt64 {
            let number = rest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            rest = rest.dropFirst(8)
            return number
        }
        let device = TestDevice(role: .phone, identifier: "phone", seed: 1)
        let router = device.router()
        try await router.set("mine", for: keys.note)
        let own = try await router.syncSnapshot(maximumByteCount: Int(truncatingIfNeeded: number()))
        var snapshot = SyncSnapshot(device: "liar", epoch: "e1", sequence: number(), content: 0, entries: [:])
        snapshot.content = rest.count.isMultiple(of: 2) ? min(snapshot.sequence, 1) : number()
        snapshot.acknowledged = .init(epoch: own.epoch, sequence: number(), content: number())
        let kind = rest.popFirst() ?? 0
        let writer = kind & 1 == 0 ? "liar" : "^ffffffffffffffff.liar"
        snapshot.entries["note"] = SyncEntry(
            stamp: SyncStamp(counter: number(), device: writer), value: kind & 2 == 0 ? Data("\"lie\"".utf8) : nil, isSettled: kind & 4 == 0
        )
        snapshot.entries["gone"] = SyncEntry(stamp: SyncStamp(counter: number(), device: writer), value: nil, isSettled: true)
        let failure: (any Error)?
        do {
            _ = try await router.apply(snapshot)
            failure = nil
        } catch {
            failure = error
        }
        _ = try SyncSnapshot(snapshot.payload)
        for launched in [router, device.router()] {
            try await launched.set("new", for: keys.note)
            try await launched.set("there", for: keys.gone)
            let sent = try await launched.syncSnapshot()
            let honest = TestDevice(role: .watch, identifier: "watch", seed: 2).router()
            try await honest.set("old", for: keys.note)
            _ = try await honest.exists(keys.gone)
            _ = try await honest.apply(sent)
            try FuzzViolation.unless(try await honest.valueIfStored(keys.note) == "new", "an edit does not reach an honest counterpart")
            try FuzzViolation.unless(
                try await honest.valueIfStored(keys.gone) == "there", "a new value does not reach an honest counterpart")
        }
        if let failure { throw failure }
    }
}

extension ValueKey {
    fileprivate var syncing: ValueKey {
        var key = self
        key.syncPolicy = .automaticSmall
        return key
    }
}

extension StorageRouter {
    func valueIfStored<Key: StorageKey>(_ key: Key) async throws -> Key.Value? {
        do {
            return try await get(key)
        } catch let error as StorageError where error.code == .notFound {
            return nil
        }
    }
}
