/// A property list as a tree, with a file form of its own: Foundation's differs from process to process, and a fuzzer's inputs must not.
public indirect enum PlistNode: Sendable, Hashable {
    case string(String)
    case integer(Int64)
    case real(Double)
    case bool(Bool)
    /// Seconds since 2001.
    case date(Double)
    case data([UInt8])
    case array([PlistNode])
    case dictionary([Member])

    public struct Member: Sendable, Hashable {
        public var key: String
        public var value: PlistNode

        public init(_ key: String, _ value: PlistNode) {
            self.key = key
            self.value = value
        }
    }

    // MARK: Files

    /// As a binary property list, every value an object of its own.
    public var binary: [UInt8] {
        var file = ForgedPropertyList()
        let top = add(to: &file)
        return file.bytes(top: top)
    }

    private func add(to file: inout ForgedPropertyList) -> Int {
        switch self {
        case .string(let string): file.add(.string(string))
        case .integer(let integer): file.add(.integer(integer))
        case .real(let double): file.add(.real(double))
        case .bool(let bool): file.add(.bool(bool))
        case .date(let seconds): file.add(.date(seconds))
        case .data(let data): file.add(.data(data))
        case .array(let nodes): file.add(.array(nodes.map { $0.add(to: &file) }))
        case .dictionary(let members):
            file.add(.dictionary(members.map { PlistNode.string($0.key).add(to: &file) }, members.map { $0.value.add(to: &file) }))
        }
    }

    /// As an XML property list.
    public var xml: [UInt8] {
        Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\">\(element)</plist>\n".utf8)
    }

    private var element: String {
        switch self {
        case .string(let string): "<string>\(Self.escaped(string))</string>"
        case .integer(let integer): "<integer>\(integer)</integer>"
        case .real(let double): "<real>\(double)</real>"
        case .bool(let bool): bool ? "<true/>" : "<false/>"
        case .date: "<date>2026-01-01T09:00:00Z</date>"
        case .data(let data): "<data>\(Self.base64(data))</data>"
        case .array(let nodes): "<array>\(nodes.map(\.element).joined())</array>"
        case .dictionary(let members):
            "<dict>\(members.map { "<key>\(Self.escaped($0.key))</key>\($0.value.element)" }.joined())</dict>"
        }
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var text = ""
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = (0..<3).map { start + $0 < bytes.count ? Int(bytes[start + $0]) : 0 }
            let number = group[0] << 16 | group[1] << 8 | group[2]
            for place in 0..<4 { text.append(start + place > bytes.count ? "=" : letters[number >> (18 - 6 * place) & 63]) }
        }
        return text
    }

    // MARK: Changes

    /// The same tree with something in it that is otherwise.
    public func mutated(_ random: inout FuzzGenerator) -> PlistNode {
        switch self {
        case .array(var nodes) where random.below(4) > 0 && !nodes.isEmpty:
            let place = random.below(nodes.count)
            switch random.below(5) {
            case 0: nodes.remove(at: place)
            case 1: nodes.append(nodes[place])
            default: nodes[place] = nodes[place].mutated(&random)
            }
            return .array(nodes)
        case .dictionary(var members) where random.below(6) > 0 && !members.isEmpty:
            let place = random.below(members.count)
            switch random.below(8) {
            case 0: members.remove(at: place)
            case 1: members.append(members[place])
            case 2: members[place].key = random.element(of: members).key
            case 3: members[place].key += "\u{301}"
            default: members[place].value = members[place].value.mutated(&random)
            }
            return .dictionary(members)
        default: return Self.other(than: self, &random)
        }
    }

    private static func other(than node: PlistNode, _ random: inout FuzzGenerator) -> PlistNode {
        switch random.below(12) {
        case 0: .string(random.element(of: ["", "x", "\u{0}", "$null", "com.localdata.value", "é", String(repeating: "long", count: 500)]))
        case 1, 2: .integer(random.element(of: [0, 1, -1, 2, 255, .max, .max - 1, .min]))
        case 3: .real(random.element(of: [0, -0.0, 1.5, .nan, .infinity, 1e308]))
        case 4: .bool(random.below(2) == 0)
        case 5: .date(random.element(of: [0, 1e300, .nan, -.infinity]))
        case 6: .data(random.bytes(random.below(40)))
        case 7: .array([])
        case 8: .dictionary([])
        case 9: .array([node, node])
        case 10: (0..<random.below(600)).reduce(node) { inner, _ in .array([inner]) }
        default: .dictionary([Member(random.element(of: ["value", "version", "$object", "$data", "com.localdata.value"]), node)])
        }
    }
}
