// Apple's CryptoKit, as far as its public documentation declares what LocalData uses.

import Foundation

public enum CryptoKitError: Error {
    case incorrectKeySize
    case incorrectParameterSize
    case authenticationFailure
    case underlyingCoreCryptoError(error: Int32)
    case wrapFailure
    case unwrapFailure
    case invalidParameter
}

public struct SymmetricKeySize: Sendable {
    public let bitCount: Int

    public init(bitCount: Int) { self.bitCount = bitCount }

    public static var bits128: Self { Self(bitCount: 128) }
    public static var bits192: Self { Self(bitCount: 192) }
    public static var bits256: Self { Self(bitCount: 256) }
}

public struct SymmetricKey: ContiguousBytes, Sendable, Equatable {
    public init<D: ContiguousBytes>(data: D) {}
    public init(size: SymmetricKeySize) {}
    public var bitCount: Int { 0 }
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { fatalError() }
}

public protocol Digest: Hashable, ContiguousBytes, CustomStringConvertible, Sequence, Sendable where Element == UInt8 {
    static var byteCount: Int { get }
}

public struct SHA256Digest: Digest {
    public static var byteCount: Int { 32 }
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { fatalError() }
    public func makeIterator() -> Array<UInt8>.Iterator { [].makeIterator() }
    public var description: String { "" }
}

public protocol HashFunction: Sendable {
    associatedtype Digest: CryptoKit.Digest
    static var blockByteCount: Int { get }
    init()
    mutating func update(bufferPointer: UnsafeRawBufferPointer)
    func finalize() -> Digest
}

extension HashFunction {
    public static func hash<D: DataProtocol>(data: D) -> Digest { Self().finalize() }
    public mutating func update<D: DataProtocol>(data: D) {}
}

public struct SHA256: HashFunction {
    public static var blockByteCount: Int { 64 }
    public init() {}
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) {}
    public func finalize() -> SHA256Digest { SHA256Digest() }
}

public struct HashedAuthenticationCode<H: HashFunction>: ContiguousBytes, Sendable {
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { fatalError() }
}

public struct HMAC<H: HashFunction>: Sendable {
    public typealias Key = SymmetricKey
    public typealias MAC = HashedAuthenticationCode<H>
    public init(key: SymmetricKey) {}
    public mutating func update<D: DataProtocol>(data: D) {}
    public func finalize() -> MAC { MAC() }
    public static func authenticationCode<D: DataProtocol>(for data: D, using key: SymmetricKey) -> MAC { MAC() }
}

@available(iOS 14.0, macOS 11.0, watchOS 7.0, *)
public struct HKDF<H: HashFunction>: Sendable {
    public static func deriveKey<Salt: DataProtocol, Info: DataProtocol>(
        inputKeyMaterial: SymmetricKey, salt: Salt, info: Info, outputByteCount: Int
    ) -> SymmetricKey { inputKeyMaterial }
    public static func deriveKey<Info: DataProtocol>(
        inputKeyMaterial: SymmetricKey, info: Info, outputByteCount: Int
    ) -> SymmetricKey { inputKeyMaterial }
    public static func deriveKey<Salt: DataProtocol>(
        inputKeyMaterial: SymmetricKey, salt: Salt, outputByteCount: Int
    ) -> SymmetricKey { inputKeyMaterial }
    public static func deriveKey(inputKeyMaterial: SymmetricKey, outputByteCount: Int) -> SymmetricKey { inputKeyMaterial }
}

public enum AES: Sendable {
    public enum GCM: Sendable {
        public struct Nonce: ContiguousBytes, Sequence, Sendable {
            public init() {}
            public init<D: DataProtocol>(data: D) throws {}
            public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { fatalError() }
            public func makeIterator() -> Array<UInt8>.Iterator { [].makeIterator() }
        }

        public struct SealedBox: Sendable {
            public var tag: Data { Data() }
            public var ciphertext: Data { Data() }
            public var nonce: Nonce { Nonce() }
            public var combined: Data? { nil }
            public init<D: DataProtocol>(combined: D) throws {}
            public init<C: DataProtocol, T: DataProtocol>(nonce: AES.GCM.Nonce, ciphertext: C, tag: T) throws {}
        }

        public static func seal<Plaintext: DataProtocol, AuthenticatedData: DataProtocol>(
            _ message: Plaintext, using key: SymmetricKey, nonce: AES.GCM.Nonce? = nil, authenticating authenticatedData: AuthenticatedData
        ) throws -> AES.GCM.SealedBox { throw CryptoKitError.invalidParameter }
        public static func seal<Plaintext: DataProtocol>(
            _ message: Plaintext, using key: SymmetricKey, nonce: AES.GCM.Nonce? = nil
        ) throws -> AES.GCM.SealedBox { throw CryptoKitError.invalidParameter }
        public static func open<AuthenticatedData: DataProtocol>(
            _ sealedBox: AES.GCM.SealedBox, using key: SymmetricKey, authenticating authenticatedData: AuthenticatedData
        ) throws -> Data { throw CryptoKitError.invalidParameter }
        public static func open(_ sealedBox: AES.GCM.SealedBox, using key: SymmetricKey) throws -> Data {
            throw CryptoKitError.invalidParameter
        }
    }
}

public enum ChaChaPoly: Sendable {
    public struct Nonce: ContiguousBytes, Sequence, Sendable {
        public init() {}
        public init<D: DataProtocol>(data: D) throws {}
        public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { fatalError() }
        public func makeIterator() -> Array<UInt8>.Iterator { [].makeIterator() }
    }

    public struct SealedBox: Sendable {
        public var nonce: ChaChaPoly.Nonce { Nonce() }
        public var ciphertext: Data { Data() }
        public var tag: Data { Data() }
        public let combined: Data
        public init<D: DataProtocol>(combined: D) throws { self.combined = Data() }
        public init<C: DataProtocol, T: DataProtocol>(nonce: ChaChaPoly.Nonce, ciphertext: C, tag: T) throws { combined = Data() }
    }

    public static func seal<Plaintext: DataProtocol, AuthenticatedData: DataProtocol>(
        _ message: Plaintext, using key: SymmetricKey, nonce: ChaChaPoly.Nonce? = nil, authenticating authenticatedData: AuthenticatedData
    ) throws -> ChaChaPoly.SealedBox { throw CryptoKitError.invalidParameter }
    public static func seal<Plaintext: DataProtocol>(
        _ message: Plaintext, using key: SymmetricKey, nonce: ChaChaPoly.Nonce? = nil
    ) throws -> ChaChaPoly.SealedBox { throw CryptoKitError.invalidParameter }
    public static func open<AuthenticatedData: DataProtocol>(
        _ sealedBox: ChaChaPoly.SealedBox, using key: SymmetricKey, authenticating authenticatedData: AuthenticatedData
    ) throws -> Data { throw CryptoKitError.invalidParameter }
    public static func open(_ sealedBox: ChaChaPoly.SealedBox, using key: SymmetricKey) throws -> Data {
        throw CryptoKitError.invalidParameter
    }
}
