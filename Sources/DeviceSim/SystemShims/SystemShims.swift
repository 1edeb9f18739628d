internal import DeviceSimCore
import Foundation
internal import LocalData

/// What app code reaches for beside LocalData and WatchConnectivity, as its simulated device has it: queues, timers, preferences, the time of day.
///
/// The modules that the plugin `OneSource` makes see these under the system's names (`DispatchQueue`, `Timer`, `UserDefaults`, `Date()`), so that
/// unchanged code runs in virtual time, on its own device. Code outside a simulation gets the system's own. Code that
/// blocks lets other work run and time pass; what it waits for and can never come is reported, and the run counts as one that does not settle.
public enum SystemShims {
    /// The time of day on the device whose code is running: what `Date()` is to an app.
    public static var now: Date { StorageRouter.shared.environment.clock.now }

    /// Drawn from the random bytes of the device whose code is running: what `UUID()` is to an app.
    public static func uuid() -> UUID {
        // Neither a simulated device nor a host runs out of random bytes.
        var bytes = Array((try? StorageRouter.shared.environment.entropy.bytes(16)) ?? Data(count: 16))
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    /// Whether the code that is running is on its process's main queue: what `Thread.isMainThread` is to an app.
    public static var isMainThread: Bool {
        CurrentScheduler.value?.isOnMainQueue ?? Foundation.Thread.isMainThread
    }

    /// What a static property holds in the process whose code is running; made when it is first asked for, and gone with the process.
    ///
    /// - Parameters:
    ///   - place: Tells the property from all others.
    ///   - make: Makes the value, once for each process.
    public static func processLocal<Value>(_ place: String, _ make: () -> Value) -> Value {
        if let context = process("a static property") { return context.value(ofStatic: place, make) }
        return hostStatics.value(ofStatic: place, make)
    }

    /// Replaces what ``processLocal(_:_:)`` gives, in the process whose code is running.
    public static func setProcessLocal<Value>(_ place: String, _ value: Value) {
        if let context = process("a static property") {
            context.setStatic(place, to: value)
        } else {
            hostStatics.setStatic(place, to: value)
        }
    }

    private static let hostStatics = HostStatics()

    /// The process whose code is calling; `nil` outside a simulation. A call from a thread that belongs to no device is reported: what the host would do
    /// with it is not what a device does.
    package static func process(_ call: @autoclosure () -> String) -> ProcessContext? {
        if let context = ProcessContext.current { return context }
        ForeignThread.check(call())
        return nil
    }

    static func reportEscape(_ call: String, in context: ProcessContext) {
        context.reportEscape(call)
    }
}

/// The static properties of code outside a simulation. One is made under the lock, which a property that needs another while it is made takes again.
private final class HostStatics: @unchecked Sendable {
    private let lock = NSRecursiveLock()
    private var values: [String: Any] = [:]

    func value<Value>(ofStatic place: String, _ make: () -> Value) -> Value {
        lock.withLock {
            if let value = values[place] as? Value { return value }
            let value = make()
            values[place] = value
            return value
        }
    }

    func setStatic(_ place: String, to value: Any) {
        lock.withLock { values[place] = value }
    }
}

extension SystemShims {
    /// `SystemRandomNumberGenerator` as app code uses it: the random bytes of the device whose code is running, and so the same in every run of a seed.
    public struct RandomNumbers: RandomNumberGenerator, Sendable {
        /// A generator that draws from the device whose code uses it.
        public init() {}

        public mutating func next() -> UInt64 {
            // Neither a simulated device nor a host runs out of random bytes.
            let bytes = (try? StorageRouter.shared.environment.entropy.bytes(8)) ?? Data(count: 8)
            return bytes.reduce(0) { $0 << 8 | UInt64($1) }
        }
    }
}
