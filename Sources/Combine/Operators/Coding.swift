import Foundation

/// Makes bytes, or what else it makes, of values: what `encode(encoder:)` needs.
public protocol TopLevelEncoder<Output> {
    /// What it makes.
    associatedtype Output
    /// Encodes a value.
    func encode<T: Encodable>(_ value: T) throws -> Output
}

/// Makes values of bytes, or of what else it takes: what `decode(type:decoder:)` needs.
public protocol TopLevelDecoder<Input> {
    /// What it takes.
    associatedtype Input
    /// Decodes a value.
    func decode<T: Decodable>(_ type: T.Type, from input: Input) throws -> T
}

extension JSONEncoder: TopLevelEncoder {}
extension JSONDecoder: TopLevelDecoder {}
extension PropertyListEncoder: TopLevelEncoder {}
extension PropertyListDecoder: TopLevelDecoder {}

extension Publishers {
    /// What `encode` returns.
    public struct Encode<Upstream: Publisher, Coder: TopLevelEncoder>: Publisher where Upstream.Output: Encodable {
        public typealias Output = Coder.Output
        public typealias Failure = any Error
        /// What it works on.
        public let upstream: Upstream
        private let encoder: Coder

        /// The operator on a publisher.
        public init(upstream: Upstream, encoder: Coder) {
            self.upstream = upstream
            self.encoder = encoder
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.subscribe(
                Transform<Upstream.Output, Upstream.Failure, S>.trying("Encode", to: subscriber) { .value(try encoder.encode($0)) })
        }
    }

    /// What `decode` returns.
    public struct Decode<Upstream: Publisher, Output: Decodable, Coder: TopLevelDecoder>: Publisher where Upstream.Output == Coder.Input {
        public typealias Failure = any Error
        /// What it works on.
        public let upstream: Upstream
        private let decoder: Coder

        /// The operator on a publisher.
        public init(upstream: Upstream, decoder: Coder) {
            self.upstream = upstream
            self.decoder = decoder
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.subscribe(
                Transform<Upstream.Output, Upstream.Failure, S>.trying("Decode", to: subscriber) {
                    .value(try decoder.decode(Output.self, from: $0))
                })
        }
    }
}

extension Publisher where Output: Encodable {
    /// Sends what the encoder makes of each value.
    public func encode<Coder: TopLevelEncoder>(encoder: Coder) -> Publishers.Encode<Self, Coder> { .init(upstream: self, encoder: encoder) }
}

extension Publisher {
    /// Sends what the decoder makes of each value.
    public func decode<Item: Decodable, Coder: TopLevelDecoder>(type: Item.Type, decoder: Coder) -> Publishers.Decode<Self, Item, Coder>
    where Output == Coder.Input {
        .init(upstream: self, decoder: decoder)
    }
}
