import DeviceSimCore
import Foundation
import LocalData

/// The byte strings by which a value would be found where it lies unsealed.
package enum PlaintextSearch {
    /// Shorter ones would be found by chance.
    static let minimumByteCount = 4

    /// As text, as serialized, and both in Base64; and what gives a short value away as well, to whoever tries them all: the SHA-256 digests of these,
    /// and of the text as it lies in preferences, as bytes and as hexadecimal digits.
    package static func needles(for value: ScenarioValue, serialized: Data) -> [Data] {
        var plain: [Data] = [serialized]
        var forms = plain
        switch value {
        case .string(let text):
            plain.append(Data(text.utf8))
            forms.append(PropertyListValue.string(text).canonicalBytes)
        case .data(let data): plain.append(data)
        default: break
        }
        let digested = digests(of: (plain + forms).filter { $0.count >= minimumByteCount })
        // What a short one becomes in Base64 is found by chance as well: other bytes end so.
        let found = plain.filter { $0.count >= minimumByteCount }
        let encoded = found.map { $0.base64EncodedString() }
        var escaped = encoded.flatMap(escapes)
        if case .string(let text) = value, text.utf8.count >= minimumByteCount { escaped += escapes(of: text) }
        return found + (encoded + escaped).map { Data($0.utf8) } + digested
    }

    /// The text as JSON writes it within a longer one, with and without a backslash before slashes. Nothing where that is the text itself.
    private static func escapes(of text: String) -> [String] {
        guard let bytes = try? JSONEncoder().encode(text), let notation = String(bytes: bytes, encoding: .utf8), notation.hasPrefix("\"")
        else {
            return []
        }
        let inner = String(notation.dropFirst().dropLast())
        let plain = inner.replacing("\\/", with: "/")
        return [inner, plain == inner ? text : plain].filter { $0 != text }
    }

    /// Those of a short value too: a digest is never found by chance.
    static func digests(of value: ScenarioValue, serialized: Data) -> [Data] {
        guard case .string(let text) = value else { return [] }
        return digests(of: [serialized, Data(text.utf8), PropertyListValue.string(text).canonicalBytes])
    }

    /// As bytes, then as hexadecimal digits.
    private static func digests(of forms: [Data]) -> [Data] {
        let digests = Set(forms).map(SHA256Digest.digest).sorted { $0.lexicographicallyPrecedes($1) }
        return digests + digests.map(hexadecimal)
    }

    private static func hexadecimal(_ digest: Data) -> Data {
        var digits: [UInt8] = []
        digits.reserveCapacity(digest.count * 2)
        for byte in digest {
            digits.append(hexadecimalDigit(byte >> 4))
            digits.append(hexadecimalDigit(byte & 15))
        }
        return Data(digits)
    }

    private static func hexadecimalDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
