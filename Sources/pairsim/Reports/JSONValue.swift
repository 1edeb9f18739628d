import DeviceSim

/// A JSON document that always renders to the same bytes: keys sorted, two spaces of indentation, a newline at the end.
enum JSONValue: Sendable {
    case null
    case flag(Bool)
    case number(Int64)
    case unsigned(UInt64)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])

    static func optional(_ text: String?) -> JSONValue { text.map { .text($0) } ?? .null }
    static func optional(_ number: Int?) -> JSONValue { number.map { .number(Int64($0)) } ?? .null }
    static func texts(_ list: [String]) -> JSONValue { .list(list.map { .text($0) }) }

    func rendered() -> String {
        var bytes: [UInt8] = []
        append(to: &bytes, depth: 0)
        bytes.append(UInt8(ascii: "\n"))
        return String(decoding: bytes, as: UTF8.self)
    }

    private func append(to bytes: inout [UInt8], depth: Int) {
        switch self {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .flag(let flag): JSONText.append(flag, to: &bytes)
        case .number(let number): JSONText.append(number, to: &bytes)
        case .unsigned(let number): JSONText.append(number, to: &bytes)
        case .text(let text): JSONText.append(text, to: &bytes)
        case .list(let values):
            Self.append("[", "]", count: values.count, to: &bytes, depth: depth) { index, bytes in
                values[index].append(to: &bytes, depth: depth + 1)
            }
        case .object(let members):
            let keys = members.keys.sorted()
            Self.append("{", "}", count: keys.count, to: &bytes, depth: depth) { index, bytes in
                JSONText.append(keys[index], to: &bytes)
                bytes.append(contentsOf: ": ".utf8)
                members[keys[index]]?.append(to: &bytes, depth: depth + 1)
            }
        }
    }

    private static func append(
        _ open: String, _ close: String, count: Int, to bytes: inout [UInt8], depth: Int, element: (Int, inout [UInt8]) -> Void
    ) {
        bytes.append(contentsOf: open.utf8)
        for index in 0..<count {
            bytes.append(contentsOf: (index == 0 ? "\n" : ",\n").utf8)
            bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * (depth + 1)))
            element(index, &bytes)
        }
        if count > 0 {
            bytes.append(UInt8(ascii: "\n"))
            bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
        }
        bytes.append(contentsOf: close.utf8)
    }
}
