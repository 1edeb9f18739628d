import Foundation

/// What two builds of the tool say to each other: one line of JSON for each message, over the standard input and output of `pairsim account`.
enum AccountTalk {
    /// The first line of an answer: who answers.
    struct Greeting: Codable {
        /// Of these messages. Another one is not understood.
        var accounts = AccountTalk.version
        /// The version of the tool.
        var pairsim: String
    }

    /// Asks what a scenario comes to.
    struct Question: Codable {
        let scenario: String
        /// False where only the fingerprint is asked for.
        let isWhole: Bool
    }

    /// What it comes to; without an account where that cannot be said.
    struct Answer: Codable {
        var account: RunAccount?
    }

    static let version = 2
    /// More than this no message has: a scenario file has at most 4 MiB, and a run's events are not many more.
    static let lineLimit = 256 << 20

    static func line(_ message: some Encodable) -> [UInt8]? {
        (try? JSONEncoder().encode(message)).map { Array($0) + [UInt8(ascii: "\n")] }
    }

    static func message<Message: Decodable>(_ type: Message.Type, in line: [UInt8]) -> Message? {
        try? JSONDecoder().decode(type, from: Data(line))
    }
}

/// Cuts bytes as they arrive into lines.
struct LineFraming {
    private var buffer: [UInt8] = []
    private var searched = 0

    /// The next line without its end, of what has arrived so far.
    mutating func next() -> [UInt8]? {
        guard let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
            searched = buffer.count
            return nil
        }
        let line = Array(buffer[..<end])
        buffer.removeFirst(end + 1)
        searched = 0
        return line
    }

    mutating func take(_ bytes: [UInt8]) { buffer += bytes }

    var byteCount: Int { buffer.count }
}
