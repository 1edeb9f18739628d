import LocalData

/// A device that calls every process the app: an extension then keeps versions of its own beside the app's.
package struct UnnoticedExtension: DeviceDescribing {
    private let base: any DeviceDescribing

    package init(_ base: any DeviceDescribing) { self.base = base }

    package var role: DeviceRole { base.role }
    package var identifier: String { base.identifier }
    package var bundleIdentifier: String { base.bundleIdentifier }
    package var appVersion: String { base.appVersion }
    package var deviceInfo: DeviceInfo { base.deviceInfo }
    package var systemInfo: SystemInfo { base.systemInfo }
    package var lockState: DeviceLockState { base.lockState }
    package var biometryEnrolment: BiometryEnrolment { base.biometryEnrolment }
    package var isAppExtension: Bool { false }
}
