/// Everything impure that LocalData touches, as one value. Two environments make two devices.
public struct StorageEnvironment: Sendable {
    /// Where files are kept, and the app's containers.
    public var fileSystem: any FileSystem
    /// Where preferences are kept.
    public var defaults: any DefaultsStore
    /// Where secrets and master keys are kept.
    public var keychain: any KeychainStore
    /// The time of day, for reports and for how long derived keys are kept. Versions do not depend on it.
    public var clock: any WallClock
    /// Where master keys, salts, nonces and names of installations come from.
    public var entropy: any EntropySource
    /// What the device and the running process are.
    public var device: any DeviceDescribing
    /// Is told what sync does; `nil` where nobody wants to know.
    public var observer: (any StorageObserver)?

    /// An environment of the given parts. Apps use ``StorageRouter/shared``, whose environment is the platform's; tests and simulations
    /// make their own.
    public init(
        fileSystem: any FileSystem,
        defaults: any DefaultsStore,
        keychain: any KeychainStore,
        clock: any WallClock,
        entropy: any EntropySource,
        device: any DeviceDescribing,
        observer: (any StorageObserver)? = nil
    ) {
        self.fileSystem = fileSystem
        self.defaults = defaults
        self.keychain = keychain
        self.clock = clock
        self.entropy = entropy
        self.device = device
        self.observer = observer
    }
}
