import Foundation

/// Upper bounds of the size of property lists in Apple's binary format, without writing one.
///
/// An object costs a marker byte, a length of up to 9 bytes, its content, up to 4 bytes in the offset table and 4 for each reference to it.
enum PayloadSize {
    static let overhead = 18
    /// The file's header and trailer.
    static let envelope = 8 + 32

    static func string(_ string: String) -> Int {
        let utf8 = string.utf8.count
        // ASCII is stored as it is, everything else as UTF-16.
        return overhead + (utf8 == string.utf16.count ? utf8 : 2 * string.utf16.count)
    }

    static func data(_ data: Data) -> Int { overhead + data.count }

    /// An upper bound for anything that a context may hold. Things that it may not hold count little: the session refuses them anyway (W102).
    static func any(_ value: Any) -> Int {
        switch value {
        case let text as String: string(text)
        case let bytes as Data: data(bytes)
        case let values as [Any]: values.reduce(overhead) { $0 + any($1) }
        case let values as [String: Any]: dictionary(values)
        default: overhead + 16
        }
    }

    static func dictionary(_ values: [String: Any]) -> Int {
        values.reduce(overhead) { $0 + string($1.key) + any($1.value) }
    }
}
