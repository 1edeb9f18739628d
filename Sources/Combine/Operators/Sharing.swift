/// A publisher that begins to send when it is told to.
public protocol ConnectablePublisher<Output, Failure>: Publisher {
    /// Begins. Cancelling what is returned ends it.
    func connect() -> any Cancellable
}

extension ConnectablePublisher {
    /// Begins with the first subscriber, and ends with the last one.
    public func autoconnect() -> Publishers.Autoconnect<Self> { .init(upstream: self) }
}

extension Publishers {
    /// What `autoconnect` returns.
    public class Autoconnect<Upstream: ConnectablePublisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure
        /// What it works on.
        public final let upstream: Upstream
        private let lock = Lock()
        private var count = 0
        private var connection: (any Cancellable)?

        /// The operator on a publisher.
        public init(upstream: Upstream) {
            self.upstream = upstream
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let isFirst = lock.withLock {
                count += 1
                return connection == nil
            }
            upstream.handleEvents(receiveCancel: leave).subscribe(subscriber)
            if isFirst {
                let connection = upstream.connect()
                lock.withLock { self.connection = connection }
            }
        }

        private func leave() {
            let ended = lock.withLock { () -> (any Cancellable)? in
                count -= 1
                return count == 0 ? connection.take() : nil
            }
            ended?.cancel()
        }
    }

    /// What `multicast` returns.
    public final class Multicast<Upstream: Publisher, SubjectType: Subject>: ConnectablePublisher
    where Upstream.Failure == SubjectType.Failure, Upstream.Output == SubjectType.Output {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure
        /// What it works on.
        public let upstream: Upstream
        /// Makes the subject, when it is first needed.
        public let createSubject: () -> SubjectType
        private let lock = Lock()
        private var subject: SubjectType?

        /// The operator on a publisher.
        public init(upstream: Upstream, createSubject: @escaping () -> SubjectType) {
            self.upstream = upstream
            self.createSubject = createSubject
        }

        public func receive<S: Subscriber>(subscriber: S) where SubjectType.Failure == S.Failure, SubjectType.Output == S.Input {
            current().subscribe(subscriber)
        }

        public func connect() -> any Cancellable { upstream.subscribe(current()) }

        private func current() -> SubjectType {
            lock.withLock {
                if let subject { return subject }
                let made = createSubject()
                subject = made
                return made
            }
        }
    }

    /// What `share` returns.
    public final class Share<Upstream: Publisher>: Publisher, Equatable {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure
        private let inner: Autoconnect<Multicast<Upstream, PassthroughSubject<Output, Failure>>>
        /// What it works on.
        public let upstream: Upstream

        /// The operator on a publisher.
        public init(upstream: Upstream) {
            self.upstream = upstream
            inner = upstream.multicast { PassthroughSubject() }.autoconnect()
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure { inner.subscribe(subscriber) }
        public static func == (lhs: Share<Upstream>, rhs: Share<Upstream>) -> Bool { lhs === rhs }
    }

    /// What `makeConnectable` returns.
    public struct MakeConnectable<Upstream: Publisher>: ConnectablePublisher where Upstream.Failure == Never {
        public typealias Output = Upstream.Output
        public typealias Failure = Never
        private let inner: Multicast<Upstream, PassthroughSubject<Output, Never>>

        /// The operator on a publisher.
        public init(upstream: Upstream) {
            inner = upstream.multicast { PassthroughSubject() }
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure { inner.subscribe(subscriber) }
        public func connect() -> any Cancellable { inner.connect() }
    }
}

extension Publishers.Autoconnect: @unchecked Sendable {}
extension Publishers.Multicast: @unchecked Sendable {}
extension Publishers.Share: @unchecked Sendable {}

extension Publisher {
    /// Sends by one subscription what it sends to all who subscribe.
    public func share() -> Publishers.Share<Self> { .init(upstream: self) }
    /// Sends by a subject what it sends, once it is connected.
    public func multicast<S: Subject>(_ createSubject: @escaping () -> S) -> Publishers.Multicast<Self, S>
    where Failure == S.Failure, Output == S.Output {
        .init(upstream: self, createSubject: createSubject)
    }
    /// Sends by a subject what it sends, once it is connected.
    public func multicast<S: Subject>(subject: S) -> Publishers.Multicast<Self, S> where Failure == S.Failure, Output == S.Output {
        multicast { subject }
    }
}

extension Publisher where Failure == Never {
    /// Waits to be connected.
    public func makeConnectable() -> Publishers.MakeConnectable<Self> { .init(upstream: self) }
}
