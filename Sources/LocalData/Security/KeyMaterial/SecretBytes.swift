import Foundation

/// Key material in memory of its own, overwritten when it is released, and absent from descriptions, dumps and mirrors.
///
/// Copies that came before (the caller's `Data`) or come after (inside the cryptographic library) are outside its reach.
final class SecretBytes: @unchecked Sendable {
    // Safe to share: the memory is filled once, in the initializer, and only read afterwards.
    private let memory: UnsafeMutableRawBufferPointer

    var count: Int { memory.count }

    /// Memory of `count` bytes that `fill` has written.
    init(count: Int, filledBy fill: (UnsafeMutableRawBufferPointer) throws(CryptographyFailure) -> Void) throws(CryptographyFailure) {
        memory = .allocate(byteCount: count, alignment: 16)
        memory.initializeMemory(as: UInt8.self, repeating: 0)
        try fill(memory)
    }

    init(copying bytes: UnsafeRawBufferPointer) {
        memory = .allocate(byteCount: bytes.count, alignment: 16)
        memory.copyMemory(from: bytes)
    }

    /// Takes over the bytes of `data` and overwrites them there. Where somebody else holds them too, theirs stay as they are.
    static func consuming(_ data: inout Data) -> SecretBytes {
        let secret = data.withUnsafeBytes { SecretBytes(copying: $0) }
        data.wipe()
        return secret
    }

    deinit {
        PlatformCryptography.wipe(memory)
        memory.deallocate()
    }

    func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(memory))
    }
}

extension SecretBytes: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    var description: String { "<\(count) secret bytes>" }
    var debugDescription: String { description }
    var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>(), displayStyle: .class) }
}

extension Data {
    /// Overwrites the bytes and empties the value. Where somebody else holds the bytes too, theirs stay as they are.
    mutating func wipe() {
        withUnsafeMutableBytes { PlatformCryptography.wipe($0) }
        self = Data()
    }
}

extension EntropySource {
    /// Random bytes, and not fewer than asked for: a short answer would weaken keys without anybody noticing.
    func exactly(_ count: Int) throws -> Data {
        let bytes = try bytes(count)
        guard bytes.count == count else {
            throw StorageError(.inputOutput, facts: ["the entropy source gave \(bytes.count) bytes instead of \(count)"])
        }
        return bytes
    }
}
