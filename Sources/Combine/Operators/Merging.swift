extension Publishers {
    /// What `merge` returns for 2 publishers.
    public struct Merge<A: Publisher, B: Publisher>: Publisher
    where A.Output == B.Output, A.Failure == B.Failure {
        public typealias Output = A.Output
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
            let confluence = Confluence("Merge", to: subscriber)
            confluence.announce()
            confluence.add(a)
            confluence.add(b)
            confluence.complete()
        }
    }

    /// What `merge` returns for 3 publishers.
    public struct Merge3<A: Publisher, B: Publisher, C: Publisher>: Publisher
    where A.Output == B.Output, A.Failure == B.Failure, A.Output == C.Output, A.Failure == C.Failure {
        public typealias Output = A.Output
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
            let confluence = Confluence("Merge", to: subscriber)
            confluence.announce()
            confluence.add(a)
            confluence.add(b)
            confluence.add(c)
            confluence.complete()
        }
    }

    /// What `merge` returns for 4 publishers.
    public struct Merge4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: Publisher
    where
        A.Output == B.Output, A.Failure == B.Failure, A.Output == C.Output, A.Failure == C.Failure, A.Output == D.Output,
        A.Failure == D.Failure
    {
        public typealias Output = A.Output
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
            let confluence = Confluence("Merge", to: subscriber)
            confluence.announce()
            confluence.add(a)
            confluence.add(b)
            confluence.add(c)
            confluence.add(d)
            confluence.complete()
        }
    }

    /// What `merge` returns for 5 publishers.
    public struct Merge5<A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher>: Publisher
    where
        A.Output == B.Output, A.Failure == B.Failure, A.Output == C.Output, A.Failure == C.Failure, A.Output == D.Output,
        A.Failure == D.Failure, A.Output == E.Output, A.Failure == E.Failure
    {
        public typealias Output = A.Output
        public typealias Failure = A.Failure
        /// One of them.
        public let a: A
        /// One of them.
        public let b: B
        /// One of them.
        public let c: C
        /// One of them.
        public let d: D
        /// One of them.
        public let e: E

        /// The operator on 5 publishers.
        public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E) {
            self.a = a
            self.b = b
            self.c = c
            self.d = d
            self.e = e
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let confluence = Confluence("Merge", to: subscriber)
            confluence.announce()
            confluence.add(a)
            confluence.add(b)
            confluence.add(c)
            confluence.add(d)
            confluence.add(e)
            confluence.complete()
        }
    }

    /// What `merge` returns for 6 publishers.
    public struct Merge6<A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher>: Publisher
    where
        A.Output == B.Output, A.Failure == B.Failure, A.Output == C.Output, A.Failure == C.Failure, A.Output == D.Output,
        A.Failure == D.Failure, A.Output == E.Output, A.Failure == E.Failure, A.Output == F.Output, A.Failure == F.Failure
    {
        public typealias Output = A.Output
        public typealias Failure = A.Failure
        /// One of them.
        public let a: A
        /// One of them.
        public let b: B
        /// One of them.
        public let c: C
        /// One of them.
        public let d: D
        /// One of them.
        public let e: E
        /// One of them.
        public let f: F

        /// The operator on 6 publishers.
        public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F) {
            self.a = a
            self.b = b
            self.c = c
            self.d = d
            self.e = e
            self.f = f
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let confluence = Confluence("Merge", to: subscriber)
            confluence.announce()
            confluence.add(a)
            confluence.add(b)
            confluence.add(c)
            confluence.add(d)
            confluence.add(e)
            confluence.add(f)
            confluence.complete()
        }
    }

    /// What `merge` returns for 7 publishers.
    public struct Merge7<A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher, G: Publisher>: Publisher
    where
        A.Output == B.Output, A.Failure == B.Failure, A.Output == C.Output, A.Failure == C.Failure, A.Output == D.Output,
        A.Failure == D.Failure, A.Output == E.Output, A.Failure == E.Failure, A.Output == F.Output, A.Failure == F.Failure,
        A.Output == G.Output, A.Failure == G.Failure
    {
        public typealias Output = A.Output
        public typealias Failure = A.Failure
        /// One of them.
        public let a: A
        /// One of them.
        public let b: B
        /// One of them.
        public let c: C
        /// One of them.
        public let d: D
        /// One of them.
        public let e: E
        /// One of them.
        public let f: F
        /// One of them.
        public let g: G

        /// The operator on 7 publishers.
        public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G) {
            self.a = a
            self.b = b
            self.c = c
            self.d = d
            self.e = e
            self.f = f
            self.g = g
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let confluence = Confluence("Merge", to: subscriber)
            confluence.announce()
            confluence.add(a)
            confluence.add(b)
            confluence.add(c)
            confluence.add(d)
            confluence.add(e)
            confluence.add(f)
            confluence.add(g)
            confluence.complete()
        }
    }

    /// What `merge` returns for 8 publishers.
    public struct Merge8<A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher, G: Publisher, H: Publisher>:
        Publisher
    where
        A.Output == B.Output, A.Failure == B.Failure, A.Output == C.Output, A.Failure == C.Failure, A.Output == D.Output,
        A.Failure == D.Failure, A.Output == E.Output, A.Failure == E.Failure, A.Output == F.Output, A.Failure == F.Failure,
        A.Output == G.Output, A.Failure == G.Failure, A.Output == H.Output, A.Failure == H.Failure
    {
        public typealias Output = A.Output
        public typealias Failure = A.Failure
        /// One of them.
        public let a: A
        /// One of them.
        public let b: B
        /// One of them.
        public let c: C
        /// One of them.
        public let d: D
        /// One of them.
        public let e: E
        /// One of them.
        public let f: F
        /// One of them.
        public let g: G
        /// One of them.
        public let h: H

        /// The operator on 8 publishers.
        public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H) {
            self.a = a
            self.b = b
            self.c = c
            self.d = d
            self.e = e
            self.f = f
            self.g = g
            self.h = h
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let confluence = Confluence("Merge", to: subscriber)
            confluence.announce()
            confluence.add(a)
            confluence.add(b)
            confluence.add(c)
            confluence.add(d)
            confluence.add(e)
            confluence.add(f)
            confluence.add(g)
            confluence.add(h)
            confluence.complete()
        }
    }

    /// What merges any number of publishers of one type.
    public struct MergeMany<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure
        /// They.
        public let publishers: [Upstream]

        /// The operator on these publishers.
        public init(_ upstream: Upstream...) {
            publishers = upstream
        }

        /// The operator on these publishers.
        public init<S: Swift.Sequence>(_ upstream: S) where S.Element == Upstream {
            publishers = Array(upstream)
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let confluence = Confluence("Merge", to: subscriber)
            confluence.announce()
            for publisher in publishers { confluence.add(publisher) }
            confluence.complete()
        }

        /// With one more.
        public func merge(with other: Upstream) -> MergeMany<Upstream> { MergeMany(publishers + [other]) }
    }
}

