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

            init(
                name: Notification.Name?, object: AnyObject?, queue: OperationQueue?, block: @escaping @Sendable (Notification) -> Void
            ) {
                self.name = name
                self.object = object
                self.queue = queue
                self.block = block
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

        /// Ends all observing of this observer.
        open func removeObserver(_ observer: Any) {
            guard let observer = observer as? Observer else { return }
            lock.withLock { observers.removeAll { $0 === observer } }
        }

        /// Ends the observing of this observer that matches the name and the object.
        open func removeObserver(_ observer: Any, name: Notification.Name?, object: Any?) {
            guard let observer = observer as? Observer, name == nil || observer.name == name else { return }
            if let object, observer.object !== object as AnyObject { return }
            removeObserver(observer)
        }

        /// Calls the observers that match, in the order in which they began to observe.
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
                queue.addOperation { observer.block(notification) }
            }
        }

        /// Posts a notification of these parts.
        open func post(name: Notification.Name, object: Any?, userInfo: [AnyHashable: Any]? = nil) {
            post(Notification(name: name, object: object, userInfo: userInfo))
        }
    }
}
