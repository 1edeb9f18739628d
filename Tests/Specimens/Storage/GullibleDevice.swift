import LocalData

/// A device that tells less than it could of itself, so that LocalData believes what it should not.
package struct GullibleDevice: DeviceDescribing {
    package enum Flaw: Sendable {
        /// Before the first unlock is any other lock.
        case knowsNoFirstUnlock
        /// A process that was prewarmed is any other process.
        case knowsNoPrewarming
        /// Every process is the app: an extension then keeps versions of its own beside the app's.
        case knowsNoExtension
    }

    let base: any DeviceDescribing
    let flaw: Flaw

    package init(_ base: any DeviceDescribing, _ flaw: Flaw) {
        self.base = base
        self.flaw = flaw
    }

    package var lockState: DeviceLockState {
        flaw == .knowsNoFirstUnlock && base.lockState == .beforeFirstUnlock ? .locked : base.lockState
    }
    package var isAppExtension: Bool { flaw != .knowsNoExtension && base.isAppExtension }
    package var wasPrewarmed: Bool { flaw != .knowsNoPrewarming && base.wasPrewarmed }

    package var role: DeviceRole { base.role }
    package var identifier: String { base.identifier }
    package var bundleIdentifier: String { base.bundleIdentifier }
    package var appVersion: String { base.appVersion }
    package var deviceInfo: DeviceInfo { base.deviceInfo }
    package var systemInfo: SystemInfo { base.systemInfo }
    package var biometryEnrolment: BiometryEnrolment { base.biometryEnrolment }
    package var integerBitWidth: Int { base.integerBitWidth }
    package var bootIdentifier: String? { base.bootIdentifier }
}
