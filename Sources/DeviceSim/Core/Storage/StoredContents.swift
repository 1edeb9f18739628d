import Foundation

/// The bytes that lie on a device at one moment, gathered once so that many byte strings can be looked for.
///
/// Nothing is decoded: what is stored as text is found as UTF-8.
package struct StoredContents {
    /// Where the bytes are, such as `file Documents/x`, `preference com.example.app key`, `keychain service/account`.
    private(set) var entries: [(place: String, bytes: Data)] = []

    mutating func add(_ bytes: Data, at place: String) {
        if !bytes.isEmpty { entries.append((place, bytes)) }
    }

    package func adding(_ bytes: Data, at place: String) -> StoredContents {
        var contents = self
        contents.add(bytes, at: place)
        return contents
    }

    /// Each place that holds the byte string, once, in the order in which they were added.
    package func places(containing needle: Data) -> [String] {
        guard !needle.isEmpty else { return [] }
        var places: [String] = []
        for (place, bytes) in entries where places.last != place && bytes.holds(needle) { places.append(place) }
        return places
    }
}

extension Data {
    /// Whether a byte string occurs in it. Searches are where checked runs spent a quarter of their time with Foundation's `range(of:)`.
    package func holds(_ needle: Data) -> Bool {
        guard needle.count <= count else { return false }
        return withUnsafeBytes { bytes in
            needle.withUnsafeBytes { needle in
                guard var place = bytes.baseAddress, let wanted = needle.baseAddress, let first = needle.first else { return true }
                let last = place + (bytes.count - needle.count)
                while place <= last, let next = memchr(place, Int32(first), place.distance(to: last) + 1) {
                    if memcmp(next, wanted, needle.count) == 0 { return true }
                    place = UnsafeRawPointer(next) + 1
                }
                return false
            }
        }
    }
}
