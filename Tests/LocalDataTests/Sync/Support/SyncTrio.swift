import Foundation
import Testing

@testable import LocalData

/// A phone with two watches, of which it speaks to one at a time (W12).
final class SyncTrio {
    let phone: SyncDevice
    let watches: [SyncDevice]
    private(set) var active = 0
    /// Whether the phone has one context for all watches, which is not known (W15).
    private let sharesContexts: Bool
    /// What the phone said and heard last in the pairing with a watch, while it speaks to the other one.
    private var parked: [Parked] = [Parked(), Parked()]

    private struct Parked {
        var sent: [String: Any] = [:]
        var received: [String: Any] = [:]
        var underWay: [String: Any]?
    }

    init(keys: [AnyStorageKey] = SyncPair.keys, seed: UInt64 = 1, sharesContexts: Bool = false) {
        phone = SyncDevice(.phone, keys: keys, seed: seed)
        watches = (1...2).map { SyncDevice(.watch, keys: keys, seed: seed &+ UInt64($0) &* 1_000, identifier: "watch\($0)") }
        self.sharesContexts = sharesContexts
    }

    var watch: SyncDevice { watches[active] }
    var devices: [SyncDevice] { [phone] + watches }

    /// Puts on the other watch. What is under way in the pairing of the first one waits there. The apps then ask for a sync, as apps do that are
    /// activated, and that see their counterpart become reachable.
    func switchWatch(tells: Bool = true) async throws {
        let session = phone.session
        parked[active] = Parked(
            sent: session.applicationContext, received: session.receivedApplicationContext,
            underWay: session.takeUnderWay() ?? parked[active].underWay)
        active = 1 - active
        if !sharesContexts {
            session.applicationContext = parked[active].sent
            session.receivedApplicationContext = parked[active].received
        }
        if tells { await phone.run { await $0.counterpartMayHaveChanged() } }
        for device in [phone, watch] { try await device.sync() }
    }

    private func deliver(_ context: [String: Any]?, to device: SyncDevice) async throws -> Bool {
        guard let context, let snapshot = try SyncSnapshot(in: context) else { return false }
        device.session.receivedApplicationContext = context
        try await device.run { _ = try await $0.apply(snapshot) }
        return true
    }

    /// Delivers between the phone and the watch that is worn until nothing is under way.
    func settle(limit: Int = 12) async throws {
        for _ in 0..<limit {
            let context = phone.session.takeUnderWay() ?? parked[active].underWay
            parked[active].underWay = nil
            let toWatch = try await deliver(context, to: watch)
            let toPhone = try await deliver(watch.session.takeUnderWay(), to: phone)
            if !toWatch, !toPhone { return }
        }
        Issue.record("the devices answer each other for ever")
    }

    /// Both apps ask for a sync and everything arrives, so often that what one learned reaches the other.
    func heal() async throws {
        for _ in 0..<3 {
            for device in [phone, watch] {
                try await device.sync()
                try await settle()
            }
        }
    }
}
