import Foundation

/// The byte strings by which a value would be found where it lies unsealed.
enum PlaintextSearch {
    /// Shorter ones would be found by chance.
    static let minimumByteCount = 4

    /// As text, as serialized, and both in Base64.
    static func needles(for value: ScenarioValue, serialized: Data) -> [Data] {
        var plain: [Data] = [serialized]
        switch value {
        case .string(let text): plain.append(Data(text.utf8))
        case .data(let data): plain.append(data)
        default: break
        }
        let encoded = plain.map { Data($0.base64EncodedString().utf8) }
        return (plain + encoded).filter { $0.count >= minimumByteCount }
    }
}
