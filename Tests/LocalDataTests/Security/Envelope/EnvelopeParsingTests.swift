import Foundation
import Testing

@testable import LocalData

@Suite struct EnvelopeParsingTests {
    static let header = EnvelopeHeader(
        cipher: .aes256GCM, derivation: .hkdf(salt: Data([1, 2, 3]), info: Data([4])), keySource: .master(id: "key"),
        nonce: Data(repeating: 7, count: 12))

    /// The bytes of an envelope with a ciphertext of `count` zeros; parsing does not look at what they are.
    static func bytes(_ header: EnvelopeHeader = header, ciphertext count: Int = 5) -> Data {
        var bytes = Data(count: header.encodedLength + count + 16)
        bytes.withUnsafeMutableBytes { header.write(ciphertextLength: count, to: $0) }
        return bytes
    }

    private func failure(_ data: Data) -> EnvelopeError? {
        do {
            _ = try Envelope(parsing: data)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        header,
        EnvelopeHeader(
            cipher: .chacha20Poly1305, derivation: .pbkdf2(salt: Data(), iterations: 600_000), keySource: .external(id: "é"),
            nonce: Data(count: 12)),
        EnvelopeHeader(
            cipher: .chacha20Poly1305, derivation: .hkdf(salt: Data(count: 255), info: Data(count: 1_024)),
            keySource: .external(id: String(repeating: "k", count: 255)), nonce: Data(count: 12)),
        EnvelopeHeader(
            cipher: .aes256GCM, derivation: .pbkdf2(salt: Data(count: 16), iterations: 10_000_000), keySource: .master(id: "\u{FEFF}k"),
            nonce: Data(count: 12)),
    ])
    func whatIsWrittenIsRead(_ header: EnvelopeHeader) throws {
        for count in [0, 1, 300] {
            let parsed = try Envelope(parsing: Self.bytes(header, ciphertext: count))
            #expect(parsed.header == header)
            #expect(parsed.headerLength == header.encodedLength)
            #expect(parsed.ciphertextLength == count)
        }
    }

    @Test func slicesAreReadFromTheirOwnStart() throws {
        let padded = Data([0xEE, 0xEE]) + Self.bytes()
        #expect(try Envelope(parsing: padded.dropFirst(2)).header == Self.header)
    }

    @Test func everyTruncationIsCorrupt() {
        let whole = Self.bytes()
        for length in 1..<whole.count {
            guard case .truncated(let expected, let found)? = failure(whole.prefix(length)) else {
                Issue.record("\(length) bytes: \(String(describing: failure(whole.prefix(length))))")
                continue
            }
            #expect(expected > length && found == length)
        }
        #expect(failure(Data()) == .notAnEnvelope)
    }

    @Test func nothingMayFollow() {
        #expect(failure(Self.bytes() + [0]) == .trailingBytes(1))
    }

    @Test(arguments: ["{}", "bplist00", "\"text\"", "LDE\u{1}", "89LDE"])
    func otherFormatsAreNotEnvelopes(_ text: String) {
        #expect(failure(Data(text.utf8)) == .notAnEnvelope)
        #expect(!Envelope.isClaimed(by: Data(text.utf8)))
        #expect(Envelope.isClaimed(by: Self.bytes()))
    }

    @Test(arguments: [(4, "version"), (5, "cipher"), (6, "derivation"), (7, "key source")])
    func unknownNumbersAreUnsupported(_ offset: Int, _ field: String) {
        for value: UInt8 in [0, 3, 0xFF] {
            var bytes = Self.bytes()
            bytes[offset] = value
            #expect(failure(bytes) == .unknown(field: field, value: value))
            let isNewer = field == "version" && value > EnvelopeFormat.newestVersion
            #expect(failure(bytes)?.storageError.code == (isNewer ? .superseded : .unsupportedFormat))
        }
    }

    @Test func aNewerVersionSupersedesThisAppWhateverFollows() {
        #expect(failure(Data(EnvelopeFormat.magic + [EnvelopeFormat.newestVersion + 1]))?.storageError.code == .superseded)
    }

    @Test(arguments: [UInt32(0), 1, 999, 10_000_001, .max])
    func iterationsOutOfBoundsAreCorrupt(_ iterations: UInt32) {
        var header = Self.header
        header.derivation = .pbkdf2(salt: Data(), iterations: iterations)
        #expect(failure(Self.bytes(header))?.storageError.code == .corrupt)
    }

    @Test func fieldsOfTheOtherDerivationMustBeZero() {
        var hkdf = Self.bytes()
        hkdf[11] = 1
        #expect(failure(hkdf)?.storageError.code == .corrupt)
        var pbkdf2 = Self.bytes()
        pbkdf2[6] = 2
        pbkdf2[10] = 0x10
        #expect(failure(pbkdf2) == .invalid("PBKDF2 with 1 bytes of info"))
    }

    @Test func lengthsOutOfBoundsAreCorruptBeforeAnythingIsAllocated() {
        var noKey = Self.bytes()
        noKey[12] = 0
        #expect(failure(noKey)?.storageError.code == .corrupt)
        var longInfo = Self.bytes(ciphertext: 70_000)
        longInfo[14] = 0xFF
        #expect(failure(longInfo)?.storageError.code == .corrupt)
        var huge = Self.bytes()
        huge[16] = 0xFF
        #expect(failure(huge)?.storageError.code == .corrupt)
    }

    @Test func keyIDsMustBeText() {
        var bytes = Self.bytes()
        bytes[20] = 0xFF
        #expect(failure(bytes) == .invalid("the envelope's key id is not text"))
    }

    /// Ten thousand inputs that begin like an envelope and go on as they like: all answered, none crashes.
    @Test func arbitraryBytesNeverCrash() {
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        func next() -> UInt64 {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return state
        }
        var parsed = 0
        for _ in 0..<10_000 {
            var bytes = Self.bytes()
            for _ in 0..<next() % 6 { bytes[Int(next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: next()) }
            if next() % 3 == 0 { bytes = bytes.prefix(Int(next() % UInt64(bytes.count + 1))) }
            if (try? Envelope(parsing: bytes)) != nil { parsed += 1 }
        }
        #expect(parsed > 1_000 && parsed < 10_000)
    }
}
