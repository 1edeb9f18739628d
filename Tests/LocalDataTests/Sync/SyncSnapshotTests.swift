import Foundation
import Testing

@testable import LocalData

@Suite struct SyncSnapshotTests {
    static let snapshot = SyncSnapshot(
        device: "phone", epoch: "00ff", sequence: 12, content: 11,
        acknowledged: .init(epoch: "aa", sequence: 4, content: 3),
        entries: [
            "theme": SyncEntry(stamp: SyncStamp(counter: 3, device: "phone"), value: Data(#""dark""#.utf8)),
            "old": SyncEntry(stamp: SyncStamp(counter: 9, device: "watch"), value: nil, isSettled: true),
            "photo": SyncEntry(stamp: SyncStamp(counter: 1, device: "phone"), value: Data([1]), isReduced: true),
        ],
        omitted: ["big"])

    /// The format is a contract with the counterpart's version of the app.
    static let fixture = """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict><key>com.localdata.sync</key><dict>
        <key>version</key><integer>1</integer><key>device</key><string>phone</string><key>epoch</key><string>00ff</string>
        <key>sequence</key><integer>12</integer><key>content</key><integer>11</integer>
        <key>acknowledged</key><dict><key>epoch</key><string>aa</string><key>sequence</key><integer>4</integer>
        <key>content</key><integer>3</integer></dict>
        <key>entries</key><dict>
        <key>theme</key><dict><key>counter</key><integer>3</integer><key>device</key><string>phone</string>
        <key>value</key><data>ImRhcmsi</data></dict>
        <key>old</key><dict><key>counter</key><integer>9</integer><key>device</key><string>watch</string>
        <key>deleted</key><true/><key>settled</key><true/></dict>
        <key>photo</key><dict><key>counter</key><integer>1</integer><key>device</key><string>phone</string>
        <key>value</key><data>AQ==</data><key>reduced</key><true/></dict>
        </dict>
        <key>omitted</key><array><string>big</string></array>
        </dict></dict></plist>
        """

    static func fixtureDictionary() throws -> [String: Any] {
        let object = try PropertyListSerialization.propertyList(from: Data(fixture.utf8), format: nil)
        return try #require(object as? [String: Any])
    }

    /// What is said of the values that have neither room nor a version comes across, and is left out where there are none.
    @Test func whatIsSaidOfTheOmittedComesAcross() throws {
        var snapshot = SyncSnapshot(device: "phone", epoch: "e", sequence: 2, content: 1, entries: [:], omitted: ["b"])
        #expect((snapshot.payload[SyncSnapshot.entryKey] as? [String: Any])?.keys.contains { $0.hasPrefix("omits") } == false)
        (snapshot.omittedCounter, snapshot.omitsMore) = (9, true)
        let read = try SyncSnapshot(snapshot.payload)
        #expect(read == snapshot && read.leavesOut("a") && read.leavesOut("b") && !read.isSilent(about: "a"))
        // No honest counterpart counts so far.
        #expect(try read.withinLimits() == read)
        (snapshot.sequence, snapshot.omittedCounter) = (3, UInt64(Int64.max))
        #expect(try snapshot.withinLimits().omittedCounter == 0)
        snapshot.omitsMore = false
        #expect(!snapshot.leavesOut("a") && snapshot.leavesOut("b") && snapshot.isSilent(about: "a"))
    }

    @Test func formatIsPinned() throws {
        let fixture = try Self.fixtureDictionary()
        #expect(try SyncSnapshot(fixture) == Self.snapshot)
        #expect(try PropertyListValue(validating: Self.snapshot.payload) == PropertyListValue(validating: fixture))
    }

    @Test func survivesTheTrip() throws {
        for format in [PropertyListSerialization.PropertyListFormat.binary, .xml] {
            let data = try PropertyListSerialization.data(fromPropertyList: Self.snapshot.payload, format: format, options: 0)
            let object = try #require(try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
            #expect(try SyncSnapshot(object) == Self.snapshot)
        }
    }

    /// Each by itself, whatever is wrong with it and however many are bad; the others are taken.
    @Test func everyBadEntryIsRefusedAlone() throws {
        let good = SyncEntry(stamp: SyncStamp(counter: 3, device: "phone"), value: Data("1".utf8))
        let longName = String(repeating: "n", count: KeyRules.maximumNameLength + 1)
        let bad: [String: SyncEntry] = [
            "counter": SyncEntry(stamp: SyncStamp(counter: UInt64(Int64.max), device: "phone"), value: good.value),
            "device": SyncEntry(
                stamp: SyncStamp(counter: 1, device: String(repeating: "d", count: SnapshotLimits.maximumDeviceLength + 1)),
                value: good.value),
            "value": SyncEntry(stamp: good.stamp, value: Data(count: SnapshotLimits.maximumValueByteCount + 1)),
            longName: good,
        ]
        var snapshot = Self.snapshot
        snapshot.entries = bad.merging(["one": good, "other": good]) { $1 }
        snapshot.omittedVersions = [
            "toldOf": .init(stamp: good.stamp),
            "lie": .init(stamp: SyncStamp(counter: .max, device: "phone")),
            "stranger": .init(
                stamp: SyncStamp(counter: 1, device: String(repeating: "d", count: SnapshotLimits.maximumDeviceLength + 1))),
        ]
        let onlyBad = try SyncSnapshot(
            device: "phone", epoch: "00ff", sequence: 12, content: 11, acknowledged: nil, entries: bad, omitted: []
        ).withinLimits()
        #expect(onlyBad.entries.isEmpty && onlyBad.refused.count == bad.count)
        let checked = try snapshot.withinLimits()
        #expect(checked.entries == ["one": good, "other": good])
        #expect(checked.omittedVersions.keys.sorted() == ["toldOf"])
        #expect(checked.refused.keys.sorted() == ["counter", "device", "lie", String(longName.prefix(64)) + "…", "stranger", "value"])
        #expect(checked.refused["counter"] == "a counter out of range" && checked.refused["lie"] == "a counter out of range")
    }

    @Test func theAppsOwnDictionariesHoldNone() throws {
        #expect(try SyncSnapshot(in: ["steps": 12]) == nil)
        #expect(try SyncSnapshot(in: [:]) == nil)
        let error = #expect(throws: StorageError.self) { try SyncSnapshot(["steps": 12]) }
        #expect(error?.code == .invalidSnapshot)
    }

    struct Damage: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let path: [String]
        let replacement: PropertyListValue?
        let fact: String
    }

    static let damages: [Damage] = [
        .init(testDescription: "no version", path: ["version"], replacement: nil, fact: "com.localdata.sync.version: missing"),
        .init(testDescription: "version 0", path: ["version"], replacement: .integer(0), fact: "com.localdata.sync.version: not a version"),
        .init(testDescription: "no device", path: ["device"], replacement: nil, fact: "com.localdata.sync.device: missing"),
        .init(testDescription: "epoch", path: ["epoch"], replacement: .integer(1), fact: "com.localdata.sync.epoch: not a string"),
        .init(
            testDescription: "sequence", path: ["sequence"], replacement: .integer(-1),
            fact: "com.localdata.sync.sequence: not a whole number from 0"),
        .init(testDescription: "entries", path: ["entries"], replacement: .array([]), fact: "com.localdata.sync.entries: not a dictionary"),
        .init(
            testDescription: "entry", path: ["entries", "theme"], replacement: .string("x"),
            fact: "com.localdata.sync.entries.theme: not a dictionary"),
        .init(
            testDescription: "counter", path: ["entries", "theme", "counter"], replacement: .real(1.5),
            fact: "com.localdata.sync.entries.theme.counter: not a whole number from 0"),
        .init(
            testDescription: "counter at the limit", path: ["entries", "theme", "counter"], replacement: .integer(.max),
            fact: "com.localdata.sync.entries.theme.counter: out of range"),
        .init(
            testDescription: "value", path: ["entries", "theme", "value"], replacement: .string("dark"),
            fact: "com.localdata.sync.entries.theme.value: not data"),
        .init(
            testDescription: "neither", path: ["entries", "theme", "value"], replacement: nil,
            fact: "com.localdata.sync.entries.theme: neither a value nor deleted, or both"),
        .init(
            testDescription: "flag", path: ["entries", "old", "settled"], replacement: .integer(1),
            fact: "com.localdata.sync.entries.old.settled: not a Boolean"),
        .init(
            testDescription: "omitted", path: ["omitted"], replacement: .array([.integer(1)]),
            fact: "com.localdata.sync.omitted.[0]: not a string"),
        .init(
            testDescription: "acknowledgement", path: ["acknowledged", "content"], replacement: nil,
            fact: "com.localdata.sync.acknowledged.content: missing"),
    ]

    @Test(arguments: damages) func malformedNamesThePlace(_ damage: Damage) throws {
        let intact = try PropertyListValue(validating: Self.fixtureDictionary())
        let damaged = Self.replacing([SyncSnapshot.entryKey] + damage.path, in: intact, with: damage.replacement)
        let dictionary = try #require(damaged.propertyList as? [String: Any])
        if damage.path.count > 1, damage.path[0] == "entries" {
            // A bad entry is refused alone.
            let snapshot = try SyncSnapshot(dictionary)
            #expect(snapshot.refused == [damage.path[1]: damage.fact])
            #expect(Set(snapshot.entries.keys) == Set(Self.snapshot.entries.keys).subtracting([damage.path[1]]))
            return
        }
        let error = #expect(throws: StorageError.self) { try SyncSnapshot(dictionary) }
        #expect(error?.code == .invalidSnapshot)
        #expect(error?.facts == [damage.fact])
    }

    @Test func aNewerFormatIsSuperseded() throws {
        let error = #expect(throws: StorageError.self) { try SyncSnapshot(in: [SyncSnapshot.entryKey: ["version": 2]]) }
        #expect(error?.code == .superseded)
    }

    @Test func whatIsNoPropertyListNamesThePlace() throws {
        let error = #expect(throws: StorageError.self) {
            try SyncSnapshot(in: [SyncSnapshot.entryKey: ["version": 1, "omitted": [NSNull()]] as [String: Any]])
        }
        #expect(error?.code == .invalidSnapshot)
        #expect(error?.facts.first?.hasPrefix("com.localdata.sync.omitted[0]: ") == true)
        var payload = Self.snapshot.entryPayload
        payload["entries"] = ["a": NSNull()] as [String: Any]
        let refused = try SyncSnapshot([SyncSnapshot.entryKey: payload]).refused
        #expect(refused["a"]?.hasPrefix("com.localdata.sync.entries.a: ") == true)
    }

