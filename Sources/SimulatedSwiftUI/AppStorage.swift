public import Foundation
public import SimulatedSystem

/// A value in the preferences of the simulated device, as SwiftUI has it.
@propertyWrapper
public struct AppStorage<Value> {
    private let read: () -> Value
    private let write: (Value) -> Void

    private init(
        _ key: String, _ store: SystemShims.UserDefaults?, from: @escaping (Any) -> Value?, to: @escaping (Value) -> Any?, absent: Value
    ) {
        let defaults = { store ?? SystemShims.UserDefaults.standard }
        read = { defaults().object(forKey: key).flatMap(from) ?? absent }
        write = { value in
            if let stored = to(value) { defaults().set(stored, forKey: key) } else { defaults().removeObject(forKey: key) }
        }
    }

    /// The value that is stored now.
    public var wrappedValue: Value {
        get { read() }
        nonmutating set { write(newValue) }
    }

    /// Reads and writes the value.
    public var projectedValue: Binding<Value> { Binding(get: read, set: write) }
}

extension AppStorage {
    /// A truth value, with what it is where none is stored.
    public init(wrappedValue: Value, _ key: String, store: SystemShims.UserDefaults? = nil) where Value == Bool {
        self.init(key, store, from: { $0 as? Bool }, to: { $0 }, absent: wrappedValue)
    }
    /// A number, with what it is where none is stored.
    public init(wrappedValue: Value, _ key: String, store: SystemShims.UserDefaults? = nil) where Value == Int {
        self.init(key, store, from: { $0 as? Int }, to: { $0 }, absent: wrappedValue)
    }
    /// A number, with what it is where none is stored.
    public init(wrappedValue: Value, _ key: String, store: SystemShims.UserDefaults? = nil) where Value == Double {
        self.init(key, store, from: { $0 as? Double }, to: { $0 }, absent: wrappedValue)
    }
    /// A text, with what it is where none is stored.
    public init(wrappedValue: Value, _ key: String, store: SystemShims.UserDefaults? = nil) where Value == String {
        self.init(key, store, from: { $0 as? String }, to: { $0 }, absent: wrappedValue)
    }
    /// Bytes, with what they are where none are stored.
    public init(wrappedValue: Value, _ key: String, store: SystemShims.UserDefaults? = nil) where Value == Data {
        self.init(key, store, from: { $0 as? Data }, to: { $0 }, absent: wrappedValue)
    }
    /// A choice that is stored as a number.
    public init(wrappedValue: Value, _ key: String, store: SystemShims.UserDefaults? = nil)
    where Value: RawRepresentable, Value.RawValue == Int {
        self.init(key, store, from: { ($0 as? Int).flatMap(Value.init) }, to: { $0.rawValue }, absent: wrappedValue)
    }
    /// A choice that is stored as a text.
    public init(wrappedValue: Value, _ key: String, store: SystemShims.UserDefaults? = nil)
    where Value: RawRepresentable, Value.RawValue == String {
        self.init(key, store, from: { ($0 as? String).flatMap(Value.init) }, to: { $0.rawValue }, absent: wrappedValue)
    }
    /// A truth value, if one is stored.
    public init(_ key: String, store: SystemShims.UserDefaults? = nil) where Value == Bool? {
        self.init(key, store, from: { $0 as? Bool }, to: { $0 }, absent: nil)
    }
    /// A number, if one is stored.
    public init(_ key: String, store: SystemShims.UserDefaults? = nil) where Value == Int? {
        self.init(key, store, from: { $0 as? Int }, to: { $0 }, absent: nil)
    }
    /// A number, if one is stored.
    public init(_ key: String, store: SystemShims.UserDefaults? = nil) where Value == Double? {
        self.init(key, store, from: { $0 as? Double }, to: { $0 }, absent: nil)
    }
    /// A text, if one is stored.
    public init(_ key: String, store: SystemShims.UserDefaults? = nil) where Value == String? {
        self.init(key, store, from: { $0 as? String }, to: { $0 }, absent: nil)
    }
    /// Bytes, if some are stored.
    public init(_ key: String, store: SystemShims.UserDefaults? = nil) where Value == Data? {
        self.init(key, store, from: { $0 as? Data }, to: { $0 }, absent: nil)
    }
}
