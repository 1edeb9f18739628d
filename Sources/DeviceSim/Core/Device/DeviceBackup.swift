/// A backup of a device, as far as the app is concerned. It can be restored any number of times, to the device that made it or to another.
public struct DeviceBackup: Sendable {
    /// The device that was backed up.
    public let device: DeviceID
    /// Whether a password protects it. Only then do keychain items come along to other hardware.
    public let isEncrypted: Bool
    /// The hardware that made it, see ``Device/hardware``.
    let hardware: Int
    /// The version of the app that was installed; `nil` for none.
    let appVersion: String?
    let storage: StorageBackup
}
