/// The file that each made module gets beside the rewritten ones: under the system's names, what the simulated device has for them.
///
/// A name that a module declares goes before one that it imports, so files need no change.
enum SystemNames {
    static func source(for side: Side) -> String {
        side == .watch ? common + "\n" + watch : common
    }

    private static let common = """
        // Made by the plugin OneSource: the system as a simulated device has it.
        import DeviceSim
        import Dispatch
        import Foundation

        public typealias BlockOperation = SystemShims.BlockOperation
        public typealias DispatchGroup = SystemShims.DispatchGroup
        public typealias DispatchQueue = SystemShims.DispatchQueue
        public typealias DispatchSemaphore = SystemShims.DispatchSemaphore
        public typealias DispatchTime = SystemShims.DispatchTime
        public typealias DispatchWorkItem = SystemShims.DispatchWorkItem
        public typealias FileManager = SystemShims.FileManager
        public typealias NotificationCenter = SystemShims.NotificationCenter
        public typealias Operation = SystemShims.Operation
        public typealias OperationQueue = SystemShims.OperationQueue
        public typealias RunLoop = SystemShims.RunLoop
        public typealias SystemRandomNumberGenerator = SystemShims.RandomNumbers
        public typealias Thread = SystemShims.Thread
        public typealias Timer = SystemShims.Timer
        public typealias UserDefaults = SystemShims.UserDefaults

        // Operators are found only where their module is imported, or in the file's own.
        public func + (time: DispatchTime, seconds: Double) -> DispatchTime { time.advanced(by: seconds) }
        public func - (time: DispatchTime, seconds: Double) -> DispatchTime { time.advanced(by: -seconds) }
        public func + (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime { time.advanced(by: interval) }

        func dispatchPrecondition(condition: SystemShims.DispatchPredicate, file: StaticString = #fileID, line: UInt = #line) {
            SystemShims.dispatchPrecondition(condition: condition, file: file, line: line)
        }

        // MARK: The time of day, and identifiers

        extension Date {
            init() { self = SystemShims.now }
            init(timeIntervalSinceNow interval: TimeInterval) { self = SystemShims.now.addingTimeInterval(interval) }
            static var now: Date { SystemShims.now }
            var timeIntervalSinceNow: TimeInterval { timeIntervalSince(SystemShims.now) }
        }

        extension UUID {
            init() { self = SystemShims.uuid() }
        }

        // MARK: Sleeping

        extension _Concurrency.Task where Success == Never, Failure == Never {
            static func sleep(_ duration: UInt64) async {
                try? await SystemShims.sleep(for: .nanoseconds(Int64(clamping: duration)))
            }

            static func sleep(nanoseconds duration: UInt64) async throws {
                try await SystemShims.sleep(for: .nanoseconds(Int64(clamping: duration)))
            }

            static func sleep<C: Clock>(
                for duration: C.Instant.Duration, tolerance: C.Instant.Duration? = nil, clock: C = .continuous
            ) async throws {
                try await SystemShims.sleep(for: duration, tolerance: tolerance, clock: clock)
            }

            static func sleep<C: Clock>(
                until deadline: C.Instant, tolerance: C.Instant.Duration? = nil, clock: C = .continuous
            ) async throws {
                try await SystemShims.sleep(until: deadline, tolerance: tolerance, clock: clock)
            }
        }

        extension ContinuousClock {
            static var now: Instant { SystemShims.continuousNow }
            var now: Instant { SystemShims.continuousNow }
            func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
                try await SystemShims.sleep(until: deadline, tolerance: tolerance, clock: self)
            }
            func sleep(for duration: Duration, tolerance: Duration? = nil) async throws { try await SystemShims.sleep(for: duration) }
            func measure(_ work: () throws -> Void) rethrows -> Duration {
                let start = now
                try work()
                return start.duration(to: now)
            }
        }

        extension ContinuousClock.Instant {
            static var now: Self { SystemShims.continuousNow }
        }

        extension SuspendingClock {
            static var now: Instant { SystemShims.suspendingNow }
            var now: Instant { SystemShims.suspendingNow }
            func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
                try await SystemShims.sleep(until: deadline, tolerance: tolerance, clock: self)
            }
            func sleep(for duration: Duration, tolerance: Duration? = nil) async throws { try await SystemShims.sleep(for: duration) }
        }

        extension SuspendingClock.Instant {
            static var now: Self { SystemShims.suspendingNow }
        }

        // MARK: Files

        extension Data {
            init(contentsOf url: __shared URL, options: Data.ReadingOptions = []) throws {
                self = try SystemShims.contents(of: url, options: options)
            }
            func write(to url: URL, options: Data.WritingOptions = []) throws { try SystemShims.write(self, to: url, options: options) }
        }

        extension String {
            init(contentsOf url: __shared URL, encoding: String.Encoding) throws { self = try SystemShims.text(of: url, encoding: encoding) }
            init(contentsOfFile path: __shared String, encoding: String.Encoding) throws {
                self = try SystemShims.text(of: URL(fileURLWithPath: path), encoding: encoding)
            }
            func write(to url: URL, atomically: Bool, encoding: String.Encoding) throws {
                try SystemShims.write(self, to: url, atomically: atomically, encoding: encoding)
            }
            func write(toFile path: String, atomically: Bool, encoding: String.Encoding) throws {
                try SystemShims.write(self, to: URL(fileURLWithPath: path), atomically: atomically, encoding: encoding)
            }
        }

        extension URL {
            static var documentsDirectory: URL { SystemShims.directory(.documentDirectory) }
            static var cachesDirectory: URL { SystemShims.directory(.cachesDirectory) }
            static var applicationSupportDirectory: URL { SystemShims.directory(.applicationSupportDirectory) }
            static var temporaryDirectory: URL { SystemShims.FileManager.default.temporaryDirectory }
        }

        func NSTemporaryDirectory() -> String { SystemShims.FileManager.default.temporaryDirectory.path + "/" }

        // MARK: Random values

        extension FixedWidthInteger {
            static func random(in range: Range<Self>) -> Self {
                var numbers = SystemShims.RandomNumbers()
                return random(in: range, using: &numbers)
            }
            static func random(in range: ClosedRange<Self>) -> Self {
                var numbers = SystemShims.RandomNumbers()
                return random(in: range, using: &numbers)
            }
        }

        extension BinaryFloatingPoint where RawSignificand: FixedWidthInteger {
            static func random(in range: Range<Self>) -> Self {
                var numbers = SystemShims.RandomNumbers()
                return random(in: range, using: &numbers)
            }
            static func random(in range: ClosedRange<Self>) -> Self {
                var numbers = SystemShims.RandomNumbers()
                return random(in: range, using: &numbers)
            }
        }

        extension Bool {
            static func random() -> Bool {
                var numbers = SystemShims.RandomNumbers()
                return random(using: &numbers)
            }
        }

        extension Collection {
            func randomElement() -> Element? {
                var numbers = SystemShims.RandomNumbers()
                return randomElement(using: &numbers)
            }
        }

        extension Sequence {
            func shuffled() -> [Element] {
                var numbers = SystemShims.RandomNumbers()
                return shuffled(using: &numbers)
            }
        }

        extension MutableCollection where Self: RandomAccessCollection {
            mutating func shuffle() {
                var numbers = SystemShims.RandomNumbers()
                shuffle(using: &numbers)
            }
        }

        // MARK: Static properties

        func processLocal<Value>(_ name: String, file: String = #fileID, line: Int = #line, _ make: () -> Value) -> Value {
            SystemShims.processLocal("\\(file):\\(line) \\(name)", make)
        }

        func setProcessLocal<Value>(_ name: String, _ value: Value, file: String = #fileID, line: Int = #line) {
            SystemShims.setProcessLocal("\\(file):\\(line) \\(name)", value)
        }

        """

    /// What the watch's part of an app has of WatchKit: the task that it gets for content from the phone. The module is not on hosts, and its imports are
    /// left out.
    private static let watch = """
        public typealias WKWatchConnectivityRefreshBackgroundTask = ConnectivityRefreshTask

        """
}
