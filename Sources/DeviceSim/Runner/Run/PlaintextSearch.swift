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
        let encoded = plain.map { Data($0.base64EncodedString().utf8) }
        let digested = Set((plain + forms).filter { $0.count >= minimumByteCount })
        let digests = digested.map(SHA256Digest.digest).sorted { $0.lexicographicallyPrecedes($1) }
        let digits = digests.map { Data($0.flatMap { [hexadecimalDigit($0 >> 4), hexadecimalDigit($0 & 15)] }) }
        return (plain + encoded).filter { $0.count >= minimumByteCount } + digests + digits
    }

    private static func hexadecimalDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
