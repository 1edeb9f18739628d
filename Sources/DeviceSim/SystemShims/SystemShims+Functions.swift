internal import DeviceSimCore
import Foundation
internal import LocalData

/// What the system's functions say to app code.
extension SystemShims {
    /// `NSSearchPathForDirectoriesInDomains`: paths on the device whose code is running.
    public static func searchPaths(
        _ directory: Foundation.FileManager.SearchPathDirectory, _ domains: Foundation.FileManager.SearchPathDomainMask
    ) -> [String] {
        FileManager.default.urls(for: directory, in: domains).map(\.path)
    }

    /// `NSHomeDirectory`: above the app's documents.
    public static var homeDirectory: String {
        guard process("NSHomeDirectory") != nil else { return NSHomeDirectory() }
        return directory(.documentDirectory).deletingLastPathComponent().path
    }

    /// `CACurrentMediaTime`: seconds of virtual time since the simulation began.
    public static var uptime: TimeInterval { Double(DispatchTime.now().uptimeNanoseconds) / 1_000_000_000 }

    /// `arc4random`: of the device's random bytes.
    public static var random32: UInt32 {
        var numbers = RandomNumbers()
        return UInt32(truncatingIfNeeded: numbers.next())
    }

    /// `arc4random_uniform`: below a bound; 0 where that is 0.
    public static func random32(below bound: UInt32) -> UInt32 {
        var numbers = RandomNumbers()
        return bound == 0 ? 0 : UInt32(numbers.next() % UInt64(bound))
    }
}
