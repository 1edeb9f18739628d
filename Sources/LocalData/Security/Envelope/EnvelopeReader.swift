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
