import Foundation

/// Called as one of Foundation's types is: in this module the name means this one.
public struct Operation: Codable, Sendable {
    public let name: String
    public let date: Date

    public init(name: String, date: Date = Foundation.Date()) {
        self.name = name
        self.date = date
    }
}

public enum Place {
    #if os(iOS)
        public static let name = "phone"
    #else
        public static let name = "watch"
    #endif
    public static var stored: Foundation.UserDefaults { Foundation.UserDefaults.standard }
}
