import Foundation

/// The circumstances of a migration, for conditions on them.
public struct MigrationContext: Sendable, Hashable {
    /// The version of the running app.
    public let appVersion: String
    /// The device that the migration runs on.
    public let deviceInfo: DeviceInfo
    /// The operating system that the migration runs on.
    public let systemInfo: SystemInfo
    /// The wall-clock time at which the migration began.
    public let date: Date

    /// Circumstances made up for a test of a condition or of a migration; LocalData makes its own.
    public init(appVersion: String, deviceInfo: DeviceInfo, systemInfo: SystemInfo, date: Date) {
        self.appVersion = appVersion
        self.deviceInfo = deviceInfo
        self.systemInfo = systemInfo
        self.date = date
    }
}
