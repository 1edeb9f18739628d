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

        public typealias BlockOperation = AppSystem.BlockOperation
        public typealias DispatchGroup = AppSystem.DispatchGroup
        public typealias DispatchQueue = AppSystem.DispatchQueue
        public typealias DispatchSemaphore = AppSystem.DispatchSemaphore
        public typealias DispatchTime = AppSystem.DispatchTime
        public typealias DispatchWorkItem = AppSystem.DispatchWorkItem
        public typealias FileManager = AppSystem.FileManager
        public typealias NotificationCenter = AppSystem.NotificationCenter
        public typealias Operation = AppSystem.Operation
        public typealias OperationQueue = AppSystem.OperationQueue
        public typealias RunLoop = AppSystem.RunLoop
        public typealias SystemRandomNumberGenerator = AppSystem.RandomNumbers
        public typealias Thread = AppSystem.Thread
        public typealias Timer = AppSystem.Timer
        public typealias UserDefaults = AppSystem.UserDefaults

        // Operators are found only where their module is imported, or in the file's own.
        public func + (time: DispatchTime, seconds: Double) -> DispatchTime { time.advanced(by: seconds) }
        public func - (time: DispatchTime, seconds: Double) -> DispatchTime { time.advanced(by: -seconds) }
        public func + (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime { time.advanced(by: interval) }

        func dispatchPrecondition(condition: AppSystem.DispatchPredicate, file: StaticString = #fileID, line: UInt = #line) {
            AppSystem.dispatchPrecondition(condition: condition, file: file, line: line)
        }

        // MARK: The time of day, and identifiers

        extension Date {
            init() { self = AppSystem.now }
            init(timeIntervalSinceNow interval: TimeInterval) { self = AppSystem.now.addingTimeInterval(interval) }
            static var now: Date { AppSystem.now }
            var timeIntervalSinceNow: TimeInterval { timeIntervalSince(AppSystem.now) }
        }

        extension UUID {
            init() { self = AppSystem.uuid() }
        }

        // MARK: Sleeping

        extension _Concurrency.Task where Success == Never, Failure == Never {
            static func sleep(_ duration: UInt64) async {
                try? await AppSystem.sleep(for: .nanoseconds(Int64(clamping: duration)))
            }

            static func sleep(nanoseconds duration: UInt64) async throws {
                try await AppSystem.sleep(for: .nanoseconds(Int64(clamping: duration)))
            }

            static func sleep<C: Clock>(
                for duration: C.Instant.Duration, tolerance: C.Instant.Duration? = nil, clock: C = .continuous
            ) async throws {
                try await AppSystem.sleep(for: duration, tolerance: tolerance, clock: clock)
            }

            static func sleep<C: Clock>(
                until deadline: C.Instant, tolerance: C.Instant.Duration? = nil, clock: C = .continuous
            ) async throws {
                try await AppSystem.sleep(until: deadline, tolerance: tolerance, clock: clock)
            }
        }

        extension ContinuousClock {
            static var now: Instant { AppSystem.continuousNow }
            var now: Instant { AppSystem.continuousNow }
            func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
                try await AppSystem.sleep(until: deadline, tolerance: tolerance, clock: self)
            }
            func sleep(for duration: Duration, tolerance: Duration? = nil) async throws { try await AppSystem.sleep(for: duration) }
            func measure(_ work: () throws -> Void) rethrows -> Duration {
                let start = now
                try work()
                return start.duration(to: now)
            }
        }

        extension ContinuousClock.Instant {
            static var now: Self { AppSystem.continuousNow }
        }

        extension SuspendingClock {
            static var now: Instant { AppSystem.suspendingNow }
            var now: Instant { AppSystem.suspendingNow }
            func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
                try await AppSystem.sleep(until: deadline, tolerance: tolerance, clock: self)
            }
            func sleep(for duration: Duration, tolerance: Duration? = nil) async throws { try await AppSystem.sleep(for: duration) }
        }

        extension SuspendingClock.Instant {
            static var now: Self { AppSystem.suspendingNow }
        }

        // MARK: Files

        extension Data {
            init(contentsOf url: __shared URL, options: Data.ReadingOptions = []) throws {
                self = try AppSystem.contents(of: url, options: options)
            }
            func write(to url: URL, options: Data.WritingOptions = []) throws { try AppSystem.write(self, to: url, options: options) }
        }

        extension String {
            init(contentsOf url: __shared URL, encoding: String.Encoding) throws { self = try AppSystem.text(of: url, encoding: encoding) }
            init(contentsOfFile path: __shared String, encoding: String.Encoding) throws {
                self = try AppSystem.text(of: URL(fileURLWithPath: path), encoding: encoding)
            }
            func write(to url: URL, atomically: Bool, encoding: String.Encoding) throws {
                try AppSystem.write(self, to: url, atomically: atomically, encoding: encoding)
            }
            func write(toFile path: String, atomically: Bool, encoding: String.Encoding) throws {
                try AppSystem.write(self, to: URL(fileURLWithPath: path), atomically: atomically, encoding: encoding)
            }
        }

        extension URL {
            static var documentsDirectory: URL { AppSystem.directory(.documentDirectory) }
            static var cachesDirectory: URL { AppSystem.directory(.cachesDirectory) }
            static var applicationSupportDirectory: URL { AppSystem.directory(.applicationSupportDirectory) }
            static var temporaryDirectory: URL { AppSystem.FileManager.default.temporaryDirectory }
        }

        func NSTemporaryDirectory() -> String { AppSystem.FileManager.default.temporaryDirectory.path + "/" }

        // MARK: Random values

        extension FixedWidthInteger {
            static func random(in range: Range<Self>) -> Self {
                var numbers = AppSystem.RandomNumbers()
                return random(in: range, using: &numbers)
            }
            static func random(in range: ClosedRange<Self>) -> Self {
                var numbers = AppSystem.RandomNumbers()
                return random(in: range, using: &numbers)
            }
        }

        extension BinaryFloatingPoint where RawSignificand: FixedWidthInteger {
            static func random(in range: Range<Self>) -> Self {
                var numbers = AppSystem.RandomNumbers()
                return random(in: range, using: &numbers)
            }
            static func random(in range: ClosedRange<Self>) -> Self {
                var numbers = AppSystem.RandomNumbers()
                return random(in: range, using: &numbers)
            }
        }

        extension Bool {
            static func random() -> Bool {
                var numbers = AppSystem.RandomNumbers()
                return random(using: &numbers)
            }
        }

        extension Collection {
            func randomElement() -> Element? {
                var numbers = AppSystem.RandomNumbers()
                return randomElement(using: &numbers)
            }
        }

        extension Sequence {
            func shuffled() -> [Element] {
                var numbers = AppSystem.RandomNumbers()
                return shuffled(using: &numbers)
            }
        }

        extension MutableCollection where Self: RandomAccessCollection {
            mutating func shuffle() {
                var numbers = AppSystem.RandomNumbers()
                shuffle(using: &numbers)
            }
        }

        // MARK: Static properties

        func processLocal<Value>(_ name: String, file: String = #fileID, line: Int = #line, _ make: () -> Value) -> Value {
            AppSystem.processLocal("\\(file):\\(line) \\(name)", make)
        }

        func setProcessLocal<Value>(_ name: String, _ value: Value, file: String = #fileID, line: Int = #line) {
            AppSystem.setProcessLocal("\\(file):\\(line) \\(name)", value)
        }

        """

    /// What the watch's part of an app has of WatchKit: the task that it gets for content from the phone. The module is not on hosts, and its imports are
    /// left out.
    private static let watch = """
        public typealias WKWatchConnectivityRefreshBackgroundTask = ConnectivityRefreshTask

        """
}
