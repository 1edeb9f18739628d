/// The file that each made module gets beside the rewritten ones: under the system's names, what the simulated device has for them.
///
/// A name that a module declares goes before one that it imports, so files need no change.
enum SystemNames {
    static let source = """
        // Made by the plugin OneSource: the system as a simulated device has it.
        import DeviceSim
        import Foundation

        public typealias DispatchGroup = AppSystem.DispatchGroup
        public typealias DispatchQueue = AppSystem.DispatchQueue
        public typealias DispatchSemaphore = AppSystem.DispatchSemaphore
        public typealias DispatchTime = AppSystem.DispatchTime
        public typealias RunLoop = AppSystem.RunLoop
        public typealias Timer = AppSystem.Timer
        public typealias UserDefaults = AppSystem.UserDefaults

        // Operators are found only where their module is imported, or in the file's own.
        public func + (time: DispatchTime, seconds: Double) -> DispatchTime { time.advanced(by: seconds) }
        public func - (time: DispatchTime, seconds: Double) -> DispatchTime { time.advanced(by: -seconds) }
        public func + (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime { time.advanced(by: interval) }

        func dispatchPrecondition(condition: AppSystem.DispatchPredicate, file: StaticString = #fileID, line: UInt = #line) {
            AppSystem.dispatchPrecondition(condition: condition, file: file, line: line)
        }

        extension Date {
            init() { self = AppSystem.now }
            static var now: Date { AppSystem.now }
        }

        extension UUID {
            init() { self = AppSystem.uuid() }
        }

        extension Thread {
            static var isMainThread: Bool { AppSystem.isMainThread }
        }

        func processLocal<Value>(_ name: String, file: String = #fileID, line: Int = #line, _ make: () -> Value) -> Value {
            AppSystem.processLocal("\\(file):\\(line) \\(name)", make)
        }

        func setProcessLocal<Value>(_ name: String, _ value: Value, file: String = #fileID, line: Int = #line) {
            AppSystem.setProcessLocal("\\(file):\\(line) \\(name)", value)
        }

        """
}
