internal import DeviceSimCore
public import Foundation
internal import LocalData
internal import SimulatedSystem

/// The phone, as UIKit has it.
@MainActor public final class UIDevice: NSObject {
    /// The state of the battery.
    public enum BatteryState: Int, Sendable {
        /// Not known.
        case unknown
        /// In use.
        case unplugged
        /// Being charged.
        case charging
        /// Charged.
        case full
    }

    /// The device of the process whose code is running.
    public static var current: UIDevice { SystemShims.processLocal("UIDevice.current") { UIDevice() } }

    /// As UIKit says it to apps without the right to the person's name for it.
    public let name = "iPhone"
    /// As UIKit says it.
    public let model = "iPhone"
    /// As UIKit says it.
    public let localizedModel = "iPhone"
    /// As UIKit says it.
    public let systemName = "iOS"
    /// The oldest version that the simulation stands for.
    public let systemVersion = "17.0"
    /// Kept for the app.
    public var isBatteryMonitoringEnabled = false
    /// Full.
    public let batteryLevel: Float = 1
    /// Not plugged in.
    public let batteryState = BatteryState.unplugged

    /// The same for all runs of a simulation, and another one for each device.
    public var identifierForVendor: UUID? { SimulatedIdentity.uuid }
}

/// What a watch plays.
public enum WKHapticType: Int, Sendable {
    /// One of the kinds that watches have.
    case notification, directionUp, directionDown, success, failure, retry, start, stop, click
}

/// The watch, as WatchKit has it: code calls it from anywhere.
public final class WKInterfaceDevice: NSObject {
    /// The state of the battery.
    public enum BatteryState: Int, Sendable {
        /// Not known.
        case unknown
        /// In use.
        case unplugged
        /// Being charged.
        case charging
        /// Charged.
        case full
    }

    /// The device of the process whose code is running.
    public static func current() -> WKInterfaceDevice { SystemShims.processLocal("WKInterfaceDevice.current") { WKInterfaceDevice() } }

    /// As WatchKit says it.
    public let name = "Apple Watch"
    /// As WatchKit says it.
    public let model = "Apple Watch"
    /// As WatchKit says it.
    public let localizedModel = "Apple Watch"
    /// As WatchKit says it.
    public let systemName = "watchOS"
    /// The oldest version that the simulation stands for.
    public let systemVersion = "10.0"
    /// Kept for the app.
    public var isBatteryMonitoringEnabled = false
    /// Full.
    public let batteryLevel: Float = 1
    /// Not plugged in.
    public let batteryState = BatteryState.unplugged

    /// The same for all runs of a simulation, and another one for each device.
    public var identifierForVendor: UUID? { SimulatedIdentity.uuid }

    /// Is recorded.
    public func play(_ type: WKHapticType) {
        ProcessContext.current?.record(.log, .init("call", .text("WKInterfaceDevice.play")), .init("haptic", .text("\(type)")))
    }
}

private enum SimulatedIdentity {
    /// Made of the device's identifier.
    static var uuid: UUID? {
        var bytes = [UInt8](repeating: 0, count: 16)
        for (index, byte) in StorageRouter.shared.environment.device.identifier.utf8.enumerated() {
            bytes[index % 16] ^= byte &+ UInt8(index / 16)
        }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}
