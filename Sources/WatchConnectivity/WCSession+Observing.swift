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

        package init(newValue: Value?, oldValue: Value?) {
            self.newValue = newValue
            self.oldValue = oldValue
        }
    }

    /// Ends an observation when it is invalidated, or let go of. Stands for Foundation's.
    public final class NSKeyValueObservation {
        private var end: (() -> Void)?

        package init(end: @escaping () -> Void) {
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
        /// Apple's sample observes ``hasContentPending`` too; what the delegate is told of changes for an observer just before that.
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
                if let value = value as? AnyHashable, value == known as? AnyHashable { return }
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
    /// Calls the closure whenever the property may have changed, for as long as the session lives: what key-value observing is to a simulation, on any
    /// host.
    package func whenTold(of keyPath: PartialKeyPath<WCSession>, _ tell: @escaping () -> Void) {
        _ = observers.add(keyPath, tell)
    }

    /// Tells those who observe a property that it may have changed; who knows its value already is not called. For backends, which call it as the code of
    /// the session's process, on its queue.
    public func tellObservers<Value>(of keyPath: KeyPath<WCSession, Value>) {
        observers.tell(keyPath)
    }
}

#if !canImport(ObjectiveC)
    extension Progress {
        /// Calls the handler when a property of a file transfer's progress has changed. Of progress that code counts itself nothing is told: that needs
        /// Objective-C.
        public func observe<Value>(
            _ keyPath: KeyPath<Progress, Value>, options: NSKeyValueObservingOptions = [],
            changeHandler: @escaping (Progress, NSKeyValueObservedChange<Value>) -> Void
        ) -> NSKeyValueObservation {
            var known = self[keyPath: keyPath]
            let number = ProgressObservers.of(self, isMade: true)?.add(keyPath) { [weak self] in
                guard let self else { return }
                let value = self[keyPath: keyPath]
                if let value = value as? AnyHashable, value == known as? AnyHashable { return }
                changeHandler(
                    self,
                    NSKeyValueObservedChange(newValue: options.contains(.new) ? value : nil, oldValue: options.contains(.old) ? known : nil)
                )
                known = value
            }
            if options.contains(.initial) {
                changeHandler(self, NSKeyValueObservedChange(newValue: options.contains(.new) ? known : nil, oldValue: nil))
            }
            return NSKeyValueObservation { [weak self] in
                if let self, let number { ProgressObservers.of(self, isMade: false)?.remove(number) }
            }
        }
    }
#endif

/// Who observes the progress of transfers. It lies with the progress itself, so that it goes with it.
public enum ProgressObservers {
    private static let key = ProgressUserInfoKey("WatchConnectivity.observers")

    /// Tells those who observe a progress that it may have changed. For backends, which call it as the code of the session's process.
    public static func tell(_ progress: Progress) {
        of(progress, isMade: false)?.tellAll()
    }

    static func of(_ progress: Progress, isMade: Bool) -> SessionObservers? {
        if let known = progress.userInfo[key] as? SessionObservers { return known }
        guard isMade else { return nil }
        let observers = SessionObservers()
        progress.setUserInfoObject(observers, forKey: key)
        return observers
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

    func tellAll() {
        for number in observers.keys.sorted() { observers[number]?.tell() }
    }

    func tell(_ keyPath: AnyKeyPath) {
        for number in observers.keys.sorted() {
            guard let observer = observers[number], observer.keyPath == keyPath else { continue }
            observer.tell()
        }
    }
}