    /// No error tells what the values were.
    @Test(arguments: damages) func errorsHoldNoValues(_ damage: Damage) throws {
        let intact = try PropertyListValue(validating: Self.fixtureDictionary())
        let damaged = Self.replacing([SyncSnapshot.entryKey] + damage.path, in: intact, with: .string("s3cret"))
        let dictionary = try #require(damaged.propertyList as? [String: Any])
        do {
            _ = try SyncSnapshot(dictionary)
        } catch {
            #expect(!"\(error)".contains("s3cret"))
        }
    }

    @Test(arguments: [0, 1, 14, 15, 100, 300, 5_000, 70_000]) func sizeIsAnUpperBoundAndNotFarOff(_ count: Int) throws {
        var snapshot = Self.snapshot
        for number in 0..<20 {
            snapshot.entries["käy \(number)"] = SyncEntry(
                stamp: SyncStamp(counter: .init(number), device: "phone"), value: Data(repeating: 7, count: count))
        }
        let real = try PropertyListSerialization.data(fromPropertyList: snapshot.payload, format: .binary, options: 0).count
        let entries = snapshot.entries.reduce(0) { $0 + $1.value.maximumByteCount(under: $1.key) }
        let bound = PayloadSize.envelope + snapshot.maximumHeaderByteCount + entries
        #expect(real <= bound)
        #expect(bound <= real + 1_000 + snapshot.entries.count * 300)
        #expect(real <= PayloadSize.envelope + PayloadSize.dictionary(snapshot.payload))
    }

    static func replacing(_ path: [String], in value: PropertyListValue, with replacement: PropertyListValue?) -> PropertyListValue {
        guard let first = path.first, case .dictionary(var members) = value else { return value }
        members[first] =
            path.count == 1 ? replacement : members[first].map { replacing(Array(path.dropFirst()), in: $0, with: replacement) }
        return .dictionary(members)
    }
}
