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

/// Writes into the trace what LocalData does by itself in one process.
///
/// Confined to the simulation's thread.
final class SimulatedObserver: StorageObserver, @unchecked Sendable {
    private weak var device: Device?
    private let life: ProcessLife

    init(device: Device, life: ProcessLife) {
        self.device = device
        self.life = life
    }

    func storageDid(_ event: StorageEvent) {
        // What a process does after its end happens nowhere.
        guard let device, life.isAlive else { return }
        switch event {
        case .askedToSet(let key): return device.requests.set[key, default: 0] += 1
        case .askedToRemove(let key): return device.requests.remove[key, default: 0] += 1
        default: break
        }
        guard let kind = event.kind, device.process?.life === life else { return }
        device.record(kind, event.facts)
    }
}

extension StorageEvent {
    /// `nil` for what is in the trace anyway.
    fileprivate var kind: TraceEvent.Kind? {
        switch self {
        case .askedToSet, .askedToRemove: nil
        case .sent: .sync
        case .took(_, .applied, _): .applied
        case .took(_, .kept, _): .kept
        case .took(_, .equal, _): .equal
        case .took(_, .deferred, _): .putOff
        case .took(_, .unknown, _), .took(_, .notSynced, _): .ignored
        case .took(_, .failed, _), .refusedSnapshot: .refused
        case .foundOutdated: .outdated
        }
    }

    fileprivate var facts: [TraceEvent.Fact] {
        switch self {
        case .sent(let snapshot):
            // The names of the trace's other events are sorted, and so are these.
            return [
                .init("sequence", .number(Int(clamping: snapshot.sequence))), .init("keys", .list(snapshot.values)),
                .init("deletions", .list(snapshot.deletions)), .init("omitted", .list(snapshot.omitted)),
            ]
        case .took(let key, let outcome, let source): return [.init("key", .text(key))] + outcome.reason + source.facts
        case .foundOutdated(let source): return source.facts
        case .askedToSet, .askedToRemove: return []
        case .refusedSnapshot(let code): return [.init("error", .text(code.rawValue))]
        }
    }
}

extension StorageEvent.SnapshotSource {
    fileprivate var facts: [TraceEvent.Fact] { [.init("from", .text(device)), .init("sequence", .number(Int(clamping: sequence)))] }
}

extension SyncReport.Outcome {
    fileprivate var reason: [TraceEvent.Fact] {
        switch self {
        case .applied, .kept, .equal: []
        case .unknown: [.init("because", .text("unknown"))]
        case .notSynced: [.init("because", .text("notSynced"))]
        case .deferred(let code), .failed(let code): [.init("error", .text(code.rawValue))]
        }
    }
}
