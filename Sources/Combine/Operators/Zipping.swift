extension Publishers {
    /// What `zip` returns for 2 publishers.
    public struct Zip<A: Publisher, B: Publisher>: Publisher
    where A.Failure == B.Failure {
        public typealias Output = (A.Output, B.Output)
        public typealias Failure = A.Failure
        /// One of them.
        public let a: A
        /// One of them.
        public let b: B

        /// The operator on 2 publishers.
        public init(_ a: A, _ b: B) {
            self.a = a
            self.b = b
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let junction = Junction("Zip", .oneOfEach, of: 2, to: subscriber) { values in
                (values[0].value(), values[1].value())
            }
            junction.add(a, at: 0)
            junction.add(b, at: 1)
            junction.announce()
        }
    }

    /// What `zip` returns for 3 publishers.
    public struct Zip3<A: Publisher, B: Publisher, C: Publisher>: Publisher
    where A.Failure == B.Failure, A.Failure == C.Failure {
        public typealias Output = (A.Output, B.Output, C.Output)
        public typealias Failure = A.Failure
        /// One of them.
        public let a: A
        /// One of them.
        public let b: B
        /// One of them.
        public let c: C

        /// The operator on 3 publishers.
        public init(_ a: A, _ b: B, _ c: C) {
            self.a = a
            self.b = b
            self.c = c
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let junction = Junction("Zip", .oneOfEach, of: 3, to: subscriber) { values in
                (values[0].value(), values[1].value(), values[2].value())
            }
            junction.add(a, at: 0)
            junction.add(b, at: 1)
            junction.add(c, at: 2)
            junction.announce()
        }
    }

    /// What `zip` returns for 4 publishers.
    public struct Zip4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: Publisher
    where A.Failure == B.Failure, A.Failure == C.Failure, A.Failure == D.Failure {
        public typealias Output = (A.Output, B.Output, C.Output, D.Output)
        public typealias Failure = A.Failure
        /// One of them.
        public let a: A
        /// One of them.
        public let b: B
        /// One of them.
        public let c: C
        /// One of them.
        public let d: D

        /// The operator on 4 publishers.
        public init(_ a: A, _ b: B, _ c: C, _ d: D) {
            self.a = a
            self.b = b
            self.c = c
            self.d = d
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let junction = Junction("Zip", .oneOfEach, of: 4, to: subscriber) { values in
                (values[0].value(), values[1].value(), values[2].value(), values[3].value())
            }
            junction.add(a, at: 0)
            junction.add(b, at: 1)
            junction.add(c, at: 2)
            junction.add(d, at: 3)
            junction.announce()
        }
    }
}

extension Publisher {
    /// Sends one value of each, in order, as soon as each has one.
    public func zip<B: Publisher>(_ b: B) -> Publishers.Zip<Self, B>
    where B.Failure == Failure {
        .init(self, b)
    }

    /// What the closure makes of that.
    public func zip<B: Publisher, T>(
        _ b: B, _ transform: @escaping (Output, B.Output) -> T
    ) -> Publishers.Map<Publishers.Zip<Self, B>, T>
    where B.Failure == Failure {
        zip(b).map(transform)
    }

    /// Sends one value of each, in order, as soon as each has one.
    public func zip<B: Publisher, C: Publisher>(_ b: B, _ c: C) -> Publishers.Zip3<Self, B, C>
    where B.Failure == Failure, C.Failure == Failure {
        .init(self, b, c)
    }

    /// What the closure makes of that.
    public func zip<B: Publisher, C: Publisher, T>(
        _ b: B, _ c: C, _ transform: @escaping (Output, B.Output, C.Output) -> T
    ) -> Publishers.Map<Publishers.Zip3<Self, B, C>, T>
    where B.Failure == Failure, C.Failure == Failure {
        zip(b, c).map(transform)
    }

    /// Sends one value of each, in order, as soon as each has one.
    public func zip<B: Publisher, C: Publisher, D: Publisher>(_ b: B, _ c: C, _ d: D) -> Publishers.Zip4<Self, B, C, D>
    where B.Failure == Failure, C.Failure == Failure, D.Failure == Failure {
        .init(self, b, c, d)
    }

    /// What the closure makes of that.
    public func zip<B: Publisher, C: Publisher, D: Publisher, T>(
        _ b: B, _ c: C, _ d: D, _ transform: @escaping (Output, B.Output, C.Output, D.Output) -> T
    ) -> Publishers.Map<Publishers.Zip4<Self, B, C, D>, T>
    where B.Failure == Failure, C.Failure == Failure, D.Failure == Failure {
        zip(b, c, d).map(transform)
    }
}
