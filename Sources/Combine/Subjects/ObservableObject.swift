/// An object that says when it is about to change.
///
/// Unless it declares another one, its ``objectWillChange`` sends before any of its `@Published` properties changes.
public protocol ObservableObject: AnyObject {
    /// The kind of publisher that tells it.
    associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher where ObjectWillChangePublisher.Failure == Never
    /// Sends before the object changes.
    var objectWillChange: ObjectWillChangePublisher { get }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
    /// One publisher for the life of the object.
    public var objectWillChange: ObservableObjectPublisher { ObjectPublishers.publisher(for: self) }
}

/// Tells that an object is about to change.
public final class ObservableObjectPublisher: Publisher, @unchecked Sendable {
    public typealias Output = Void
    public typealias Failure = Never
    private let subject = PassthroughSubject<Void, Never>()

    /// A publisher without subscribers.
    public init() {}

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Void, S.Failure == Never { subject.receive(subscriber: subscriber) }
    /// Tells those who subscribe.
    public func send() { subject.send() }
}

/// What a `@Published` property shows to the publisher of its object.
protocol PublishedProperty {
    var changes: ObservableObjectPublisher? { get nonmutating set }
}

/// The publishers of objects that declare none.
///
/// An object with `@Published` properties keeps its publisher in them. One without is looked up here, and forgotten when it is gone.
enum ObjectPublishers {
    private final class Entry {
        weak var object: AnyObject?
        let publisher = ObservableObjectPublisher()

        init(_ object: AnyObject) {
            self.object = object
        }
    }

    private final class Table: @unchecked Sendable {
        let lock = Lock()
        var entries: [ObjectIdentifier: Entry] = [:]
        var nextSweep = 64
    }

    private static let table = Table()

    static func publisher(for object: AnyObject) -> ObservableObjectPublisher {
        var properties: [any PublishedProperty] = []
        var level: Mirror? = Mirror(reflecting: object)
        while let mirror = level {
            properties += mirror.children.compactMap { $0.value as? any PublishedProperty }
            level = mirror.superclassMirror
        }
        let publisher = properties.lazy.compactMap(\.changes).first ?? (properties.isEmpty ? listed(object) : ObservableObjectPublisher())
        for property in properties where property.changes == nil { property.changes = publisher }
        return publisher
    }

    private static func listed(_ object: AnyObject) -> ObservableObjectPublisher {
        table.lock.withLock {
            if let entry = table.entries[ObjectIdentifier(object)], entry.object === object { return entry.publisher }
            if table.entries.count >= table.nextSweep {
                table.entries = table.entries.filter { $0.value.object != nil }
                table.nextSweep = max(64, table.entries.count * 2)
            }
            let entry = Entry(object)
            table.entries[ObjectIdentifier(object)] = entry
            return entry.publisher
        }
    }
}
