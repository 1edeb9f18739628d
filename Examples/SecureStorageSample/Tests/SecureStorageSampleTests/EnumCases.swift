import Foundation
import TestSupport

/// The cases of public enumerations, as sources declare them.
enum EnumCases {
    static func texts(of path: String) throws -> [String] {
        let url = repository.appendingPathComponent(path)
        if path.hasSuffix(".swift") { return [try String(contentsOf: url, encoding: .utf8)] }
        return try FileManager.default.contentsOfDirectory(atPath: url.path).sorted().filter { $0.hasSuffix(".swift") }
            .map { try String(contentsOf: url.appendingPathComponent($0), encoding: .utf8) }
    }

    static func of(_ path: String) throws -> [String: Set<String>] {
        var found: [String: Set<String>] = [:]
        for text in try texts(of: path) {
            var open: [(name: String, indent: Int)] = []
            for line in text.split(separator: "\n") {
                let indent = line.prefix { $0 == " " }.count
                if let last = open.last, line.dropFirst(indent) == "}", indent == last.indent { open.removeLast() }
                if let name = line.firstMatch(of: /^\s*public enum (\w+)/)?.1 {
                    found[String(name)] = []
                    if !line.hasSuffix("{}") { open.append((String(name), indent)) }
                } else if let last = open.last, indent == last.indent + 4, let name = line.firstMatch(of: /^\s*case (\w+)/)?.1 {
                    found[last.name]?.insert(String(name))
                }
            }
        }
        return found
    }
}

/// The cases that values have, also inside of others.
struct UsedCases {
    private(set) var cases: [String: Set<String>] = [:]

    mutating func note(_ value: Any) {
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .enum {
            let name = mirror.children.first?.label ?? String(describing: value)
            cases[String(describing: mirror.subjectType), default: []].insert(name)
        }
        for child in mirror.children { note(child.value) }
    }
}
