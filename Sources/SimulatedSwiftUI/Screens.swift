/// Where an app's screens have led, as SwiftUI has it: values of any kind, of which the last is shown.
public struct NavigationPath {
    private var values: [AnyHashable] = []

    /// At the beginning.
    public init() {}
    /// As if one had gone there.
    public init<Elements: Sequence>(_ elements: Elements) where Elements.Element: Hashable { values = elements.map { AnyHashable($0) } }

    /// How far it leads.
    public var count: Int { values.count }
    /// Whether it is at the beginning.
    public var isEmpty: Bool { values.isEmpty }

    /// Goes on.
    public mutating func append<Value: Hashable>(_ value: Value) { values.append(AnyHashable(value)) }
    /// Goes back.
    public mutating func removeLast(_ count: Int = 1) { values.removeLast(count) }
}

/// Something that views find around them, as SwiftUI has it.
public protocol EnvironmentKey {
    /// What it is.
    associatedtype Value
    /// What it is where nothing else was said.
    static var defaultValue: Value { get }
}

/// What views find around them. Without views it is what was said here.
public struct EnvironmentValues {
    private var values: [ObjectIdentifier: Any] = [:]

    /// As it is where nothing was said.
    public init() {}

    /// The value of a key.
    public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
        get { values[ObjectIdentifier(key)] as? Key.Value ?? Key.defaultValue }
        set { values[ObjectIdentifier(key)] = newValue }
    }
}
