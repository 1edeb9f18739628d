internal import DeviceSimCore
import Foundation
internal import LocalData

extension SystemShims {
    /// `Bundle` as app code uses it: the app on the device whose code is running, with its identifier and its version. It has no resources. Outside a
    /// simulation it is the host's main one.
    public final class Bundle: NSObject, @unchecked Sendable {
        /// The app's bundle.
        public static let main = Bundle()

        private override init() {}

        /// The app's bundle: all classes are its.
        public convenience init(for aClass: AnyClass) { self.init() }
        /// No other bundle has that identifier.
        public convenience init?(identifier: String) {
            self.init()
            guard identifier == bundleIdentifier else { return nil }
        }

        private var device: (any DeviceDescribing)? { process("Bundle") == nil ? nil : StorageRouter.shared.environment.device }

        /// The app's identifier, or that of the part of it whose code is running.
        public var bundleIdentifier: String? { device.map { $0.bundleIdentifier } ?? Foundation.Bundle.main.bundleIdentifier }

        /// Identifier, name and version; nothing else that a plist may hold.
        public var infoDictionary: [String: Any]? {
            guard let device else { return Foundation.Bundle.main.infoDictionary }
            let name = device.bundleIdentifier.split(separator: ".").last.map(String.init) ?? device.bundleIdentifier
            return [
                "CFBundleIdentifier": device.bundleIdentifier, "CFBundleName": name, "CFBundleDisplayName": name,
                "CFBundleExecutable": name,
                "CFBundleShortVersionString": device.appVersion, "CFBundleVersion": device.appVersion,
            ]
        }
        /// As ``infoDictionary``: nothing is localized.
        public var localizedInfoDictionary: [String: Any]? { infoDictionary }
        /// A value of ``infoDictionary``.
        public func object(forInfoDictionaryKey key: String) -> Any? { infoDictionary?[key] }

        /// Where the app would lie. Nothing does there.
        public var bundleURL: URL { URL(fileURLWithPath: bundlePath, isDirectory: true) }
        /// As ``bundleURL``.
        public var bundlePath: String { device == nil ? Foundation.Bundle.main.bundlePath : "/App.app" }
        /// As ``bundleURL``.
        public var resourceURL: URL? { bundleURL }
        /// As ``bundleURL``.
        public var resourcePath: String? { bundlePath }
        /// None.
        public var appStoreReceiptURL: URL? { nil }
        /// English.
        public var preferredLocalizations: [String] { ["en"] }
        /// English.
        public var localizations: [String] { ["en"] }

        /// None: a simulated app has no resources.
        public func url(forResource name: String?, withExtension ext: String?, subdirectory: String? = nil) -> URL? { nil }
        /// None: a simulated app has no resources.
        public func path(forResource name: String?, ofType ext: String?, inDirectory: String? = nil) -> String? { nil }
        /// The value, or the key: nothing is localized.
        public func localizedString(forKey key: String, value: String?, table tableName: String?) -> String {
            value.flatMap { $0.isEmpty ? nil : $0 } ?? key
        }
    }

    /// `ProcessInfo` as app code uses it: one processor, no environment, and the device's uptime in virtual time. Outside a simulation it is the host's.
    public final class ProcessInfo: NSObject, @unchecked Sendable {
        /// That of the process whose code is running.
        public static let processInfo = ProcessInfo()
        /// Foundation's own.
        public typealias ThermalState = Int

        private override init() {}

        private var host: Foundation.ProcessInfo? { process("ProcessInfo") == nil ? .processInfo : nil }

        /// Seconds of virtual time since the simulation began.
        public var systemUptime: TimeInterval { Double(DispatchTime.now().uptimeNanoseconds) / 1_000_000_000 }
        /// The app's, or that of the part of it whose code is running.
        public var processName: String { host?.processName ?? Bundle.main.object(forInfoDictionaryKey: "CFBundleName") as? String ?? "" }
        /// Tells runs of the app apart.
        public var processIdentifier: Int32 { host?.processIdentifier ?? Int32(clamping: ProcessContext.current?.life.number ?? 0) }
        /// A new identifier, of the device's random bytes.
        public var globallyUniqueString: String { SystemShims.uuid().uuidString }
        /// None.
        public var environment: [String: String] { host?.environment ?? [:] }
        /// The name only.
        public var arguments: [String] { host?.arguments ?? [processName] }
        /// The device.
        public var hostName: String { host?.hostName ?? ProcessContext.current?.life.device.description ?? "" }
        /// What the package is made for: iOS 17, watchOS 10.
        public var operatingSystemVersion: OperatingSystemVersion {
            if let host { return host.operatingSystemVersion }
            let isPhone = ProcessContext.current?.life.device.isPhone ?? true
            return OperatingSystemVersion(majorVersion: isPhone ? 17 : 10, minorVersion: 0, patchVersion: 0)
        }
        /// The same in words.
        public var operatingSystemVersionString: String {
            host?.operatingSystemVersionString ?? "Version \(operatingSystemVersion.majorVersion).0"
        }
        /// Whether the version is at least that.
        public func isOperatingSystemAtLeast(_ version: OperatingSystemVersion) -> Bool {
            let own = operatingSystemVersion
            return (own.majorVersion, own.minorVersion, own.patchVersion) >= (
                version.majorVersion, version.minorVersion, version.patchVersion
            )
        }
        /// One: nothing runs beside other code.
        public var processorCount: Int { host?.processorCount ?? 1 }
        /// One: nothing runs beside other code.
        public var activeProcessorCount: Int { host?.activeProcessorCount ?? 1 }
        /// In bytes.
        public var physicalMemory: UInt64 { host?.physicalMemory ?? 1 << 30 }
        /// Never.
        public var isLowPowerModeEnabled: Bool { false }
        /// Never.
        public var isiOSAppOnMac: Bool { false }
        /// Never.
        public var isMacCatalystApp: Bool { false }

        /// Runs the block as other work, without its time running out.
        @preconcurrency
        public func performExpiringActivity(withReason reason: String, using block: @escaping @Sendable (Bool) -> Void) {
            DispatchQueue.global().async { block(false) }
        }
    }
}
