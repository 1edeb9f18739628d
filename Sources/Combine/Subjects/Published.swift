/// A property of a class that tells of its changes, before they happen: `$name` sends the new value while the property still has the old one.
@propertyWrapper
public struct Published<Value> {
    let storage: Storage

    /// A property with its first value.
    public init(initialValue: Value) {
        storage = Storage(initialValue)
    }

    /// A property with its first value.
    public init(wrappedValue: Value) {
        storage = Storage(wrappedValue)
    }

    /// Only a class has properties that others share.
    @available(*, unavailable, message: "@Published is only available on properties of classes")
    public var wrappedValue: Value {
        get { storage.value }
        nonmutating set { storage.value = newValue }
    }

    /// Sends the present value and each later one.
    public var projectedValue: Publisher {
        get { Publisher(storage: storage) }
        nonmutating set { storage.follow(newValue.storage) }
    }

    /// The property of an object.
    public static subscript<EnclosingSelf: AnyObject>(
        _enclosingInstance object: EnclosingSelf, wrapped wrappedKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Value>,
        storage storageKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Published<Value>>
    ) -> Value {
        get { object[keyPath: storageKeyPath].storage.value }
        set { object[keyPath: storageKeyPath].storage.value = newValue }
    }

    /// Publishes a property's values.
    public struct Publisher: Combine.Publisher {
        public typealias Output = Value
        public typealias Failure = Never
        let storage: Storage

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == Never {
            storage.conduits.add(subscriber, owner: storage) { [weak storage] in storage?.value }
        }
    }

    /// The value, and those who are told of it.
    final class Storage: CustomStringConvertible, @unchecked Sendable {
        let conduits = Conduits<Value, Never>()
        private var current: Value
        private var objectPublisher: ObservableObjectPublisher?

        init(_ value: Value) {
            current = value
        }

        var description: String { "PublishedSubject" }

        var changes: ObservableObjectPublisher? {
            get { conduits.lock.withLock { objectPublisher } }
            set { conduits.lock.withLock { objectPublisher = newValue } }
        }

        /// Setting tells the object's publisher, then the property's, and changes the value last.
        var value: Value {
            get { conduits.lock.withLock { current } }
            set {
                changes?.send()
                conduits.send(newValue)
                conduits.lock.withLock { current = newValue }
            }
        }

        /// Takes the values of a publisher from now on, for as long as the property is there.
        func take<P: Combine.Publisher>(from publisher: P) where P.Output == Value, P.Failure == Never {
            let connection = Connection()
            let subscriber = AnySubscriber<Value, Never>(
                receiveSubscription: { [weak self] subscription in
                    guard let self, connection.begin(subscription) else { return subscription.cancel() }
                    conduits.send(subscription: Ending(connection))
                    subscription.request(.unlimited)
                },
                receiveValue: { [weak self] value in
                    self?.value = value
                    return .none
                },
                receiveCompletion: { _ in _ = connection.end() })
            publisher.subscribe(subscriber)
        }

        /// What `x.$a = y.$b` does.
        func follow(_ other: Storage) {
            if other !== self { take(from: Publisher(storage: other)) }
        }
    }

    /// Ends the taking of a publisher's values with the property.
    private struct Ending: Subscription {
        let combineIdentifier = CombineIdentifier()
        let connection: Connection

        init(_ connection: Connection) {
            self.connection = connection
        }

        func request(_ demand: Subscribers.Demand) {}
        func cancel() { connection.end()?.cancel() }
    }
}

extension Published: PublishedProperty {
    var changes: ObservableObjectPublisher? {
        get { storage.changes }
        nonmutating set { storage.changes = newValue }
    }
}

extension Published: @unchecked Sendable where Value: Sendable {}
extension Published.Publisher: @unchecked Sendable where Value: Sendable {}
