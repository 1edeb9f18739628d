import Foundation

/// The circumstances of a migration, for conditions on them.
public struct MigrationContext: Sendable, Hashable {
    /// The version of the running app.
    public let appVersion: String
    public let deviceInfo: DeviceInfo
    public let systemInfo: SystemInfo
    /// The wall-clock time at which the migration began.
    public let date: Date

    public init(appVersion: String, deviceInfo: DeviceInfo, systemInfo: SystemInfo, date: Date) {
        self.appVersion = appVersion
        self.deviceInfo = deviceInfo
        self.systemInfo = systemInfo
        self.date = date
    }
}
