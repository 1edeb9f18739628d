#if canImport(Darwin)
    import Foundation
    #if os(iOS) || os(macOS)
        import LocalAuthentication
    #endif

    /// The device and app that are running.
    struct AppleDevice: DeviceDescribing {
        let identifier: String
        let bundleIdentifier: String
        let appVersion: String
        let deviceInfo: DeviceInfo
        let systemInfo: SystemInfo
        let isAppExtension: Bool = Self.isAppExtension
        let integerBitWidth = Int.bitWidth
        let wasPrewarmed: Bool
        let bootIdentifier: String?
        private let lockProbe: LockProbe

        init(identifier: String, bundleIdentifier: String, lockProbe: LockProbe) {
            self.identifier = identifier
            self.bundleIdentifier = bundleIdentifier
            self.lockProbe = lockProbe
            #if os(iOS)
                // Gone soon after the launch, so it is read at LocalData's first use, which belongs into the launch.
                wasPrewarmed = ProcessInfo.processInfo.environment["ActivePrewarm"] == "1"
                bootIdentifier = Self.boot
            #else
                wasPrewarmed = false
                bootIdentifier = nil
            #endif
            appVersion = Bundle.main.object(forInfoDictionaryKey: "CFBundleShortVersionString") as? String ?? "0"
            deviceInfo = DeviceInfo(model: Self.model, family: DeviceInfo.family(ofModel: Self.model) ?? Self.family)
            let version = ProcessInfo.processInfo.operatingSystemVersion
            systemInfo = SystemInfo(
                name: Self.systemName, version: "\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)")
        }

        var lockState: DeviceLockState { lockProbe.state }

        /// An extension is a bundle of its own in its app's. The code of a watch app with two targets runs in one too, and is the app.
        private static var isAppExtension: Bool {
            guard Bundle.main.bundleURL.pathExtension == "appex" else { return false }
            let declared = Bundle.main.object(forInfoDictionaryKey: "NSExtension") as? [String: Any]
            return declared?["NSExtensionPointIdentifier"] as? String != "com.apple.watchkit"
        }

        #if os(iOS) || os(macOS)
            var biometryEnrolment: BiometryEnrolment {
                let context = LAContext()
                var problem: NSError?
                guard context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: &problem) else {
                    return problem?.code == LAError.Code.biometryNotEnrolled.rawValue ? .none : .unknown
                }
                #if os(macOS)
                    let state = context.domainState.biometry.stateHash
                #else
                    // Deprecated in iOS 18 in favour of `domainState`. It is not promised that both give the same bytes, and items that were stored under
                    // iOS 17 say what this one gave: other bytes would tell that the enrolment changed.
                    let state = context.evaluatedPolicyDomainState
                #endif
                return state.map { .enrolled(state: $0) } ?? .unknown
            }
        #else
            let biometryEnrolment = BiometryEnrolment.unknown
        #endif

        #if os(watchOS)
            let role = DeviceRole.watch
            private static let family = "Apple Watch"
            private static let systemName = "watchOS"
        #elseif os(iOS)
            let role = DeviceRole.phone
            private static let family = "iPhone"
            private static let systemName = "iOS"
        #elseif os(macOS)
            let role = DeviceRole.host
            private static let family = "Mac"
            private static let systemName = "macOS"
        #else
            let role = DeviceRole.host
            private static let family = "Apple"
            private static let systemName = "Apple"
        #endif

        /// Another text after each restart. The time of the start, where the session has no name; it moves when the clock is set, which only makes doubtful
        /// what need not be.
        private static var boot: String? {
            var count = 0
            if sysctlbyname("kern.bootsessionuuid", nil, &count, nil, 0) == 0, count > 1 {
                var bytes = [UInt8](repeating: 0, count: count)
                if sysctlbyname("kern.bootsessionuuid", &bytes, &count, nil, 0) == 0 {
                    return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                }
            }
            var time = timeval()
            count = MemoryLayout<timeval>.size
            return sysctlbyname("kern.boottime", &time, &count, nil, 0) == 0 ? "\(time.tv_sec)" : nil
        }

        /// Such as `iPhone17,1`; in the Simulator that of the device it stands for.
        private static var model: String {
            if let simulated = ProcessInfo.processInfo.environment["SIMULATOR_MODEL_IDENTIFIER"] { return simulated }
            var names = utsname()
            guard uname(&names) == 0 else { return "unknown" }
            return withUnsafePointer(to: &names.machine) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: tuple.pointee)) { String(cString: $0) }
            }
        }
    }
#endif
