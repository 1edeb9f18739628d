import Foundation

/// Takes fields off the front of bytes, and fails where they end early.
struct EnvelopeReader {
    private let data: Data
    /// How many bytes have been taken.
    private(set) var offset = 0

    init(_ data: Data) {
        self.data = data
    }

    mutating func magic() throws(EnvelopeError) {
        guard data.count >= EnvelopeFormat.magic.count else {
            // The beginning of the magic and nothing more is what a torn write leaves.
            let isBeginning = !data.isEmpty && EnvelopeFormat.magic.starts(with: data)
            throw isBeginning ? .truncated(expected: EnvelopeFormat.fixedLength, found: data.count) : .notAnEnvelope
        }
        guard Envelope.isClaimed(by: data) else { throw .notAnEnvelope }
        offset = EnvelopeFormat.magic.count
    }

    /// A big-endian integer.
    mutating func integer<Integer: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
        _ type: Integer.Type
    ) throws(EnvelopeError) -> Integer {
        let start = try take(MemoryLayout<Integer>.size)
        return Integer(bigEndian: data.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: start, as: Integer.self) })
    }

    mutating func bytes(_ count: Int) throws(EnvelopeError) -> Data {
        let start = data.startIndex + (try take(count))
        return data.subdata(in: start..<start + count)
    }

    mutating func text(_ count: Int) throws(EnvelopeError) -> String? {
        let start = try take(count)
        return data.withUnsafeBytes { bytes in
            // Lossy decoding and a comparison: the failing initializer needs a newer system, and Foundation's drops a byte order mark.
            let field = UnsafeRawBufferPointer(rebasing: bytes[start..<start + count])
            let text = String(decoding: field, as: UTF8.self)
            return text.utf8.elementsEqual(field) ? text : nil
        }
    }

    /// - Returns: where the field begins, counted from the front of the data.
    private mutating func take(_ count: Int) throws(EnvelopeError) -> Int {
        guard data.count - offset >= count else { throw .truncated(expected: offset + count, found: data.count) }
        defer { offset += count }
        return offset
    }
}

/// What stands before the ciphertext of an envelope: enough to tell what sealed it.
struct EnvelopePrefix: Sendable, Hashable {
    let header: EnvelopeHeader
    /// The bytes before the ciphertext, which are authenticated.
    let length: Int
    let ciphertextLength: Int

    /// Reads and checks the header. `data` may end anywhere after it.
    init(parsing data: Data) throws(EnvelopeError) {
        var reader = EnvelopeReader(data)
        try reader.magic()
        let versionNumber = try reader.integer(UInt8.self)
        guard let version = EnvelopeFormat.Version(rawValue: versionNumber) else {
            throw .unknown(field: "version", value: versionNumber)
        }
        let cipherNumber = try reader.integer(UInt8.self)
        guard let cipher = AEADCipher(rawValue: cipherNumber) else { throw .unknown(field: "cipher", value: cipherNumber) }
        let derivationNumber = try reader.integer(UInt8.self)
        guard let derivation = EnvelopeFormat.Derivation(rawValue: derivationNumber) else {
            throw .unknown(field: "derivation", value: derivationNumber)
        }
        let sourceNumber = try reader.integer(UInt8.self)
        guard let source = EnvelopeFormat.KeySource(rawValue: sourceNumber) else {
            throw .unknown(field: "key source", value: sourceNumber)
        }
        let iterations = try reader.integer(UInt32.self)
        let keyIDLength = Int(try reader.integer(UInt8.self))
        let saltLength = Int(try reader.integer(UInt8.self))
        let infoLength = Int(try reader.integer(UInt16.self))
        let ciphertextCount = try reader.integer(UInt32.self)
        // Bounded before it becomes an `Int`, which has 32 bits on a watch.
        guard ciphertextCount <= UInt32(Cryptography.maximumPlaintextLength) else {
            throw .invalid("a ciphertext of \(ciphertextCount) bytes")
        }
        ciphertextLength = Int(ciphertextCount)

        guard let id = try reader.text(keyIDLength) else { throw .invalid("the envelope's key id is not text") }
        let salt = try reader.bytes(saltLength)
        let info = try reader.bytes(infoLength)
        let nonce = try reader.bytes(AEADCipher.nonceLength)
        header = EnvelopeHeader(
            cipher: cipher,
            derivation: derivation == .hkdf ? .hkdf(salt: salt, info: info) : .pbkdf2(salt: salt, iterations: iterations),
            keySource: source == .master ? .master(id: id) : .external(id: id),
            nonce: nonce,
            version: version)
        length = reader.offset
        switch derivation {
        case .hkdf: guard iterations == 0 else { throw .invalid("HKDF with \(iterations) iterations") }
        case .pbkdf2: guard infoLength == 0 else { throw .invalid("PBKDF2 with \(infoLength) bytes of info") }
        }
        try header.check()
    }
}

extension EnvelopeHeader {
    /// Whether the fields fit the format. Holds for reading and for writing.
    func check() throws(EnvelopeError) {
        try keySource.check()
        guard nonce.count == AEADCipher.nonceLength else { throw .invalid("a nonce of \(nonce.count) bytes") }
        try derivation.check()
    }
}

extension EnvelopeKeySource {
    func check() throws(EnvelopeError) {
        let length = id.utf8.count
        guard (1...EnvelopeFormat.maximumKeyIDLength).contains(length) else {
            throw .invalid("a key id of \(length) bytes, not 1…\(EnvelopeFormat.maximumKeyIDLength)")
        }
    }
}

extension EnvelopeDerivation {
    func check() throws(EnvelopeError) {
        switch self {
        case .hkdf(let salt, let info):
            try checkSalt(salt)
            guard info.count <= EnvelopeFormat.maximumInfoLength else {
                throw .invalid("an info of \(info.count) bytes, more than \(EnvelopeFormat.maximumInfoLength)")
            }
        case .pbkdf2(let salt, let iterations):
            try checkSalt(salt)
            guard EnvelopeFormat.iterations.contains(iterations) else {
                let range = EnvelopeFormat.iterations
                throw .invalid("\(iterations) iterations of PBKDF2, not \(range.lowerBound)…\(range.upperBound)")
            }
        }
    }

    private func checkSalt(_ salt: Data) throws(EnvelopeError) {
        guard salt.count <= EnvelopeFormat.maximumSaltLength else {
            throw .invalid("a salt of \(salt.count) bytes, more than \(EnvelopeFormat.maximumSaltLength)")
        }
    }
}