extension Publisher {
    /// Sends the values of all of them as they come.
    public func merge<B: Publisher>(with b: B) -> Publishers.Merge<Self, B>
    where B.Output == Output, B.Failure == Failure {
        .init(self, b)
    }

    /// Sends the values of all of them as they come.
    public func merge<B: Publisher, C: Publisher>(with b: B, _ c: C) -> Publishers.Merge3<Self, B, C>
    where B.Output == Output, B.Failure == Failure, C.Output == Output, C.Failure == Failure {
        .init(self, b, c)
    }

    /// Sends the values of all of them as they come.
    public func merge<B: Publisher, C: Publisher, D: Publisher>(with b: B, _ c: C, _ d: D) -> Publishers.Merge4<Self, B, C, D>
    where B.Output == Output, B.Failure == Failure, C.Output == Output, C.Failure == Failure, D.Output == Output, D.Failure == Failure {
        .init(self, b, c, d)
    }

    /// Sends the values of all of them as they come.
    public func merge<B: Publisher, C: Publisher, D: Publisher, E: Publisher>(with b: B, _ c: C, _ d: D, _ e: E)
        -> Publishers.Merge5<Self, B, C, D, E>
    where
        B.Output == Output, B.Failure == Failure, C.Output == Output, C.Failure == Failure, D.Output == Output, D.Failure == Failure,
        E.Output == Output, E.Failure == Failure
    {
        .init(self, b, c, d, e)
    }

    /// Sends the values of all of them as they come.
    public func merge<B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher>(with b: B, _ c: C, _ d: D, _ e: E, _ f: F)
        -> Publishers.Merge6<Self, B, C, D, E, F>
    where
        B.Output == Output, B.Failure == Failure, C.Output == Output, C.Failure == Failure, D.Output == Output, D.Failure == Failure,
        E.Output == Output, E.Failure == Failure, F.Output == Output, F.Failure == Failure
    {
        .init(self, b, c, d, e, f)
    }

    /// Sends the values of all of them as they come.
    public func merge<B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher, G: Publisher>(
        with b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G
    ) -> Publishers.Merge7<Self, B, C, D, E, F, G>
    where
        B.Output == Output, B.Failure == Failure, C.Output == Output, C.Failure == Failure, D.Output == Output, D.Failure == Failure,
        E.Output == Output, E.Failure == Failure, F.Output == Output, F.Failure == Failure, G.Output == Output, G.Failure == Failure
    {
        .init(self, b, c, d, e, f, g)
    }

    /// Sends the values of all of them as they come.
    public func merge<B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher, G: Publisher, H: Publisher>(
        with b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H
    ) -> Publishers.Merge8<Self, B, C, D, E, F, G, H>
    where
        B.Output == Output, B.Failure == Failure, C.Output == Output, C.Failure == Failure, D.Output == Output, D.Failure == Failure,
        E.Output == Output, E.Failure == Failure, F.Output == Output, F.Failure == Failure, G.Output == Output, G.Failure == Failure,
        H.Output == Output, H.Failure == Failure
    {
        .init(self, b, c, d, e, f, g, h)
    }
}
