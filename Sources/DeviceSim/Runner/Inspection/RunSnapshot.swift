import DeviceSimCore
import LocalData

/// What every device was like at one point of a run, as one value. It has names, numbers and sizes; of values only those of plain keys and what an app sends by
/// itself, and only where somebody asked for them.
package struct RunSnapshot: Sendable, Hashable {
    /// When it was taken.
    package let time: VirtualTime
    /// How many events had happened: the state is what these came to.
    package let eventCount: Int
    package let isLinkUp: Bool
    /// The watch that the phone speaks to.
    package let activeWatch: DeviceID
    /// The phone, then its watches.
    package private(set) var devices: [DeviceSnapshot]

    package subscript(device: DeviceID) -> DeviceSnapshot? { devices.first { $0.id == device } }

    /// The same with other names of entries, files and items, which an app chooses.
    func replacingNames(_ replace: (String) -> String) -> RunSnapshot {
        var look = self
        look.devices = devices.map { device in
            var device = device
            device.session = device.session.map { fact in
                switch fact.value {
                case .text(let text): TraceEvent.Fact(fact.name, .text(replace(text)))
                case .list(let texts): TraceEvent.Fact(fact.name, .list(texts.map(replace)))
                case .number, .flag: fact
                }
            }
            for index in device.held.indices { device.held[index].names = device.held[index].names.map(replace) }
            for index in device.stored.indices { device.stored[index].name = replace(device.stored[index].name) }
            return device
        }
        return look
    }
}

/// What one device was like.
package struct DeviceSnapshot: Sendable, Hashable {
    package let id: DeviceID
    package let isPoweredOn: Bool
    package let lock: DeviceLockState
    package let hasPasscode: Bool
    /// By how much its wall clock is ahead of the simulation's.
    package let clockSkew: VirtualDuration
    package let app: App
    /// `nil` where no widget runs.
    package let widget: AppState?
    /// What the session shows, by Apple's names. Empty where no app runs.
    package fileprivate(set) var session: [TraceEvent.Fact]
    /// What the daemon and the session hold, by counterpart and channel, in order.
    package fileprivate(set) var held: [HeldContent]
    /// The scenario's keys, in its order.
    package let keys: [Key]
    /// What lies on the disk, in the preferences and in the keychain.
    package fileprivate(set) var stored: [Stored]
    /// What waits to be sent, and why, as the app's process has found out. `nil` where it does not say: no process of it runs, or it is suspended.
    package let pending: [Pending]?

    /// The app, whether it runs or not.
    package struct App: Sendable, Hashable {
        package let isInstalled: Bool
        package let version: String
        /// `nil` where it does not run.
        package let state: AppState?
        /// Which run of the app it is, from 1; `nil` where it does not run.
        package let process: Int?
    }

    /// One of the scenario's keys.
    package struct Key: Sendable, Hashable {
        /// As the scenario names it.
        package let identifier: String
        /// As it is stored.
        package let name: String
        package let content: Content
        /// What the ledger of sync says; `nil` where it knows nothing of the key.
        package let version: StorageRouter.RecordedVersion?
        /// Whether the key is kept in the keychain or sealed: its values are never told.
        package let isSecret: Bool
    }

    /// What lies at a key's place.
    package enum Content: Sendable, Hashable {
        case missing
        /// - Parameters:
        ///   - mark: Numbers the values of the key in the order in which they appeared in the run, on any device, from 1. Equal values have equal marks.
        ///     Where the value could not be opened it is of the bytes that lie there.
        ///   - isOpened: Whether the mark is of the value.
        ///   - bytes: How many lie there.
        ///   - value: In the notation of scenario files; only of a plain key, and only where that was asked for.
        case stored(mark: Int, isOpened: Bool, bytes: Int, value: String?)
        case unreadable(String)
    }

    /// Something that lies on the device.
    package struct Stored: Sendable, Hashable {
        package let kind: DeviceStorage.StoredThing.Kind
        /// A path from the container on, a suite and key, or a service and account.
        package fileprivate(set) var name: String
        package let bytes: Int
        package let protection: String
        package let isSynchronized: Bool
        /// Numbers the contents in the order in which they appeared in the run, anywhere. No digest: that of a short secret gives it away.
        package let content: Int
    }

    /// A key whose version is neither with the session nor known to be with the counterpart.
    package struct Pending: Sendable, Hashable {
        package let key: String
        package let because: String
    }
}

extension SyncObstacle {
    /// In one word, and the reason behind it.
    var lookText: String {
        switch self {
        case .sessionNotSupported: "sessionNotSupported"
        case .sessionNotActivated: "sessionNotActivated"
        case .sessionInactive: "sessionInactive"
        case .counterpartNotPaired: "counterpartNotPaired"
        case .counterpartAppNotInstalled: "counterpartAppNotInstalled"
        case .notRequested: "notRequested"
        case .tooLarge: "tooLarge"
        case .didNotFit: "didNotFit"
        case .unreadable(let code): "unreadable (\(code.rawValue))"
        case .refused(let code): "refused (\(code))"
        case .waiting: "waiting"
        }
    }
}
