import DeviceSimCore
import DeviceSimLanguage
import Foundation
import LocalData

/// Looks for one value on a device, wherever it lies readable: as a part of bytes, and as a whole value of what can be read: preferences, property lists,
/// JSON, text, and one of these within another.
///
/// A long text is found as a part of anything, also of names of files and preferences. A short one, a number or a date would be found by chance so; these are found where they are a value of their own.
package struct ReadableValueSearch {
    private let value: ScenarioValue
    /// Byte strings that nothing else has in it.
    private let needles: [Data]
    /// The value as it may stand in property lists and in JSON.
    private let forms: [ScenarioValue]
    /// The value as it may stand as a text.
    private let texts: Set<String>
    /// What is found as a part of any text that was read, and of the names in it.
    private let parts: [Data]
    /// A short text as it stands in quotation marks within another.
    private let quoted: String?

    /// How much there must be of a number, or of other things that are no text.
    fileprivate static let minimumWeight = 4
    private static let maximumDepth = 8

    package init(_ value: ScenarioValue, serialized: Data) {
        self.value = value
        let all = PlaintextSearch.needles(for: value, serialized: serialized)
        // The digits of a number are also those of a longer one, and a short text in quotation marks is also the name of a field.
        let stands = value.isNumber || value.isShortText
        needles = (stands ? all.filter { $0 != serialized } : all) + PlaintextSearch.digests(of: value, serialized: serialized)
        quoted = value.isShortText ? String(bytes: serialized, encoding: .utf8).flatMap { $0.hasPrefix("\"") ? $0 : nil } : nil
        let decoded = (try? JSONDecoder().decode(AnyCodable.self, from: serialized))?.scenarioValue
        forms = [value] + (decoded.map { [$0] } ?? [])
        var texts: Set<String> = [serialized.base64EncodedString()]
        if let text = String(bytes: serialized, encoding: .utf8) { texts.insert(text) }
        if case .string(let text) = value { texts.formUnion([text, Data(text.utf8).base64EncodedString()]) }
        self.texts = texts
        parts = stands ? [] : Self.parts(of: value, decoded: decoded)
    }

    /// A text that is not short, or what the value is written as in one; and its Base64.
    private static func parts(of value: ScenarioValue, decoded: ScenarioValue?) -> [Data] {
        var parts: [Data] = []
        switch value {
        case .string(let text): parts = [Data(text.utf8)]
        case .data(let bytes): return bytes.count < minimumWeight ? [] : [Data(bytes.base64EncodedString().utf8)]
        default: if case .string(let text)? = decoded { parts = [Data(text.utf8)] }
        }
        parts.removeAll { $0.count < minimumWeight }
        return parts + parts.map { Data($0.base64EncodedString().utf8) }
    }

    /// Why nothing can be said of the value; `nil` where something can.
    /// - Parameter places: What places of values are called, which is written down on a device.
    package func refusal(places: [String]) -> String? {
        let least = Self.minimumWeight
        switch value {
        case .string(let text):
            if text.isEmpty { return "it is an empty text, which is everywhere; give the key another value" }
            guard text.utf8.count >= least else {
                // It is looked for where it is a value of its own, as names of keys are in LocalData's records.
                return places.contains(text) ? "it is the name of a key, and those are no secret; give the key another value" : nil
            }
            if places.contains(where: { $0.contains(text) }) {
                return
                    "it is a part of the name of a key, or of a place where a value lies, and those are no secret; give the key another value"
            }
            guard BookkeepingWords.hold(text) else { return nil }
            return "it is a part of a word that LocalData writes into records of its own, whatever the value; give the key another value"
        case .data(let bytes): return bytes.count < least ? "it has fewer than \(least) bytes; give the key a longer one" : nil
        case .bool, .null: return "`true`, `false` and `null` are everywhere; give the key a longer value of another type"
        default:
            guard value.weight < least else { return nil }
            return "it has fewer than \(least) digits and letters, and such values are everywhere; give the key a longer one"
        }
    }

    /// The first place that has it and may not.
    package func place(in device: Device, isAllowed: (String) -> Bool) throws -> String? {
        for needle in needles {
            if let place = try device.storage.places(containing: needle).first(where: { !isAllowed($0) }) { return place }
        }
        var preferences = try device.storage.storedPreferences()[...]
        for thing in try device.storage.storedThings() {
            let place = "\(thing.kind.rawValue) \(thing.name)"
            // They come in the same order.
            let preference = thing.kind == .preference ? preferences.popFirst() : nil
            guard !isAllowed(place) else { continue }
            if thing.kind == .file ? isInPath(thing.name) : preference.map({ isInKey($0.key) }) ?? false { return place }
            if preference.map({ occurs(in: ScenarioValue($0.value)) }) ?? occurs(in: thing.bytes) { return place }
        }
        for (path, content) in device.daemon.heldFiles where !isAllowed("file \(path)") {
            switch content {
            case .file(let bytes):
                if needles.contains(where: bytes.holds) || occurs(in: bytes) { return "file \(path)" }
            case .list(let fields):
                // LocalData's own entry has the values of synced keys, opened: that is how they travel.
                let list = ScenarioValue.object(fields.mapValues(ScenarioValue.init)).withoutEntries(SyncSnapshot.entryKey)
                if occurs(in: list) || needles.contains(where: list.holds) { return "file \(path)" }
            }
        }
        return nil
    }

    // MARK: Names

    /// The folders that every app has, and those of the session and of apps of scenarios.
    private static let commonFolders: Set<Substring> = [
        "AppGroup", "Application Support", "Caches", "Documents", "Inbox", "Library", "Received", "Widget", "com.apple.watchconnectivity",
        "tmp",
        "watch", "watch2",
    ]

    /// Whether a folder or a file is called so, of those that the app names: what LocalData calls its own says nothing of a value.
    private func isInPath(_ path: String) -> Bool {
        guard !parts.isEmpty else { return false }
        let names = path.split(separator: "/").prefix { $0 != "LocalData" }
        return names.contains { !Self.commonFolders.contains($0) && holdsPart(String($0)) }
    }

    private func isInKey(_ key: String) -> Bool { !key.hasPrefix("com.localdata.") && holdsPart(key) }

    private func holdsPart(_ text: String) -> Bool {
        guard !parts.isEmpty else { return false }
        let bytes = Data(text.utf8)
        return parts.contains(where: bytes.holds)
    }

    // MARK: Reading

    private func occurs(in bytes: Data, depth: Int = 0) -> Bool {
        guard depth < Self.maximumDepth, !bytes.isEmpty else { return false }
        if case .data(let wanted) = value, wanted == bytes { return true }
        if bytes.starts(with: Data("bplist".utf8)) || bytes.first == UInt8(ascii: "<"), let list = try? PropertyListValue(encoded: bytes) {
            return occurs(in: ScenarioValue(list), depth: depth + 1)
        }
        guard let text = String(bytes: bytes, encoding: .utf8) else { return false }
        return occurs(in: text, depth: depth)
    }

    private func occurs(in text: String, depth: Int) -> Bool {
        if holdsPart(text) { return true }
        if texts.contains(text) || text.mayHaveOuterWhitespace && texts.contains(text.trimmingWhitespace) { return true }
        if let first = text.utf8.first(where: { !" \t\r\n".utf8.contains($0) }), "{[\"".utf8.contains(first), depth < Self.maximumDepth,
            let json = try? JSONDecoder().decode(AnyCodable.self, from: Data(text.utf8)).scenarioValue
        {
            return occurs(in: json, depth: depth + 1)
        }
        if let quoted, text.ranges(of: quoted).contains(where: { text[$0.upperBound...].first { !$0.isWhitespace } != ":" }) { return true }
        // In a sentence, or beside a name.
        return value.isNumber && TextMask.replacing(value.notation, in: text, by: "") != text
    }

    private func occurs(in found: ScenarioValue, depth: Int = 0) -> Bool {
        if forms.contains(where: { $0.isSame(as: found) }) { return true }
        guard depth < Self.maximumDepth else { return false }
        return switch found {
        case .string(let text): occurs(in: text, depth: depth + 1)
        case .data(let bytes): occurs(in: bytes, depth: depth + 1)
        case .array(let elements): elements.contains { occurs(in: $0, depth: depth + 1) }
        case .object(let members): members.contains { holdsPart($0.key) || occurs(in: $0.value, depth: depth + 1) }
        case .null, .bool, .integer, .unsigned, .double, .date, .url, .uuid: false
        }
    }
}

