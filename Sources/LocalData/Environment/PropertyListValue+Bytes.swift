import Foundation

/// As the bytes of a property list file, and as canonical bytes for comparing and digesting.
extension PropertyListValue {
    /// The bytes of a property list file. They differ between equal dictionaries: compare ``canonicalBytes`` instead.
    ///
    /// Binary by default: the XML form keeps only the whole seconds of dates.
    /// - Throws: ``PropertyListValueError`` if it is nested too deeply, Foundation's error if it cannot be written.
    public func encoded(as format: PropertyListSerialization.PropertyListFormat = .binary) throws -> Data {
        try PropertyListSerialization.data(fromPropertyList: propertyList, format: format, options: 0)
    }

    /// The value in a property list file, binary or XML.
    ///
    /// The old text format is refused: nearly any text is one, and would be read as a string.
    /// - Throws: Foundation's error for damaged bytes, ``PropertyListValueError`` for something nested too deeply, or forged to be more than it is.
    public init(encoded data: Data) throws {
        try PropertyListInspection.check(data)
        var format = PropertyListSerialization.PropertyListFormat.binary
        let object = try PropertyListSerialization.propertyList(from: data, options: [], format: &format)
        guard format != .openStep else { throw PropertyListInspection.problem("neither binary nor XML") }
        // Every value takes a byte or more, unless a forged file refers to one container many times over, level upon level.
        try self.init(validating: object, maximumCount: data.count)
    }

    /// Bytes that are equal for equal values, on every system and in every process.
    ///
    /// Each value is a letter for its kind, then its content: numbers as 8 bytes, big-endian; text and data after their length as 8 bytes;
    /// arrays and dictionaries after their count, dictionaries sorted by the UTF-8 bytes of their keys. Every NaN is one NaN, and −0 is 0.
    public var canonicalBytes: Data {
        var bytes = Data()
        appendCanonicalBytes(to: &bytes)
        return bytes
    }

    private func appendCanonicalBytes(to bytes: inout Data) {
        switch self {
        case .string(let string):
            bytes.append(UInt8(ascii: "s"))
            bytes.appendCounted(string.utf8)
        case .bool(let bool):
            bytes.append(UInt8(ascii: bool ? "t" : "f"))
        case .integer(let integer):
            bytes.append(UInt8(ascii: "i"))
            bytes.appendBigEndian(UInt64(bitPattern: integer))
        case .unsigned(let integer):
            bytes.append(UInt8(ascii: integer > UInt64(Int64.max) ? "u" : "i"))
            bytes.appendBigEndian(integer)
        case .real(let double):
            bytes.append(UInt8(ascii: "r"))
            bytes.appendBigEndian(canonicalBits(of: double))
        case .date(let date):
            bytes.append(UInt8(ascii: "d"))
            bytes.appendBigEndian(canonicalBits(of: date.timeIntervalSinceReferenceDate))
        case .data(let data):
            bytes.append(UInt8(ascii: "b"))
            bytes.appendCounted(data)
        case .array(let values):
            bytes.append(UInt8(ascii: "a"))
            bytes.appendBigEndian(UInt64(values.count))
            for value in values { value.appendCanonicalBytes(to: &bytes) }
        case .dictionary(let values):
            bytes.append(UInt8(ascii: "m"))
            bytes.appendBigEndian(UInt64(values.count))
            for (key, value) in values.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
                bytes.appendCounted(key.utf8)
                value.appendCanonicalBytes(to: &bytes)
            }
        }
    }

    private func canonicalBits(of double: Double) -> UInt64 {
        if double.isNaN { return Double.nan.bitPattern }
        return double == 0 ? 0 : double.bitPattern
    }
}

extension Data {
    fileprivate mutating func appendBigEndian(_ integer: UInt64) {
        Swift.withUnsafeBytes(of: integer.bigEndian) { append(contentsOf: $0) }
    }

    fileprivate mutating func appendCounted(_ content: some Collection<UInt8>) {
        appendBigEndian(UInt64(content.count))
        append(contentsOf: content)
    }
}
