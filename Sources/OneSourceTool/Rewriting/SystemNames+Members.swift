/// What code finds beside types: members of Foundation's and the standard library's types, and functions. Each text is Swift, put into the made file.
///
/// They are `@usableFromInline`, so that default arguments and inlinable code may use them while other modules do not see them beside the system's own;
/// and `nonisolated`, whatever isolation a module has by default. What Foundation has too is `@_disfavoredOverload`: in the module it hides Foundation's, and a
/// test with `@testable import`, which sees both, means Foundation's. (Of `String.write` Foundation has a requirement of `StringProtocol`, which is no rival.)
extension SystemNames {
    static let members = [time, lists, sleeping, files, randomness, statics, preconditions, locks, functions, keychain]

    // MARK: The time of day, and identifiers

    static let time = """
        nonisolated extension Date {
            @_disfavoredOverload @usableFromInline init() { self = SystemShims.now }
            @_disfavoredOverload @usableFromInline init(timeIntervalSinceNow interval: TimeInterval) { self = SystemShims.now.addingTimeInterval(interval) }
            @_disfavoredOverload @usableFromInline static var now: Date { SystemShims.now }
            @_disfavoredOverload @usableFromInline var timeIntervalSinceNow: TimeInterval { timeIntervalSince(SystemShims.now) }
        }

        nonisolated extension Calendar {
            @_disfavoredOverload @usableFromInline func isDateInToday(_ date: Date) -> Bool { isDate(date, inSameDayAs: SystemShims.now) }
            @_disfavoredOverload @usableFromInline func isDateInYesterday(_ date: Date) -> Bool { isDate(date, daysFromToday: -1) }
            @_disfavoredOverload @usableFromInline func isDateInTomorrow(_ date: Date) -> Bool { isDate(date, daysFromToday: 1) }
            private func isDate(_ date: Date, daysFromToday days: Int) -> Bool {
                self.date(byAdding: .day, value: days, to: SystemShims.now).map { isDate(date, inSameDayAs: $0) } ?? false
            }
        }

        nonisolated extension UUID {
            @_disfavoredOverload @usableFromInline init() { self = SystemShims.uuid() }
        }
        """

    // MARK: Lists

    /// SwiftUI's, which models use that import Foundation alone: another file of the module imports SwiftUI.
    static let lists = """
        nonisolated extension RangeReplaceableCollection where Self: MutableCollection, Index == Int {
            @_disfavoredOverload @usableFromInline mutating func remove(atOffsets offsets: IndexSet) {
                for offset in offsets.reversed() { remove(at: offset) }
            }
        }

        nonisolated extension MutableCollection where Self: RangeReplaceableCollection, Index == Int {
            @_disfavoredOverload @usableFromInline mutating func move(fromOffsets source: IndexSet, toOffset destination: Int) {
                let moved = source.map { self[$0] }
                let before = source.count(in: 0..<Swift.max(destination, 0))
                for offset in source.reversed() { remove(at: offset) }
                insert(contentsOf: moved, at: destination - before)
            }
        }
        """

    // MARK: Sleeping

    static let sleeping = """
        nonisolated extension _Concurrency.Task where Success == Never, Failure == Never {
            @usableFromInline static func sleep(_ duration: UInt64) async {
                try? await SystemShims.sleep(for: .nanoseconds(Int64(clamping: duration)))
            }

            @usableFromInline static func sleep(nanoseconds duration: UInt64) async throws {
                try await SystemShims.sleep(for: .nanoseconds(Int64(clamping: duration)))
            }

            @usableFromInline static func sleep<C: Clock>(
                for duration: C.Instant.Duration, tolerance: C.Instant.Duration? = nil, clock: C = .continuous
            ) async throws {
                try await SystemShims.sleep(for: duration, tolerance: tolerance, clock: clock)
            }

            @usableFromInline static func sleep<C: Clock>(
                until deadline: C.Instant, tolerance: C.Instant.Duration? = nil, clock: C = .continuous
            ) async throws {
                try await SystemShims.sleep(until: deadline, tolerance: tolerance, clock: clock)
            }
        }

        nonisolated extension ContinuousClock {
            @usableFromInline static var now: Instant { SystemShims.continuousNow }
            @usableFromInline var now: Instant { SystemShims.continuousNow }
            @usableFromInline func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
                try await SystemShims.sleep(until: deadline, tolerance: tolerance, clock: self)
            }
            @usableFromInline func sleep(for duration: Duration, tolerance: Duration? = nil) async throws { try await SystemShims.sleep(for: duration) }
            @usableFromInline func measure(_ work: () throws -> Void) rethrows -> Duration {
                let start = now
                try work()
                return start.duration(to: now)
            }
        }

        nonisolated extension ContinuousClock.Instant {
            @usableFromInline static var now: Self { SystemShims.continuousNow }
        }

        nonisolated extension SuspendingClock {
            @usableFromInline static var now: Instant { SystemShims.suspendingNow }
            @usableFromInline var now: Instant { SystemShims.suspendingNow }
            @usableFromInline func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
                try await SystemShims.sleep(until: deadline, tolerance: tolerance, clock: self)
            }
            @usableFromInline func sleep(for duration: Duration, tolerance: Duration? = nil) async throws { try await SystemShims.sleep(for: duration) }
        }

        nonisolated extension SuspendingClock.Instant {
            @usableFromInline static var now: Self { SystemShims.suspendingNow }
        }
        """

