import Foundation

/// A message that phone and watch exchange. Its name tells the counterpart what to decode.
public protocol LinkMessage: Codable {
    static var name: String { get }
}

/// How a message travels.
public enum LinkChannel: String, CaseIterable {
    /// At once, to a reachable counterpart.
    case message
    /// The same, as bare data.
    case data
    /// The latest one of its name only, when it suits the system.
    case context
    /// Each one, in order, when it suits the system.
    case userInfo
    /// As a file, for what is too large for the others.
    case file
    /// Urgently, if the complication is on the watch face and the day's budget lasts; otherwise as a user info.
    case complication
}

public enum LinkError: Error {
    case timeout
    case undecodable
    case unsupported
}

/// What both sides write around a message.
struct Envelope: Codable {
    var name: String
    var body: Data
    var id: String
    var sent: Date

    init<Message: LinkMessage>(_ message: Message) throws {
        name = Message.name
        body = try JSONEncoder().encode(message)
        id = UUID().uuidString
        sent = Date()
    }

    init?(_ dictionary: [String: Any]) {
        guard let name = dictionary["name"] as? String, let body = dictionary["body"] as? Data else { return nil }
        self.name = name
        self.body = body
        id = dictionary["id"] as? String ?? ""
        sent = dictionary["sent"] as? Date ?? Date()
    }

    var dictionary: [String: Any] { ["name": name, "body": body, "id": id, "sent": sent] }
}
