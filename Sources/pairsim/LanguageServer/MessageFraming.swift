/// Cuts what a client of the Language Server Protocol sends into messages: headers, an empty line, and as many bytes as `Content-Length` says.
///
/// What is no such thing is passed over up to the next header that can be read, and reported; nothing that arrives makes it stop.
struct MessageFraming {
    enum Frame: Equatable {
        case body([UInt8])
        /// Something could not be read.
        case garbage(String)
    }

    /// More than this no message has: a scenario file has at most 4 MiB, which escapes may make longer.
    static let bodyLimit = 64 << 20
    static let headerLimit = 8_192

    private var buffer: [UInt8] = []
    private var position = 0

    mutating func take(_ bytes: [UInt8]) -> [Frame] {
        buffer += bytes
        var frames: [Frame] = []
        while let frame = next() { frames.append(frame) }
        if position > 0 {
            buffer.removeFirst(position)
            position = 0
        }
        return frames
    }

    private mutating func next() -> Frame? {
        let rest = buffer[position...]
        guard !rest.isEmpty else { return nil }
        guard let (end, bodyStart) = Self.endOfHeaders(rest.prefix(Self.headerLimit)) else {
            guard rest.count >= Self.headerLimit else { return nil }
            position = buffer.count
            return .garbage("the headers have no end")
        }
        let headers = String(decoding: rest[..<end], as: UTF8.self)
        guard let length = Self.contentLength(headers) else {
            position = bodyStart
            return .garbage("a message without Content-Length")
        }
        guard length <= Self.bodyLimit else {
            position = bodyStart
            return .garbage("a message of \(length) bytes")
        }
        guard buffer.count - bodyStart >= length else { return nil }
        position = bodyStart + length
        return .body(Array(buffer[bodyStart..<position]))
    }

    /// Where the empty line begins, and where what follows it does. Lines may end with a line feed alone.
    private static func endOfHeaders(_ bytes: ArraySlice<UInt8>) -> (end: Int, bodyStart: Int)? {
        let (lineFeed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
        for index in bytes.indices where bytes[index] == lineFeed {
            if index + 1 < bytes.endIndex, bytes[index + 1] == lineFeed { return (index, index + 2) }
            if index + 2 < bytes.endIndex, bytes[index + 1] == carriageReturn, bytes[index + 2] == lineFeed { return (index, index + 3) }
        }
        return nil
    }

    private static func contentLength(_ headers: String) -> Int? {
        for line in headers.split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, parts[0].trimmingWhitespace.lowercased() == "content-length" else { continue }
            guard let length = Int(parts[1].trimmingWhitespace), length >= 0 else { return nil }
            return length
        }
        return nil
    }

    /// A message as it is sent.
    static func framed(_ message: JSONValue) -> String {
        let body = message.renderedLine()
        return "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }
}
