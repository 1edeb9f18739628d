public import Combine
public import Foundation
public import SimulatedSystem

extension SystemShims.Timer {
    /// What ``publish(every:tolerance:on:in:options:)`` returns: the dates at which it fires, once it is connected.
    public final class TimerPublisher: ConnectablePublisher, @unchecked Sendable {
        public typealias Output = Date
        public typealias Failure = Never
        /// Seconds.
        public let interval: TimeInterval
        /// Kept for the app. A simulated timer fires exactly.
        public let tolerance: TimeInterval?
        /// Where it fires.
        public let runLoop: SystemShims.RunLoop
        /// Decides nothing: all modes are one.
        public let mode: SystemShims.RunLoop.Mode
        /// None are there.
        public let options: SystemShims.RunLoop.SchedulerOptions?
        private let subject = PassthroughSubject<Date, Never>()

        /// A publisher that does not fire yet.
        public init(
            interval: TimeInterval, tolerance: TimeInterval? = nil, runLoop: SystemShims.RunLoop, mode: SystemShims.RunLoop.Mode,
            options: SystemShims.RunLoop.SchedulerOptions? = nil
        ) {
            self.interval = interval
            self.tolerance = tolerance
            self.runLoop = runLoop
            self.mode = mode
            self.options = options
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Date, S.Failure == Never { subject.subscribe(subscriber) }

        public func connect() -> any Cancellable {
            let timer = SystemShims.Timer(timeInterval: interval, repeats: true) { [weak self] _ in self?.subject.send(SystemShims.now) }
            runLoop.add(timer, forMode: mode)
            return AnyCancellable { timer.invalidate() }
        }
    }

    /// The dates at which a repeating timer fires.
    public static func publish(
        every interval: TimeInterval, tolerance: TimeInterval? = nil, on runLoop: SystemShims.RunLoop,
        in mode: SystemShims.RunLoop.Mode, options: SystemShims.RunLoop.SchedulerOptions? = nil
    ) -> TimerPublisher {
        TimerPublisher(interval: interval, tolerance: tolerance, runLoop: runLoop, mode: mode, options: options)
    }
}

extension SystemShims.NotificationCenter {
    /// What ``publisher(for:object:)`` returns: the notifications of a name.
    public struct Publisher: Combine.Publisher, @unchecked Sendable {
        public typealias Output = Notification
        public typealias Failure = Never
        /// Whose notifications they are.
        public let center: SystemShims.NotificationCenter
        /// What they are called.
        public let name: Notification.Name
        /// Who posts them; `nil` for anybody.
        public let object: AnyObject?

        /// Publishes what a center posts under that name from when somebody subscribes; of one sender, or of all.
        public init(center: SystemShims.NotificationCenter, name: Notification.Name, object: AnyObject? = nil) {
            self.center = center
            self.name = name
            self.object = object
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Notification, S.Failure == Never {
            // A notification that nobody has asked for is lost, as with a subject.
            let subject = PassthroughSubject<Notification, Never>()
            let token = center.addObserver(forName: name, object: object, queue: nil) { subject.send($0) }
            let center = SystemShims.Unchecked(center)
            let kept = SystemShims.Unchecked(token)
            subject.handleEvents(receiveCancel: { center.value.removeObserver(kept.value) }).subscribe(subscriber)
        }
    }

    /// The notifications of a name, by any poster or by one.
    public func publisher(for name: Notification.Name, object: AnyObject? = nil) -> Publisher {
        Publisher(center: self, name: name, object: object)
    }
}

extension SystemShims {
    struct Unchecked<Value>: @unchecked Sendable {
        let value: Value

        init(_ value: Value) {
            self.value = value
        }
    }
}
