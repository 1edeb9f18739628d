/// A platform that the sources are checked for, with the oldest system that `Package.swift` names.
enum ApplePlatform: String, CaseIterable {
    case iOS
    case watchOS
    case macOS

    /// The deployment target, as `Package.swift` declares it.
    var minimum: SystemVersion {
        switch self {
        case .iOS: SystemVersion(major: 17, minor: 0)
        case .watchOS: SystemVersion(major: 10, minor: 0)
        case .macOS: SystemVersion(major: 15, minor: 0)
        }
    }

    /// How many bits an `Int` has on the narrowest device: Apple Watch up to Series 8 runs apps as arm64_32.
    var integerWidth: Int { self == .watchOS ? 32 : 64 }

    /// The stand-ins of this platform, each after those that it imports.
    var standIns: [String] {
        let everywhere = [
            "Darwin", "CoreFoundationStandIn", "FoundationOnApple", "Security", "LocalAuthentication", "CommonCrypto", "CryptoKit",
        ]
        switch self {
        case .iOS: return everywhere + ["WatchConnectivity", "os", "UIKit", "Combine", "SwiftUI"]
        case .watchOS: return everywhere + ["WatchConnectivity", "os", "WatchKit", "Combine", "SwiftUI"]
        // A Mac has no WatchConnectivity: there the package brings its mirror.
        case .macOS: return everywhere
        }
    }
}

struct SystemVersion: Comparable, CustomStringConvertible {
    var major: Int
    var minor: Int

    init(major: Int, minor: Int) {
        self.major = major
        self.minor = minor
    }

    /// Such as `18`, `18.0` or `10.15.4`, whose third part does not matter here.
    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ".").map { Int($0) }
        guard let first = parts.first, let major = first else { return nil }
        self.init(major: major, minor: parts.count > 1 ? parts[1] ?? 0 : 0)
    }

    static func < (left: SystemVersion, right: SystemVersion) -> Bool { (left.major, left.minor) < (right.major, right.minor) }

    var description: String { "\(major).\(minor)" }
}
