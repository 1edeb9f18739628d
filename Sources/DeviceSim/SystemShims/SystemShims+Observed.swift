#if !canImport(ObjectiveC)
    public import Foundation
    public import WatchConnectivity

    extension SystemShims {
        /// `NSKeyValueObservation` as app code uses it: ends an observation when it is invalidated, or let go of.
        public typealias KeyValueObservation = NSKeyValueObservation
        /// `NSKeyValueObservedChange` as app code uses it.
        public typealias KeyValueChange = NSKeyValueObservedChange
        /// `NSKeyValueObservingOptions` as app code uses it.
        public typealias KeyValueOptions = NSKeyValueObservingOptions

        /// What the plugin makes of `@objc dynamic var` in a class: a property that tells its observers of each set, also of an equal value. They are
        /// called on the setting code's thread, before the property's own `didSet`.
        @propertyWrapper
        public struct Observed<Value> {
            private var value: Value
            private let observers = PropertyObservers()

            /// A property that begins with this value.
            public init(wrappedValue: Value) { value = wrappedValue }
            /// A property that begins with nothing.
            public init() where Value: ExpressibleByNilLiteral { value = nil }

            /// A class gives and takes the value; nothing else has such properties.
            @available(*, unavailable, message: "only classes have properties that are observed")
            public var wrappedValue: Value {
                get { value }
                set { value = newValue }
            }

            /// The value, as the object has it.
            public static subscript<Object: AnyObject>(
                _enclosingInstance object: Object, wrapped path: ReferenceWritableKeyPath<Object, Value>,
                storage storage: ReferenceWritableKeyPath<Object, Observed<Value>>
            ) -> Value {
                get {
                    let property = object[keyPath: storage]
                    PropertyObservers.read?.found.append((property.observers, path))
                    return property.value
                }
                set {
                    object[keyPath: storage].value = newValue
                    object[keyPath: storage].observers.tell()
                }
            }
        }
    }

    /// Who observes a property. It lies with the property, so that it goes with the object.
    final class PropertyObservers {
        /// The properties that were read since somebody wanted to know.
        final class Reads: @unchecked Sendable {
            var found: [(observers: PropertyObservers, path: AnyKeyPath)] = []
        }

        /// Is there while an observation finds out which property its key path leads to.
        @TaskLocal static var read: Reads?

        private var handlers: [Int: () -> Void] = [:]
        private var count = 0

        func add(_ handler: @escaping () -> Void) -> Int {
            count += 1
            handlers[count] = handler
            return count
        }

        func remove(_ number: Int) { handlers[number] = nil }

        func tell() {
            for number in handlers.keys.sorted() { handlers[number]?() }
        }
    }

    /// A class whose properties can be observed by their key paths, as Foundation has it on systems with Objective-C.
    public protocol KeyValueObserved: NSObject {}
    extension NSObject: KeyValueObserved {}

    extension KeyValueObserved {
        /// Calls the handler after each set of an `@objc dynamic` property. One that is not declared so tells nothing, where Apple's system ends the
        /// app: that is reported, and the run counts as one that is not as on a device.
        public func observe<Value>(
            _ keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [],
            changeHandler: @escaping (Self, NSKeyValueObservedChange<Value>) -> Void
        ) -> NSKeyValueObservation {
            let reads = PropertyObservers.Reads()
            var known = PropertyObservers.$read.withValue(reads) { self[keyPath: keyPath] }
            // The class that declares it may be one above.
            let property = reads.found.first { $0.path == keyPath || reads.found.count == 1 && type(of: $0.path).rootType != Self.self }
            if options.contains(.initial) {
                changeHandler(self, NSKeyValueObservedChange(newValue: options.contains(.new) ? known : nil, oldValue: nil))
            }
            guard let observers = property?.observers else {
                if let context = SystemShims.process("observe") {
                    SystemShims.reportEscape("observe(\(keyPath)), of a property that is not '@objc dynamic'", in: context)
                }
                return NSKeyValueObservation {}
            }
            let number = observers.add { [weak self] in
                guard let self else { return }
                let value = self[keyPath: keyPath]
                let old = known
                known = value
                changeHandler(
                    self,
                    NSKeyValueObservedChange(newValue: options.contains(.new) ? value : nil, oldValue: options.contains(.old) ? old : nil)
                )
            }
            return NSKeyValueObservation { [weak observers] in observers?.remove(number) }
        }
    }
#endif
