#if !canImport(Darwin)
    import Foundation

    /// A Linux host, which is like a phone for availability, has no counterpart and is never locked.
    struct HostDevice: DeviceDescribing {
        let role = DeviceRole.host
        let identifier: String
        let bundleIdentifier: String
        let appVersion: String
        let deviceInfo: DeviceInfo
        let systemInfo: SystemInfo
        let lockState = DeviceLockState.unlocked
        let biometryEnrolment = BiometryEnrolment.unknown
        let isAppExtension = false
        let integerBitWidth = Int.bitWidth
        let wasPrewarmed = false
        let bootIdentifier: String? = nil

        init(identifier: String, bundleIdentifier: String) {
            self.identifier = identifier
            self.bundleIdentifier = bundleIdentifier
            appVersion = Bundle.main.object(forInfoDictionaryKey: "CFBundleShortVersionString") as? String ?? "0"
            let version = ProcessInfo.processInfo.operatingSystemVersion
            deviceInfo = DeviceInfo(model: Self.machine, family: "Linux")
            systemInfo = SystemInfo(name: "Linux", version: "\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)")
        }

        /// Such as `x86_64`.
        private static var machine: String {
            var names = utsname()
            guard uname(&names) == 0 else { return "unknown" }
            return withUnsafePointer(to: &names.machine) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: tuple.pointee)) { String(cString: $0) }
            }
        }
    }
#endif
