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
        guard data.starts(with: EnvelopeFormat.magic) else {
            // The beginning of the magic and nothing more is what a torn write leaves.
            let isBeginning = !data.isEmpty && EnvelopeFormat.magic.starts(with: data)
            throw isBeginning ? .truncated(expected: EnvelopeFormat.fixedLength, found: data.count) : .notAnEnvelope
        }
        offset = EnvelopeFormat.magic.count
    }

    mutating func byte() throws(EnvelopeError) -> UInt8 {
        UInt8(truncatingIfNeeded: try integer(bytes: 1))
    }

    mutating func integer(bytes count: Int) throws(EnvelopeError) -> UInt32 {
        var value: UInt32 = 0
        for index in try take(count) { value = value << 8 | UInt32(data[index]) }
        return value
    }

    mutating func bytes(_ count: Int) throws(EnvelopeError) -> Data {
        data.subdata(in: try take(count))
    }

    private mutating func take(_ count: Int) throws(EnvelopeError) -> Range<Int> {
        guard data.count - offset >= count else { throw .truncated(expected: offset + count, found: data.count) }
        defer { offset += count }
        let start = data.startIndex + offset
        return start..<start + count
    }
}
