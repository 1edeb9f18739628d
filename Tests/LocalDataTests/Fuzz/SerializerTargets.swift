import Foundation
import FuzzSupport

@testable import LocalData

/// Serialized values.
enum SerializerTargets {
    static var all: [FuzzTarget] { [mixedJSON, mixedPropertyList, plainJSON, typed] }

    static let texts: [[UInt8]] = [
        #""dark""#, "42", "-7", "true", "null", "0.1", #"{"a":1,"b":[true,null,"x"],"c":{"$date":12.5},"d":{"$data":"AQI="}}"#,
        #"{"$object":{"=$x":1,"=$object":{"$double":1}}}"#, #"[{"$special":"nan"},{"$string":"=$x"},18446744073709551615,1e3]"#,
        #"{"name":"n","count":3,"flags":[true],"date":700000000.5,"blob":"AQID","next":{"name":"m","count":-1,"flags":[]}}"#,
        "\"\\u00e9\\n\\ud83d\\ude00\"",
    ].map { Array($0.utf8) }

    static let words = [
        #"{"$object":"#, #"{"$string":"#, #"{"$data":"#, #"{"$date":"#, #"{"$special":"#, "{", "}", "[", "]", ":", ",", "\"", "\\u",
        "\\ud83d", "null",
        "e400", "-", "=$", "$null", "com.localdata.value",
    ].map { Array($0.utf8) }

    /// Deep and repetitive texts, which changed bytes hardly become.
    @Sendable static func forged(_ random: inout FuzzGenerator) -> [UInt8] {
        let (open, close) = random.element(of: [("[", "]"), (#"{"$object":"#, "}"), (#"{"a":"#, "}"), (#"{"$data":"#, "}"), ("[[],", "]")])
        let depth = random.below(random.below(4) == 0 ? 4_000 : 300)
        let leaf = String(decoding: random.element(of: texts), as: UTF8.self)
        return Array((String(repeating: open, count: depth) + leaf + String(repeating: close, count: depth)).utf8)
    }

    private static let mixedJSON = FuzzTarget(
        "mixed-json", seeds: texts, words: words, share: 100, make: forged, promises: isOfCoding
    ) { try check($0, by: Serializer<AnyCodable>.json) }

    private static let mixedPropertyList = FuzzTarget(
        "mixed-property-list", seeds: PropertyListTargets.nodes.map(\.binary) + PropertyListTargets.nodes.map(\.xml),
        words: PropertyListTargets.words, share: 60, make: PropertyListTargets.forged, promises: isOfCoding
    ) { try check($0, by: Serializer<AnyCodable>.plist) }

    /// The quick reading takes nothing that the decoder does not, and makes nothing else of it.
    private static let plainJSON = FuzzTarget(
        "plain-json", seeds: texts, words: words, share: 100, promises: { $0 is NotRead }
    ) { bytes in
        let data = Data(bytes)
        var isRead = false
        func compare<Value: Decodable & Equatable>(_ type: Value.Type) throws {
            guard let quick: Value = PlainJSON.value(in: data) else { return }
            isRead = true
            try FuzzViolation.unless((try? Coders.jsonDecoder.decode(type, from: data)) == quick, "the quick reading of \(type) differs")
        }
        try compare(String.self)
        try compare(Int.self)
        try compare(Bool.self)
        if !isRead { throw NotRead() }
    }

    struct Typed: Codable, Sendable, Equatable {
        var name: String
        var count: Int
        var flags: [Bool]
        var date: Date?
        var blob: Data?
        var next: [String: Int]?
    }

    private static let typed = FuzzTarget(
        "typed-values", seeds: texts + PropertyListTargets.nodes.map(\.binary), words: words, share: 60, make: PropertyListTargets.forged,
        promises: isOfCoding
    ) { bytes in
        let data = Data(bytes)
        var (lastError, readCount): ((any Error)?, Int) = (nil, 0)
        func attempt(_ body: () throws -> Void) throws {
            do {
                try body()
                readCount += 1
            } catch let error as StorageError {
                lastError = error
            }
        }
        try attempt { try check(bytes, by: Serializer<Typed>.json) }
        try attempt { try check(bytes, by: Serializer<[String: Int]>.plist) }
        try attempt { try check(bytes, by: Serializer<[Date]>.json) }
        if readCount == 0, let lastError { throw lastError }
        // In preferences, serialized bytes stand as property list values.
        for format in [SerializedFormat.json, .propertyList, .opaque] {
            let native = format.native(data, isData: false)
            // A bare value, which only others write, comes back wrapped.
            if format == .propertyList, !native.isContainer { continue }
            let back = try format.serialized(native, isData: false)
            try FuzzViolation.unless(format.isSame(back, data) || back == data, "\(format): other bytes came back")
        }
    }

    private static func check<Value: Equatable>(_ bytes: [UInt8], by serializer: Serializer<Value>) throws {
        let value = try serializer.value(from: Data(bytes))
        let data = try serializer.data(for: value)
        let again = try serializer.value(from: data)
        // NaN is not equal to itself, its bytes are.
        let isSame = try again == value || serializer.format.isSame(serializer.data(for: again), data)
        try FuzzViolation.unless(isSame, "a value is not what it is written as")
    }

    /// What is read from elsewhere may not be writable: nested too deeply once it is marked, or a string that stands for nil.
    @Sendable private static func isOfCoding(_ error: any Error) -> Bool {
        (error as? StorageError).map { [.wrongType, .encodingFailed].contains($0.code) } ?? false
    }
}
