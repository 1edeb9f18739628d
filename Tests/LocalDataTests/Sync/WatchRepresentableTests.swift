import Foundation
import Testing

@testable import LocalData

@Suite struct WatchRepresentableTests {
    struct PhotoKey: WatchRepresentable {
        typealias Value = String
        let name = "photo"
        let domain: StorageDomain = .fileSystem(directory: .documents)
        let security: SecurityPolicy = .none
        let owner = "Tests"
        let syncPolicy: SyncPolicy = .automaticSmall

        func watchRepresentation(of value: String) throws -> String {
            if value.hasPrefix("broken") { throw StorageError(.encodingFailed) }
            return String(value.prefix(8))
        }
    }

    let pair = SyncPair(keys: [.key(PhotoKey())])
    let full = "abcdefgh" + String(repeating: "x", count: 200_000)

    @Test func theWatchGetsTheSmallerFormAndThePhoneKeepsTheFullOne() async throws {
        try await pair.phone.set(full, for: PhotoKey())
        #expect(await pair.phone.status().pending == [], "the limit of automatic sync is that of what travels")
        try await pair.heal()
        #expect(try await pair.watch.value(PhotoKey()) == "abcdefgh")
        pair.watch.relaunch()
        pair.phone.relaunch()
        try await pair.heal()
        #expect(try await pair.phone.value(PhotoKey()) == full)
        #expect(try await pair.watch.value(PhotoKey()) == "abcdefgh")
        let before = pair.devices.map(\.session.sendCount)
        try await pair.heal()
        #expect(pair.devices.map(\.session.sendCount) == before)
    }

    @Test func anEditOnTheWatchReplacesTheFullValue() async throws {
        try await pair.phone.set(full, for: PhotoKey())
        try await pair.heal()
        try await pair.watch.set("edited on the watch", for: PhotoKey())
        try await pair.heal()
        for device in pair.devices { #expect(try await device.value(PhotoKey()) == "edited on the watch") }
    }

    @Test func withoutASmallerFormTheFullValueTravels() async throws {
        try await pair.phone.set("broken picture", for: PhotoKey())
        try await pair.heal()
        #expect(try await pair.watch.value(PhotoKey()) == "broken picture")
    }

    /// The mark "smaller form" is stored with the version, in one step.
    @Test func aCrashWhileTheSmallerFormIsStoredDoesNotMakeItTheFullOne() async throws {
        for operation in 1...24 {
            let pair = SyncPair(keys: [.key(PhotoKey())])
            try await pair.phone.set(full, for: PhotoKey())
            pair.watch.crash.arm(before: operation)
            do {
                try await pair.deliver(to: pair.watch)
            } catch is StorageError {}
            pair.watch.relaunch()
            try await pair.heal()
            #expect(try await pair.phone.value(PhotoKey()) == full)
            #expect(try await pair.watch.value(PhotoKey()) == "abcdefgh")
        }
    }
}
