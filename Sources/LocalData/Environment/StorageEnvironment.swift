/// Everything impure that LocalData touches, as one value. Two environments make two devices.
public struct StorageEnvironment: Sendable {
    public var fileSystem: any FileSystem
    public var defaults: any DefaultsStore
    public var keychain: any KeychainStore
    public var clock: any WallClock
    public var entropy: any EntropySource
    public var device: any DeviceDescribing
    /// Is told what sync does; `nil` where nobody wants to know.
    public var observer: (any StorageObserver)?

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