extension ScenarioValue {
    fileprivate var isNumber: Bool {
        switch self {
        case .integer, .unsigned, .double: true
        default: false
        }
    }

    /// Whether it is a text that would be found by chance as a part of others.
    fileprivate var isShortText: Bool {
        if case .string(let text) = self { text.utf8.count < ReadableValueSearch.minimumWeight } else { false }
    }

    /// How much tells it from other values: its letters, digits and bytes.
    fileprivate var weight: Int {
        switch self {
        case .null, .bool: 0
        case .integer, .unsigned, .double: notation.count { $0.isNumber }
        case .string(let text): text.utf8.count
        case .data(let bytes): bytes.count
        case .date, .url, .uuid: 8
        case .array(let elements): elements.reduce(0) { $0 + $1.weight }
        case .object(let members): members.values.reduce(0) { $0 + $1.weight }
        }
    }

    fileprivate func withoutEntries(_ name: String) -> ScenarioValue {
        guard case .object(let members) = self else { return self }
        return .object(members.filter { $0.key != name }.mapValues { $0.withoutEntries(name) })
    }

    /// Whether the byte string is a part of a text or of bytes in it.
    fileprivate func holds(_ needle: Data) -> Bool {
        switch self {
        case .string(let text): Data(text.utf8).holds(needle)
        case .data(let bytes): bytes.holds(needle)
        case .array(let elements): elements.contains { $0.holds(needle) }
        case .object(let members): members.contains { Data($0.key.utf8).holds(needle) || $0.value.holds(needle) }
        case .null, .bool, .integer, .unsigned, .double, .date, .url, .uuid: false
        }
    }
}

extension String {
    /// False where the first character and the last are of ASCII and none that is trimmed, which is seen at their bytes.
    fileprivate var mayHaveOuterWhitespace: Bool {
        guard let first = utf8.first, let last = utf8.last else { return false }
        return !(0x21...0x7E).contains(first) || !(0x21...0x7E).contains(last)
    }

    fileprivate var trimmingWhitespace: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}
