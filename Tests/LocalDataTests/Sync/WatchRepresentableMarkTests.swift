import Foundation
import Testing

@testable import LocalData

/// The full value on the phone and the smaller form on the watch have one stamp. What tells them apart is a mark, and never which digest is greater.
@Suite struct WatchRepresentableMarkTests {
    typealias PhotoKey = WatchRepresentableTests.PhotoKey

    enum Greater: CaseIterable { case full, smaller }
    /// Which way the mark is lost on.
    enum Lost: CaseIterable { case nowhere, onTheWayToTheWatch, onTheWayToThePhone, bothWays }

    let pair = SyncPair(keys: [.key(PhotoKey())])
    static let smaller = "abcdefgh"

    /// A full value whose serialized digest is greater, or less, than that of its smaller form.
    static func full(_ greater: Greater) throws -> String {
        let serializer = PhotoKey().serializer
        let form = SHA256Digest.digest(of: try serializer.encode(smaller))
        for number in 0..<64 {
            let full = "\(smaller) in full \(number)"
            let isLess = form.lexicographicallyPrecedes(SHA256Digest.digest(of: try serializer.encode(full)))
            if isLess == (greater == .full) { return full }
        }
        throw StorageError(.encodingFailed)
    }

    @Test(arguments: Greater.allCases, Lost.allCases) func theSmallerFormNeverReplacesTheFullValue(greater: Greater, lost: Lost)
        async throws
    {
        let full = try Self.full(greater)
        try await pair.phone.set(full, for: PhotoKey())
        for round in 0..<4 {
            try await deliver(to: pair.watch, losesMark: lost == .onTheWayToTheWatch || lost == .bothWays)
            #expect(try await pair.watch.value(PhotoKey()) == Self.smaller)
            try await deliver(to: pair.phone, losesMark: lost == .onTheWayToThePhone || lost == .bothWays)
            #expect(try await pair.phone.value(PhotoKey()) == full, "round \(round)")
            if round == 1 { for device in pair.devices { device.relaunch() } }
            for device in pair.devices { try await device.run { try await $0.syncNow() } }
        }
    }

    @Test(arguments: Greater.allCases) func theMarkIsSentStoredAndSentBack(greater: Greater) async throws {
        try await pair.phone.set(try Self.full(greater), for: PhotoKey())
        #expect(try await snapshot(of: pair.phone).entries["photo"]?.isReduced == true)
        try await pair.deliver(to: pair.watch)
        pair.watch.relaunch()
        #expect(try pair.watch.record(PhotoKey())?.confirmed().committed.isReduced == true)
        #expect(try await snapshot(of: pair.watch).entries["photo"]?.isReduced == true)
    }

    /// The watch announces an edit and dies before it is stored: what lies there is the smaller form still.
    @Test(arguments: Greater.allCases) func anEditThatWasOnlyAnnouncedLeavesTheMark(greater: Greater) async throws {
        let full = try Self.full(greater)
        for operation in 1...24 {
            let pair = SyncPair(keys: [.key(PhotoKey())])
            try await pair.phone.set(full, for: PhotoKey())
            try await pair.heal()
            pair.watch.crash.arm(before: operation)
            do {
                try await pair.watch.set("edited on the watch", for: PhotoKey())
            } catch is StorageError {}
            pair.watch.relaunch()
            let isEdited = try await pair.watch.value(PhotoKey()) != Self.smaller
            if !isEdited { #expect(try await snapshot(of: pair.watch).entries["photo"]?.isReduced == true, "operation \(operation)") }
            try await pair.heal()
            #expect(try await pair.phone.value(PhotoKey()) == (isEdited ? "edited on the watch" : full), "operation \(operation)")
        }
    }

    /// A full value goes before a smaller form of the same version, whatever they hold; a later version goes before both.
    @Test(arguments: Greater.allCases) func theOrderDoesNotAskTheDigest(greater: Greater) throws {
        let stamp = SyncStamp(counter: 3, device: "phone")
        let full = SyncEntry(stamp: stamp, value: Data(try Self.full(greater).utf8))
        let smaller = SyncEntry(stamp: stamp, value: Data(Self.smaller.utf8), isReduced: true)
        #expect(SyncMerge.order(full, smaller) == .orderedDescending)
        #expect(SyncMerge.order(smaller, full) == .orderedAscending)
        let edit = SyncEntry(stamp: SyncStamp(counter: 4, device: "watch"), value: Data("edit".utf8))
        for other in [full, smaller] { #expect(SyncMerge.order(edit, other) == .orderedDescending) }
    }

    private func snapshot(of device: SyncDevice) async throws -> SyncSnapshot {
        try await device.run { try await $0.syncSnapshot() }
    }

    private func deliver(to device: SyncDevice, losesMark: Bool) async throws {
        let other = device === pair.phone ? pair.watch : pair.phone
        guard let context = other.session.takeUnderWay(), var snapshot = try SyncSnapshot(in: context) else { return }
        if losesMark { for name in snapshot.entries.keys { snapshot.entries[name]?.isReduced = false } }
        let delivered = snapshot
        device.session.receivedApplicationContext = delivered.payload
        try await device.run { _ = try await $0.apply(delivered) }
    }
}
