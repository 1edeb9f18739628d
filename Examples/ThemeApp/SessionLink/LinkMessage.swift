import Foundation

/// A message that phone and watch exchange. Its name tells the counterpart what to decode.
public protocol LinkMessage: Codable {
    static var name: String { get }
}

/// What both sides write around a message.
enum Envelope {
    static func dictionary<Message: LinkMessage>(of message: Message) throws -> [String: Any] {
        ["name": Message.name, "body": try JSONEncoder().encode(message), "id": UUID().uuidString]
    }

    static func name(in dictionary: [String: Any]) -> String? {
        dictionary["name"] as? String
    }

    static func body(in dictionary: [String: Any]) -> Data? {
        dictionary["body"] as? Data
    }
}
