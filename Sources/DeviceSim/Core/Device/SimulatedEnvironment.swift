import Foundation
import LocalData

/// A device's time of day: the simulation's clock and the device's skew.
final class SimulatedWallClock: WallClock, @unchecked Sendable {
    private weak var device: Device?

    init(device: Device) {
        self.device = device
    }

    var now: Date {
        device?.wallClock ?? .distantPast
    }

    var uptime: Double? { device?.uptime }
}

/// A device's random bytes, drawn from the simulation's seed.
///
/// Confined to the simulation's thread.
public final class SimulatedEntropy: EntropySource, @unchecked Sendable {
    private var generator: SeededGenerator

    init(_ generator: SeededGenerator) {
        self.generator = generator
    }

    public func bytes(_ count: Int) throws -> Data {
        var data = Data(count: count)
        data.withUnsafeMutableBytes { bytes in
            for start in stride(from: 0, to: count, by: 8) {
                withUnsafeBytes(of: generator.next().littleEndian) { word in
                    let part = min(8, count - start)
                    UnsafeMutableRawBufferPointer(rebasing: bytes[start..<start + part])
                        .copyMemory(from: UnsafeRawBufferPointer(rebasing: word[..<part]))
                }
            }
        }
        return data
    }
}

/// What LocalData is told of a simulated device.
final class SimulatedDeviceDescription: DeviceDescribing, @unchecked Sendable {
    private weak var device: Device?
    let role: DeviceRole
    let identifier: String
    let bundleIdentifier: String
    let deviceInfo: DeviceInfo
    let systemInfo: SystemInfo
    let isAppExtension: Bool
    let integerBitWidth: Int
    let wasPrewarmed: Bool

    init(device: Device, life: ProcessLife) {
        let part = life.part
        isAppExtension = part != .app
        self.device = device
        wasPrewarmed = life.wasPrewarmed
        role = device.id.isPhone ? .phone : .watch
        identifier = device.id.description
        integerBitWidth = device.options.knobs.integerBitWidth(of: device.id)
        bundleIdentifier = part.bundleIdentifier(ofApp: device.options.bundleIdentifier)
        deviceInfo =
            device.id.isPhone ? DeviceInfo(model: "iPhone17,1", family: "iPhone") : DeviceInfo(model: "Watch7,1", family: "Apple Watch")
        systemInfo = device.id.isPhone ? SystemInfo(name: "iOS", version: "17.4") : SystemInfo(name: "watchOS", version: "10.4")
    }

    var appVersion: String { device?.appVersion ?? "" }
    /// Only phones prewarm apps.
    var bootIdentifier: String? { device.flatMap { $0.id.isPhone ? "boot \($0.bootCount)" : nil } }
    var lockState: DeviceLockState { device?.state.lockState ?? .unlocked }

    var biometryEnrolment: BiometryEnrolment {
        guard let device else { return .unknown }
        // Without a passcode there is no biometry either.
        guard device.state.hasPasscode, let set = device.state.biometry.set else { return .none }
        return .enrolled(state: Data("\(device.id).\(set)".utf8))
    }
}
