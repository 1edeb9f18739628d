import Foundation
import FuzzSupport

@testable import LocalData

/// Property list files: those of preferences, of the keychain for development, and of values.
enum PropertyListTargets {
    static var all: [FuzzTarget] { [file, keychain, json] }

    static let nodes: [PlistNode] = [
        .dictionary([
            .init("theme", .string("dark")), .init("count", .integer(42)), .init("ratio", .real(0.5)), .init("on", .bool(true)),
            .init("since", .date(700_000_000)), .init("blob", .data([1, 2, 3])), .init("list", .array([.integer(1), .string("é")])),
            .init("com.localdata.sync.theme", .string(#"{"committed":{}}"#)),
        ]),
        .array([.dictionary([]), .array([]), .array([.array([.array([.string("deep")])])])]),
        .string("alone"),
        (0..<200).reduce(.string("deep")) { inner, level in level % 2 == 0 ? .array([inner]) : .dictionary([.init("k", inner)]) },
    ]

    static let words = [
        "bplist00", "<dict>", "</dict>", "<array>", "</array>", "<!--", "-->", "<![CDATA[", "]]>", "<key>", "&amp;", "<true/>",
    ]
    .map { Array($0.utf8) }

    /// Files that are forged, and trees that are as files of the other form.
    @Sendable static func forged(_ random: inout FuzzGenerator) -> [UInt8] {
        switch random.below(6) {
        case 0: return ForgedPropertyList.graph(&random)
        case 1: return ForgedPropertyList.doubling(levels: random.below(200), dictionaries: random.below(2) == 0)
        case 2:
            let depth = random.below(100_000)
            return Array((String(repeating: "<array>", count: depth) + String(repeating: "</array>", count: random.below(depth + 1))).utf8)
        default:
            let node = random.element(of: nodes).mutated(&random)
            return random.below(2) == 0 ? node.binary : node.xml
        }
    }

    @Sendable static func isOfReading(_ error: any Error) -> Bool { error is PropertyListValueError || error is CocoaError }

    private static let file = FuzzTarget(
        "property-list", seeds: nodes.map(\.binary) + nodes.map(\.xml), words: words, share: 150, make: forged, promises: isOfReading
    ) { bytes in
        let value = try PropertyListValue(encoded: Data(bytes))
        let again = try PropertyListValue(encoded: value.encoded())
        try FuzzViolation.unless(again.canonicalBytes == value.canonicalBytes, "a value is not what it is written as")
    }

    private static let keychain = FuzzTarget(
        "keychain-file", seeds: keychains.map(\.binary) + keychains.map(\.xml), words: words, share: 60,
        make: { random in
            let node = random.element(of: keychains).mutated(&random)
            return random.below(2) == 0 ? node.binary : node.xml
        },
        promises: { isOfReading($0) || $0 is KeychainFileFormat.Failure },
        read: { bytes in
            let items = try KeychainFileFormat.items(in: Data(bytes))
            let again = try KeychainFileFormat.items(in: KeychainFileFormat.data(of: items))
            try FuzzViolation.unless(again == items, "an item is not what it is written as")
        })

    static let keychains: [PlistNode] = [
        .dictionary([
            .init("version", .integer(1)),
            .init(
                "items",
                .array([
                    .dictionary([
                        .init("service", .string("s")), .init("account", .string("a")), .init("synchronizable", .bool(false)),
                        .init("data", .data([1, 2])), .init("accessibility", .string("whenUnlocked")), .init("accessGroup", .string("g")),
                        .init("generic", .data([3])), .init("accessControl", .string("userPresence")),
                    ])
                ])),
        ])
    ]

    private static let json = FuzzTarget(
        "json-as-property-list", seeds: SerializerTargets.texts, words: SerializerTargets.words, share: 150, make: SerializerTargets.forged,
        promises: { $0 is NotRead },
        read: { bytes in
            guard let value = PropertyListValue(json: Data(bytes)) else { throw NotRead() }
            guard let text = value.json else { throw FuzzViolation("a value of JSON has no JSON") }
            try FuzzViolation.unless(PropertyListValue(json: text) == value, "a value is not what it is written as")
        })
}

/// For readers that answer `nil`.
struct NotRead: Error {}
