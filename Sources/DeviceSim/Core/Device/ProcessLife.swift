/// Whether an app process still exists. From the instant it ends, every side effect of its code throws ``ProcessEnded`` and changes
/// nothing; its tasks unwind on that and are freed.
///
/// Confined to the simulation's thread.
public final class ProcessLife: @unchecked Sendable {
    /// The device that the process runs on.
    public let device: DeviceID
    /// Which of the app's programs it runs.
    public let part: AppPart
    /// Counts the processes of the part on the device, from 1. 0 for one that looks at the device from outside the app.
    public let number: Int
    /// Whether it has not ended.
    public private(set) var isAlive = true
    /// Whether the process was started before the first unlock: its preferences are, and stay, an empty snapshot.
    public let startedBeforeFirstUnlock: Bool
    /// Whether the system started the process before anybody opened the app: none of its code ran until that.
    public let wasPrewarmed: Bool

    /// The life of a process that begins now.
    public init(
        device: DeviceID, part: AppPart = .app, number: Int, startedBeforeFirstUnlock: Bool, wasPrewarmed: Bool = false
    ) {
        self.device = device
        self.part = part
        self.number = number
        self.startedBeforeFirstUnlock = startedBeforeFirstUnlock
        self.wasPrewarmed = wasPrewarmed
    }

    var isOfApp: Bool { number > 0 }

    /// Whether its preferences are empty, or not known not to be.
    package var hasDoubtfulPreferences: Bool { startedBeforeFirstUnlock || wasPrewarmed }

    /// Ends it, for good.
    public func end() { isAlive = false }

    /// Throws ``ProcessEnded`` once the process has ended. Called before each side effect.
    public func check() throws {
        if !isAlive { throw ProcessEnded(device: device, number: number) }
    }
}

/// Thrown at every side effect of code whose process was terminated or crashed.
public struct ProcessEnded: Error, Sendable, Hashable {
    /// The device that the process ran on.
    public let device: DeviceID
    /// Which of the app's processes it was, as ``ProcessLife/number``.
    public let number: Int
}
