import Foundation

/// A parsed envelope: its header, and where in its bytes the rest is.
struct Envelope: Sendable, Hashable {
    let header: EnvelopeHeader
    /// The bytes before the ciphertext, which are authenticated.
    let headerLength: Int
    let ciphertextLength: Int

    /// Reads the header and checks every length; the cipher has the last word on the content.
    init(parsing data: Data) throws(EnvelopeError) {
        let front = try EnvelopePrefix(parsing: data)
        header = front.header
        headerLength = front.length
        ciphertextLength = front.ciphertextLength
        let expected = headerLength + ciphertextLength + AEADCipher.tagLength
        guard data.count >= expected else { throw .truncated(expected: expected, found: data.count) }
        guard data.count == expected else { throw .trailingBytes(data.count - expected) }
    }

    /// Whether bytes claim to be an envelope of whatever version.
    static func isClaimed(by data: Data) -> Bool {
        data.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) in bytes.starts(with: EnvelopeFormat.magic) }
    }
}
