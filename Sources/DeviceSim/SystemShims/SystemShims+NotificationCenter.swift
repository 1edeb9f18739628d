internal import DeviceSimCore
import Foundation

extension SystemShims {
    /// `NotificationCenter` as app code uses it. The default one is its process's: what the phone posts no watch hears.
    ///
    /// Observers are called in the order in which they were added: on the posting code's queue, or on the queue that they name. Where that is another,
    /// `post` does not wait for them.
    open class NotificationCenter: @unchecked Sendable {
        /// The center of the running process: what one device posts no other observes.
        public class var `default`: NotificationCenter { processLocal("NotificationCenter.default") { NotificationCenter() } }

        private let lock = Foundation.NSLock()
        private var observers: [Observer] = []

        /// A center of the app's own.
        public init() {}

        private final class Observer: NSObject, @unchecked Sendable {
            let name: Notification.Name?
            let object: AnyObject?
            let queue: OperationQueue?
            let block: @Sendable (Notification) -> Void
            /// The object whose selector is called, which the app names to end the observing.
            let target: ObjectIdentifier?

            init(
                name: Notification.Name?, object: AnyObject?, queue: OperationQueue?, target: AnyObject? = nil,
                block: @escaping @Sendable (Notification) -> Void
            ) {
                self.name = name
                self.object = object
                self.queue = queue
                self.target = target.map(ObjectIdentifier.init)
                self.block = block
            }

            func isFound(by observer: Any) -> Bool {
                observer as? Observer === self || target != nil && target == ObjectIdentifier(observer as AnyObject)
            }
        }

        /// Calls `block` for each matching notification, on the queue or at once, until the observer is removed.
        @discardableResult @preconcurrency
        open func addObserver(
            forName name: Notification.Name?, object: Any?, queue: OperationQueue?,
            using block: @escaping @Sendable (Notification) -> Void
        ) -> any NSObjectProtocol {
            let observer = Observer(name: name, object: object.map { $0 as AnyObject }, queue: queue, block: block)
            lock.withLock { observers.append(observer) }
            return observer
        }

        /// Calls the method on the observer for each matching notification, until it is removed or there is no such object any more.
        open func addObserver(_ observer: Any, selector aSelector: Selector, name aName: Notification.Name?, object anObject: Any?) {
            let target = observer as AnyObject
            let call = SelectorCall(aSelector, on: target)
            let entry = Observer(name: aName, object: anObject.map { $0 as AnyObject }, queue: nil, target: target) { call.make(with: $0) }
            lock.withLock { observers.append(entry) }
        }

        /// Ends all observing of this observer.
        open func removeObserver(_ observer: Any) {
            lock.withLock { observers.removeAll { $0.isFound(by: observer) } }
        }

        /// Ends the observing of this observer that matches the name and the object.
        open func removeObserver(_ observer: Any, name: Notification.Name?, object: Any?) {
            let object = object.map { $0 as AnyObject }
            lock.withLock {
                observers.removeAll {
                    $0.isFound(by: observer) && (name == nil || $0.name == name) && (object == nil || $0.object === object)
                }
            }
        }

        /// Calls the observers that match, in the order in which they began to observe. Waits for one that named another queue, as Foundation does: it has been told when this
        /// returns, and where its queue waits for the caller both do for ever.
        open func post(_ notification: Notification) {
            let object = notification.object.map { $0 as AnyObject }
            let called = lock.withLock {
                observers.filter { ($0.name == nil || $0.name == notification.name) && ($0.object == nil || $0.object === object) }
            }
            for observer in called {
                guard let queue = observer.queue, !queue.isCurrent else {
                    observer.block(notification)
                    continue
                }
                nonisolated(unsafe) let notification = notification
                queue.addOperations([BlockOperation { observer.block(notification) }], waitUntilFinished: true)
            }
        }

        /// Posts a notification of these parts.
        open func post(name: Notification.Name, object: Any?, userInfo: [AnyHashable: Any]? = nil) {
            post(Notification(name: name, object: object, userInfo: userInfo))
        }
    }
}
