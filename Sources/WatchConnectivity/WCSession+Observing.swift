import Foundation

#if !canImport(ObjectiveC)
    /// What key-value observing is asked for. Stands for Foundation's, which only Apple's systems have.
    public struct NSKeyValueObservingOptions: OptionSet, Sendable {
        public let rawValue: UInt

        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// The change says the new value.
        public static let new = NSKeyValueObservingOptions(rawValue: 1)
        /// The change says the value before.
        public static let old = NSKeyValueObservingOptions(rawValue: 2)
        /// The handler is called at once too.
        public static let initial = NSKeyValueObservingOptions(rawValue: 4)
    }

    /// A change of an observed value. Stands for Foundation's.
    public struct NSKeyValueObservedChange<Value> {
        /// The value after the change, where it was asked for.
        public let newValue: Value?
        /// The value before the change, where it was asked for.
        public let oldValue: Value?
    }

    /// Ends an observation when it is invalidated, or let go of. Stands for Foundation's.
    public final class NSKeyValueObservation {
        private var end: (() -> Void)?

        init(end: @escaping () -> Void) {
            self.end = end
        }

        /// Ends the observing. Letting go of the observation does so too.
        public func invalidate() {
            end?()
            end = nil
        }

        deinit { invalidate() }
    }

    extension WCSession {
        /// Calls the handler when a property has changed, on the session's queue. Of Apple's session ``activationState`` is documented to be observable, and
        /// Apple's sample observes ``hasContentPending`` too; others never change for an observer.
        ///
        /// Observing by a string (`addObserver(_:forKeyPath:)`) and by Combine's publishers needs Objective-C, and is not there.
        public func observe<Value>(
            _ keyPath: KeyPath<WCSession, Value>, options: NSKeyValueObservingOptions = [],
            changeHandler: @escaping (WCSession, NSKeyValueObservedChange<Value>) -> Void
        ) -> NSKeyValueObservation {
            // On a host where nothing is simulated nothing changes, and the session is that of all threads.
            guard backend != nil else { return NSKeyValueObservation {} }
            var known = self[keyPath: keyPath]
            let number = observers.add(keyPath) { [weak self] in
                guard let self else { return }
                let value = self[keyPath: keyPath]
                changeHandler(
                    self,
                    NSKeyValueObservedChange(newValue: options.contains(.new) ? value : nil, oldValue: options.contains(.old) ? known : nil)
                )
                known = value
            }
            if options.contains(.initial) {
                changeHandler(self, NSKeyValueObservedChange(newValue: options.contains(.new) ? known : nil, oldValue: nil))
            }
            return NSKeyValueObservation { [weak self] in self?.observers.remove(number) }
        }
    }
#endif

extension WCSession {
    /// Tells those who observe a property that it has changed. For backends, which call it as the code of the session's process, on its queue.
    public func tellObservers<Value>(of keyPath: KeyPath<WCSession, Value>) {
        observers.tell(keyPath)
    }
}

/// Who observes a session. Not for more than one thread at a time, as the session itself.
final class SessionObservers {
    private var observers: [Int: (keyPath: AnyKeyPath, tell: () -> Void)] = [:]
    private var count = 0

    func add(_ keyPath: AnyKeyPath, _ tell: @escaping () -> Void) -> Int {
        count += 1
        observers[count] = (keyPath, tell)
        return count
    }

    func remove(_ number: Int) { observers[number] = nil }

    func tell(_ keyPath: AnyKeyPath) {
        for number in observers.keys.sorted() {
            guard let observer = observers[number], observer.keyPath == keyPath else { continue }
            observer.tell()
        }
    }
}