    // MARK: Files

    static let files = """
        nonisolated extension Data {
            @_disfavoredOverload @usableFromInline init(contentsOf url: __shared URL, options: Data.ReadingOptions = []) throws {
                self = try SystemShims.contents(of: url, options: options)
            }
            @_disfavoredOverload @usableFromInline func write(to url: URL, options: Data.WritingOptions = []) throws { try SystemShims.write(self, to: url, options: options) }
        }

        nonisolated extension String {
            @_disfavoredOverload @usableFromInline init(contentsOf url: __shared URL, encoding: String.Encoding) throws { self = try SystemShims.text(of: url, encoding: encoding) }
            @_disfavoredOverload @usableFromInline init(contentsOfFile path: __shared String, encoding: String.Encoding) throws {
                self = try SystemShims.text(of: URL(fileURLWithPath: path), encoding: encoding)
            }
            @usableFromInline func write(to url: URL, atomically: Bool, encoding: String.Encoding) throws {
                try SystemShims.write(self, to: url, atomically: atomically, encoding: encoding)
            }
            @usableFromInline func write(toFile path: String, atomically: Bool, encoding: String.Encoding) throws {
                try SystemShims.write(self, to: URL(fileURLWithPath: path), atomically: atomically, encoding: encoding)
            }
        }

        nonisolated extension URL {
            @_disfavoredOverload @usableFromInline static var documentsDirectory: URL { SystemShims.directory(.documentDirectory) }
            @_disfavoredOverload @usableFromInline static var cachesDirectory: URL { SystemShims.directory(.cachesDirectory) }
            @_disfavoredOverload @usableFromInline static var applicationSupportDirectory: URL { SystemShims.directory(.applicationSupportDirectory) }
            @_disfavoredOverload @usableFromInline static var temporaryDirectory: URL { SystemShims.FileManager.default.temporaryDirectory }
        }

        @_disfavoredOverload @usableFromInline nonisolated func NSTemporaryDirectory() -> String { SystemShims.FileManager.default.temporaryDirectory.path + "/" }
        """

    // MARK: Random values

    static let randomness = """
        nonisolated extension FixedWidthInteger {
            @usableFromInline static func random(in range: Range<Self>) -> Self {
                var numbers = SystemShims.RandomNumbers()
                return random(in: range, using: &numbers)
            }
            @usableFromInline static func random(in range: ClosedRange<Self>) -> Self {
                var numbers = SystemShims.RandomNumbers()
                return random(in: range, using: &numbers)
            }
        }

        nonisolated extension BinaryFloatingPoint where RawSignificand: FixedWidthInteger {
            @usableFromInline static func random(in range: Range<Self>) -> Self {
                var numbers = SystemShims.RandomNumbers()
                return random(in: range, using: &numbers)
            }
            @usableFromInline static func random(in range: ClosedRange<Self>) -> Self {
                var numbers = SystemShims.RandomNumbers()
                return random(in: range, using: &numbers)
            }
        }

        nonisolated extension Bool {
            @usableFromInline static func random() -> Bool {
                var numbers = SystemShims.RandomNumbers()
                return random(using: &numbers)
            }
        }

        nonisolated extension Collection {
            @usableFromInline func randomElement() -> Element? {
                var numbers = SystemShims.RandomNumbers()
                return randomElement(using: &numbers)
            }
        }

        nonisolated extension Sequence {
            @usableFromInline func shuffled() -> [Element] {
                var numbers = SystemShims.RandomNumbers()
                return shuffled(using: &numbers)
            }
        }

        nonisolated extension MutableCollection where Self: RandomAccessCollection {
            @usableFromInline mutating func shuffle() {
                var numbers = SystemShims.RandomNumbers()
                shuffle(using: &numbers)
            }
        }
        """

    // MARK: Static properties

    static let statics = """
        @available(*, deprecated, message: "is one for all simulated processes, and outlives them: write the property's type, as in static var shared: Sync = Sync()")
        @usableFromInline nonisolated func outlivesProcesses<Value>(_ value: Value) -> Value { value }
        @usableFromInline nonisolated func processLocal<Value>(_ name: String, file: String = #fileID, line: Int = #line, _ make: () -> Value) -> Value {
            SystemShims.processLocal("\\(file):\\(line) \\(name)", make)
        }

        @usableFromInline nonisolated func setProcessLocal<Value>(_ name: String, _ value: Value, file: String = #fileID, line: Int = #line) {
            SystemShims.setProcessLocal("\\(file):\\(line) \\(name)", value)
        }
        """

    // MARK: Functions

    static let preconditions = """
        @usableFromInline nonisolated func dispatchPrecondition(
            condition: SystemShims.DispatchPredicate, file: StaticString = #fileID, line: UInt = #line
        ) {
            SystemShims.dispatchPrecondition(condition: condition, file: file, line: line)
        }
        """
}
