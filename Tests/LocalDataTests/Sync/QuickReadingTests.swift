import Foundation
import Testing

@testable import LocalData

/// The quick readings take what is in order, as it is, and leave everything else to the careful ones.
@Suite struct QuickReadingTests {
    static let snapshot = SyncSnapshot(
        device: "watch", epoch: "e1", sequence: 7, content: 5, acknowledged: .init(epoch: "e0", sequence: 3, content: 2),
        entries: [
            "theme": SyncEntry(stamp: SyncStamp(counter: 4, device: "phone"), value: Data("\"dark\"".utf8), isReduced: true),
            "gone": SyncEntry(stamp: SyncStamp(counter: 9, device: "watch"), value: nil, isSettled: true),
        ],
        omitted: ["large", "larger"],
        omittedVersions: [
            "large": .init(stamp: SyncStamp(counter: 3, device: "watch")),
            "larger": .init(stamp: SyncStamp(counter: 1, device: "phone"), schemaVersion: 2),
        ])

    @Test func aSnapshotIsTakenAsItWasMade() {
        #expect(QuickSnapshotReading.snapshot(Self.snapshot.entryPayload) == Self.snapshot)
    }

    @Test func anAcknowledgementThatLacksNamesIsTakenAsItWasMade() throws {
        var snapshot = Self.snapshot
        snapshot.acknowledged?.lacksNames = true
        #expect(QuickSnapshotReading.snapshot(snapshot.entryPayload) == snapshot)
        #expect(try SyncSnapshot(snapshot.payload) == snapshot)
        var payload = snapshot.entryPayload
        // The careful reading alone judges what is no flag.
        payload["acknowledged"] = ["epoch": "e0", "sequence": 3, "content": 2, "lacksNames": "yes"] as [String: Any]
        #expect(QuickSnapshotReading.snapshot(payload) == nil)
        #expect(throws: StorageError.self) { try SyncSnapshot([SyncSnapshot.entryKey: payload]) }
    }

    @Test func aSnapshotIsTakenAsSessionsHandItOut() {
        var payload = Self.snapshot.entryPayload
        payload["sequence"] = NSNumber(value: Int64(7))
        #expect(QuickSnapshotReading.snapshot(payload) == Self.snapshot)
    }

    /// Each of these is for the careful reading to judge: some of them it takes.
    nonisolated(unsafe) static let unusual: [(String, (inout [String: Any]) -> Void)] = [
        ("newer format", { $0["version"] = 2 }),
        ("unknown member", { $0["more"] = "?" }),
        ("Boolean counter", { $0["sequence"] = true }),
        ("Boolean number", { $0["sequence"] = NSNumber(value: true) }),
        ("decimal counter", { $0["sequence"] = NSDecimalNumber(value: 7) }),
        ("floating-point counter", { $0["sequence"] = NSNumber(value: 7.0) }),
        ("negative counter", { $0["content"] = -1 }),
        ("no device", { $0["device"] = nil }),
        ("text that is none", { $0["epoch"] = Data("e1".utf8) }),
        ("list of numbers", { $0["omitted"] = [1, 2] as [Any] }),
        ("version without a device", { $0["omittedVersions"] = ["large": ["counter": 3]] }),
        ("version beyond the limit", { $0["omittedVersions"] = ["large": ["counter": Int.max, "device": "d"] as [String: Any]] }),
        ("version with more", { $0["omittedVersions"] = ["large": ["counter": 3, "device": "d", "value": Data()] as [String: Any]] }),
        ("half an acknowledgement", { $0["acknowledged"] = ["epoch": "e0"] as [String: Any] }),
        ("value and deletion", { $0["entries"] = entry(["counter": 1, "device": "d", "value": Data(), "deleted": true]) }),
        ("neither value nor deletion", { $0["entries"] = entry(["counter": 1, "device": "d"]) }),
        ("deleted: false", { $0["entries"] = entry(["counter": 1, "device": "d", "deleted": false]) }),
        ("counter at the limit", { $0["entries"] = entry(["counter": Int.max, "device": "d", "deleted": true]) }),
    ]

    private static func entry(_ members: [String: Any]) -> [String: Any] { ["theme": members] }

    @Test(arguments: unusual.indices) func anUnusualSnapshotIsLeft(_ index: Int) {
        let (name, change) = Self.unusual[index]
        var payload = Self.snapshot.entryPayload
        change(&payload)
        #expect(QuickSnapshotReading.snapshot(payload) == nil, "\(name)")
    }

    static let records: [SyncRecord] = {
        let value = SyncVersion(stamp: SyncStamp(counter: 3, device: "phone"), content: .value(revision: Data([0, 0xAB, 0xFF])))
        let deleted = SyncVersion(stamp: SyncStamp(counter: 4, device: "watch"), content: .deleted)
        let lost = SyncVersion(stamp: SyncStamp(counter: 0, device: "phone"), content: .lost)
        var settled = SyncRecord(keyName: "k", location: "l", committed: deleted, highestCounter: 90)
        settled.isSettled = true
        var reduced = SyncRecord(keyName: "a \"quoted\" \\ name", location: "l", committed: lost, pending: value)
        reduced.committed.isReduced = true
        return [SyncRecord(keyName: "grün", location: "l", committed: value, pending: deleted), settled, reduced]
    }()

    /// A space in front is all it takes for the general decoder to be asked.
    @Test(arguments: records) func recordsReadTheSameEitherWay(_ record: SyncRecord) throws {
        let quick = try SyncRecord(encoded: record.encoded, keyName: record.keyName)
        let careful = try SyncRecord(encoded: " " + record.encoded, keyName: record.keyName)
        #expect(quick == record)
        #expect(careful == record)
    }

    @Test(arguments: [
        SyncPolicyChoices(), SyncPolicyChoices(isIncomplete: true),
        SyncPolicyChoices(names: ["b": "never", "a": "manual", "grün": "declared", "a \"quoted\" name": "later"], isIncomplete: true),
    ])
    func choicesReadTheSameEitherWay(_ choices: SyncPolicyChoices) throws {
        #expect(try SyncPolicyChoices(encoded: Data(choices.encoded.utf8)) == choices)
        #expect(try SyncPolicyChoices(encoded: Data((" " + choices.encoded).utf8)) == choices)
    }

    /// Which of two choices for one name counts is for the general decoder to say.
    @Test func choicesThatAreWrittenTwiceAreLeft() throws {
        let list = #"{"policies":{"a":"never","a":"manual"},"version":1}"#
        let read = try? SyncPolicyChoices(encoded: Data(list.utf8))
        #expect(read == (try? SyncPolicyChoices(encoded: Data((" " + list).utf8))))
    }

    @Test(arguments: ["", "01", "-1", "x", "18446744073709551616"]) func aNumberWrittenInAnotherWayIsLeft(_ text: String) {
        var reader = CanonicalJSONReader(Array(text.utf8))
        #expect(reader.number() == nil)
    }

    @Test(arguments: [#"""#, #""a"#, #""a\n""#, "\"a\u{1}\"", #""ä""#, "a"]) func aTextWrittenInAnotherWayIsLeft(_ text: String) {
        var reader = CanonicalJSONReader(Array(text.utf8))
        let read = reader.text()
        #expect(read == nil || !reader.isAtEnd)
    }

    @Test func numbersAreWrittenInFull() {
        var writer = CanonicalJSONWriter(capacity: 0)
        for number in [0, 7, 10, 12_345, UInt64.max] {
            writer.append(number: number)
            writer.append(" ")
        }
        #expect(String(decoding: writer.bytes, as: UTF8.self) == "0 7 10 12345 18446744073709551615 ")
    }
}
