import Foundation

/// Finds in the compiler's syntax tree what type-checking on this host does not: symbols of the standard library and of Foundation that are newer
/// than the oldest system, and whole numbers that an `Int` of 32 bits does not hold.
struct SyntaxTreeReader {
    let platform: ApplePlatform
    let availability: SymbolAvailability

    /// - Parameter text: What `-dump-ast-format json` writes: a line with an object for each file.
    func findings(in text: Data) throws -> [ExpectationResult] {
        var findings: [ExpectationResult] = []
        for line in text.split(separator: UInt8(ascii: "\n")) where line.first == UInt8(ascii: "{") {
            guard let file = try JSONSerialization.jsonObject(with: line) as? [String: Any], let path = file["filename"] as? String else {
                continue
            }
            var walk = Walk(path: path, reader: self)
            walk.visit(file["items"] as Any)
            findings += walk.findings
        }
        return findings
    }

    fileprivate func problem(ofSymbol identifier: String, where available: SystemVersion) -> String? {
        guard let symbol = availability.newer[identifier], let introduced = symbol.introduced[platform], introduced > available else {
            return nil
        }
        return "'\(symbol.name)' is only available in \(platform.rawValue) \(introduced) or newer, and this runs from \(available) on"
    }

    fileprivate func problem(ofNumber value: String, type: String) -> String? {
        guard platform.integerWidth == 32, let number = Int64(value) else { return nil }
        let fits =
            switch type {
            case "$sSiD": Int32(exactly: number) != nil
            case "$sSuD": UInt32(exactly: number) != nil
            default: true
            }
        return fits ? nil : "\(value) does not fit the 32 bits that an integer has on this platform"
    }

    /// One file, from its declarations down.
    private struct Walk {
        let path: String
        let reader: SyntaxTreeReader
        var findings: [ExpectationResult] = []
        /// The oldest system on which what is being visited runs.
        private var available: SystemVersion
        private var offset = 0

        init(path: String, reader: SyntaxTreeReader) {
            self.path = path
            self.reader = reader
            available = reader.platform.minimum
        }

        mutating func visit(_ node: Any) {
            let outer = (available, offset)
            defer { (available, offset) = outer }
            if let list = node as? [Any] {
                for element in list {
                    visit(element)
                    // What follows a guard runs where its question was answered with yes.
                    if let statement = element as? [String: Any], statement["_kind"] as? String == "guard_stmt" { narrow(by: statement) }
                }
            } else if let object = node as? [String: Any] {
                visit(object)
            }
        }

        private mutating func visit(_ object: [String: Any]) {
            if let range = object["range"] as? [String: Any], let start = range["start"] as? Int { offset = start }
            if let identifier = object["decl_usr"] as? String, let problem = reader.problem(ofSymbol: identifier, where: available) {
                add(problem)
            }
            let kind = object["_kind"] as? String
            if kind == "integer_literal_expr", let value = object["value"] as? String, let type = object["type"] as? String,
                let problem = reader.problem(ofNumber: value, type: type)
            {
                add(problem)
            }
            for case let attribute as [String: Any] in object["attrs"] as? [Any] ?? [] { narrow(to: attribute, version: "introduced") }
            for key in object.keys.sorted() {
                // Which `next` a loop calls, the compiler chooses by the oldest system; a host has none.
                if kind == "for_each_stmt", key == "next_call" { continue }
                guard let child = object[key], child is [Any] || child is [String: Any] else { continue }
                let before = available
                if kind == "if_stmt", key == "then_stmt" { narrow(by: object) }
                visit(child)
                available = before
            }
        }

        /// By the questions for availability among a statement's conditions.
        private mutating func narrow(by statement: [String: Any]) {
            for case let condition as [String: Any] in statement["conditions"] as? [Any] ?? []
            where condition["_kind"] as? String == "#available" {
                for case let query as [String: Any] in condition["queries"] as? [Any] ?? [] { narrow(to: query, version: "version") }
            }
        }

        private mutating func narrow(to node: [String: Any], version key: String) {
            guard node["domain"] as? String == reader.platform.rawValue, let version = (node[key] as? String).flatMap(SystemVersion.init)
            else { return }
            available = max(available, version)
        }

        private mutating func add(_ problem: String) {
            let before = ((try? Data(contentsOf: URL(fileURLWithPath: path))) ?? Data()).prefix(offset)
            let line = before.count { $0 == UInt8(ascii: "\n") } + 1
            let column = before.count - (before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0) + 1
            let finding = ExpectationResult(place: "\(path):\(line):\(column)", message: problem)
            if !findings.contains(finding) { findings.append(finding) }
        }
    }
}
