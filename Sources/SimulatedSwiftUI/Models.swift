public import Combine
// As on Apple's systems: a file that imports SwiftUI alone has `@Observable`.
@_exported public import Observation

/// Reads and writes a value that something else has, as SwiftUI has it.
@propertyWrapper
@dynamicMemberLookup
public struct Binding<Value>: @unchecked Sendable {
    private let read: () -> Value
    private let write: (Value) -> Void

    /// A binding of closures.
    public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {
        read = get
        write = set
    }

    /// Always the same value. What is written is lost.
    public static func constant(_ value: Value) -> Binding<Value> { Binding(get: { value }, set: { _ in }) }

    /// The value.
    public var wrappedValue: Value {
        get { read() }
        nonmutating set { write(newValue) }
    }

    /// Itself.
    public var projectedValue: Binding<Value> { self }

    /// A property of the value.
    public subscript<Part>(dynamicMember keyPath: WritableKeyPath<Value, Part>) -> Binding<Part> {
        Binding<Part>(get: { self.wrappedValue[keyPath: keyPath] }, set: { self.wrappedValue[keyPath: keyPath] = $0 })
    }
}

/// A value that its owner keeps, as SwiftUI has it. Here without a view that is drawn anew.
@propertyWrapper
public struct State<Value> {
    private final class Storage {
        var value: Value

        init(_ value: Value) {
            self.value = value
        }
    }

    private let storage: Storage

    /// A value to begin with.
    public init(wrappedValue: Value) { storage = Storage(wrappedValue) }
    /// A value to begin with.
    public init(initialValue: Value) { storage = Storage(initialValue) }
    /// Nothing to begin with.
    public init() where Value: ExpressibleByNilLiteral { storage = Storage(nil) }

    /// The value.
    public var wrappedValue: Value {
        get { storage.value }
        nonmutating set { storage.value = newValue }
    }

    /// Reads and writes the value.
    public var projectedValue: Binding<Value> {
        let storage = storage
        return Binding(get: { storage.value }, set: { storage.value = $0 })
    }
}

/// An object that its owner keeps, and makes when it is first needed, as SwiftUI has it.
@propertyWrapper
public struct StateObject<ObjectType: ObservableObject> {
    private final class Storage {
        let make: () -> ObjectType
        private(set) lazy var object = make()

        init(_ make: @escaping () -> ObjectType) {
            self.make = make
        }
    }

    private let storage: Storage

    /// The closure makes the object.
    public init(wrappedValue thunk: @autoclosure @escaping () -> ObjectType) { storage = Storage(thunk) }
    /// The object.
    public var wrappedValue: ObjectType { storage.object }
    /// Reads and writes its properties.
    public var projectedValue: ObservedObject<ObjectType>.Wrapper { .init(object: storage.object) }
}

/// An object that something else keeps, as SwiftUI has it.
@propertyWrapper
public struct ObservedObject<ObjectType: ObservableObject> {
    /// Gives bindings to an object's properties.
    @dynamicMemberLookup
    public struct Wrapper {
        let object: ObjectType

        /// A property of the object.
        public subscript<Part>(dynamicMember keyPath: ReferenceWritableKeyPath<ObjectType, Part>) -> Binding<Part> {
            let object = object
            return Binding(get: { object[keyPath: keyPath] }, set: { object[keyPath: keyPath] = $0 })
        }
    }

    /// The object.
    public var wrappedValue: ObjectType
    /// Gives bindings to its properties.
    public var projectedValue: Wrapper { Wrapper(object: wrappedValue) }

    /// The object that is observed.
    public init(wrappedValue: ObjectType) { self.wrappedValue = wrappedValue }
    /// The object that is observed.
    public init(initialValue: ObjectType) { wrappedValue = initialValue }
}

/// Where a scene is, as SwiftUI has it.
public enum ScenePhase: Comparable, Hashable, Sendable {
    /// Not on the screen.
    case background
    /// On the screen, and getting no events.
    case inactive
    /// In front.
    case active
}
