internal import DeviceSimCore
import Foundation
internal import LocalData

extension SystemShims {
    /// `UserDefaults` as app code uses it: the preferences of the device whose code is running, those that LocalData's keys of the domain
    /// `userDefaults` are in. As the system's, it tells nobody what could not be read or stored.
    open class UserDefaults: @unchecked Sendable {
        /// The app's own preferences, on the device whose code uses them.
        public static let standard = UserDefaults(.standard)

        private let suite: DefaultsSuite

        private init(_ suite: DefaultsSuite) {
            self.suite = suite
        }

        /// - Parameter suiteName: A name that starts with `group.` is an app group's.
        public init?(suiteName: String?) {
            suite = suiteName.map { $0.hasPrefix("group.") ? .appGroup($0) : .named($0) } ?? .standard
        }

        private var store: any DefaultsStore { StorageRouter.shared.environment.defaults }

        // MARK: Reading

        private func value(forKey name: String) -> PropertyListValue? {
            if let value = try? store.value(forKey: name, in: suite) { return value }
            return registered[name]
        }

        /// What is stored, or registered as a default.
        open func object(forKey name: String) -> Any? { value(forKey: name)?.plain }
        /// What is stored, if it is an array.
        open func array(forKey name: String) -> [Any]? { object(forKey: name) as? [Any] }
        /// What is stored, if it is an array of strings.
        open func stringArray(forKey name: String) -> [String]? { object(forKey: name) as? [String] }
        /// What is stored, if it is a dictionary.
        open func dictionary(forKey name: String) -> [String: Any]? { object(forKey: name) as? [String: Any] }
        /// What is stored, if it is data.
        open func data(forKey name: String) -> Data? { object(forKey: name) as? Data }

        /// What is stored as a string. Numbers are converted, as Foundation does.
        open func string(forKey name: String) -> String? {
            switch value(forKey: name) {
            case .string(let text): text
            case .integer(let number): String(number)
            case .unsigned(let number): String(number)
            case .real(let number): number == number.rounded() && abs(number) < 1e15 ? String(Int(number)) : String(number)
            case .bool(let flag): flag ? "1" : "0"
            default: nil
            }
        }

        /// What is stored as a whole number; 0 where there is none.
        open func integer(forKey name: String) -> Int {
            switch value(forKey: name) {
            case .integer(let number): Int(clamping: number)
            case .unsigned(let number): Int(clamping: number)
            case .bool(let flag): flag ? 1 : 0
            case .real(let number): Int(exactly: number.rounded(.towardZero)) ?? (number > 0 ? .max : number < 0 ? .min : 0)
            case .string(let text): (text as NSString).integerValue
            default: 0
            }
        }

        /// What is stored as a number; 0 where there is none.
        open func double(forKey name: String) -> Double {
            switch value(forKey: name) {
            case .integer(let number): Double(number)
            case .unsigned(let number): Double(number)
            case .bool(let flag): flag ? 1 : 0
            case .real(let number): number
            case .string(let text): (text as NSString).doubleValue
            default: 0
            }
        }

        /// What is stored as a number; 0 where there is none.
        open func float(forKey name: String) -> Float { Float(double(forKey: name)) }

        /// What is stored as a flag; false where there is none.
        open func bool(forKey name: String) -> Bool {
            if case .string(let text) = value(forKey: name) { return (text as NSString).boolValue }
            return double(forKey: name) != 0
        }

        /// What is stored as a URL: one that `set(_:forKey:)` stored, or a path.
        open func url(forKey name: String) -> URL? { string(forKey: name).flatMap { URL(string: $0) } }

        /// All that is stored or registered.
        open func dictionaryRepresentation() -> [String: Any] {
            var values = registered.mapValues(\.plain)
            for name in (try? store.keys(in: suite)) ?? [] {
                values[name] = object(forKey: name)
            }
            return values
        }

        // MARK: Writing

        /// Stores a property list value; `nil` removes.
        open func set(_ value: Any?, forKey name: String) {
            guard let value else { return removeObject(forKey: name) }
            // The system raises an exception for what is no property list, which ends the app.
            guard let value = PropertyListValue(propertyList: value) else {
                if process("UserDefaults.set") != nil { return ProcessContext.trap("NSInvalidArgumentException") }
                preconditionFailure("UserDefaults cannot store a value of the type \(type(of: value)) for the key \(name)")
            }
            try? store.set(value, forKey: name, in: suite)
        }

        /// Stores a whole number.
        open func set(_ value: Int, forKey name: String) { set(value as Any, forKey: name) }
        /// Stores a number.
        open func set(_ value: Float, forKey name: String) { set(Double(value) as Any, forKey: name) }
        /// Stores a number.
        open func set(_ value: Double, forKey name: String) { set(value as Any, forKey: name) }
        /// Stores a flag.
        open func set(_ value: Bool, forKey name: String) { set(value as Any, forKey: name) }
        /// Stores a URL; `nil` removes.
        open func set(_ url: URL?, forKey name: String) { set(url?.absoluteString as Any?, forKey: name) }

        /// Removes what is stored. A registered default shows again.
        open func removeObject(forKey name: String) {
            try? store.set(nil, forKey: name, in: suite)
        }

        /// Asks for changes to be handed to the system. True unless that failed.
        @discardableResult
        open func synchronize() -> Bool {
            do {
                try store.synchronize(suite)
                return true
            } catch {
                return false
            }
        }

        // MARK: Defaults of the process

        /// Values for keys that nothing is stored for, until the process ends.
        open func register(defaults: [String: Any]) {
            let added = defaults.compactMapValues { PropertyListValue(propertyList: $0) }
            if let process = process("UserDefaults.register") {
                process.registeredDefaults.merge(added) { _, new in new }
            } else {
                let known = Self.registeredOnHost
                known.values.merge(added) { _, new in new }
            }
        }

        private var registered: [String: PropertyListValue] {
            process("UserDefaults")?.registeredDefaults ?? Self.registeredOnHost.values
        }

        private static var registeredOnHost: Registrations {
            processLocal("UserDefaults.registered") { Registrations() }
        }

        private final class Registrations: @unchecked Sendable {
            var values: [String: PropertyListValue] = [:]
        }
    }
}

extension PropertyListValue {
    /// As an app gets it: numbers as `NSNumber`, which can be cast to each type of numbers that holds them.
    fileprivate var plain: Any {
        switch self {
        case .integer(let number): NSNumber(value: number)
        case .unsigned(let number): NSNumber(value: number)
        case .real(let number): NSNumber(value: number)
        case .array(let values): values.map(\.plain)
        case .dictionary(let values): values.mapValues(\.plain)
        default: propertyList
        }
    }
}
