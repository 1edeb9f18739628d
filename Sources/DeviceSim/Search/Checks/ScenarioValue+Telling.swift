import DeviceSimCore
import DeviceSimLanguage
import Foundation
import LocalData

extension ScenarioValue {
    /// Whether the other value can be read in this one: in any of the forms in which it would be looked for.
    func tells(_ other: ScenarioValue) -> Bool {
        if isSame(as: other) { return true }
        return switch (self, other) {
        case (.array(let elements), _): elements.contains { $0.tells(other) }
        case (.object(let members), _): members.values.contains { $0.tells(other) }
        case (.string(let text), .string(let part)): !part.isEmpty && text.contains(part)
        case (.string(let text), .data(let part)):
            !part.isEmpty && (Data(text.utf8).holds(part) || text.contains(part.base64EncodedString()) || text.contains(other.notation))
        case (.string(let text), _): text.contains(other.notation)
        case (.data(let bytes), .data(let part)):
            !part.isEmpty && (bytes.holds(part) || bytes.holds(Data(part.base64EncodedString().utf8)))
        case (.data(let bytes), .string(let part)): !part.isEmpty && bytes.holds(Data(part.utf8))
        case (.data(let bytes), _): bytes.holds(Data(other.notation.utf8))
        default: false
        }
    }
}

extension ScenarioValue {
    /// Whether it is bytes that begin like a sealed value.
    var looksSealed: Bool {
        if case .data(let bytes) = self { bytes.starts(with: EnvelopeFormat.magic) } else { false }
    }
}

extension ScenarioValue {
    /// Whether a value takes more than a fair share of what can be sent at once.
    var isLarge: Bool { roughByteCount > 16_384 }

    private var roughByteCount: Int {
        switch self {
        case .string(let text): text.utf8.count
        case .data(let bytes): bytes.count
        case .array(let elements): elements.reduce(0) { $0 + $1.roughByteCount }
        case .object(let members): members.reduce(0) { $0 + $1.key.utf8.count + $1.value.roughByteCount }
        default: notation.utf8.count
        }
    }

    /// Whether a session may refuse it as a payload, or as a part of one: for its size, or for what no property list holds (W102, W103).
    var mayBeRefused: Bool { isLarge || hasUnsupportedTypes }

    private var hasUnsupportedTypes: Bool {
        switch self {
        case .null, .url, .uuid: true
        case .array(let elements): elements.contains { $0.hasUnsupportedTypes }
        case .object(let members): members.values.contains { $0.hasUnsupportedTypes }
        default: false
        }
    }
}

extension ScenarioValue {
    /// False for a number that an `Int` of 32 bits cannot hold, and for what has one.
    var fits32Bits: Bool {
        switch self {
        case .integer(let number): Int32(exactly: number) != nil
        case .unsigned: false
        case .array(let elements): elements.allSatisfy(\.fits32Bits)
        case .object(let members): members.allSatisfy(\.value.fits32Bits)
        default: true
        }
    }
}
