import Foundation

/// What a person found to change nothing that anybody could see: lines of a table, `| name | where | reason |`.
enum Equivalence {
    /// Reasons by the names of mistakes.
    static func read(_ page: String) -> [String: String] {
        var reasons: [String: String] = [:]
        for line in page.split(separator: "\n") where line.hasPrefix("|") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count >= 3, cells[0].count == 8, cells[0].allSatisfy(\.isHexDigit) else { continue }
            reasons[cells[0]] = cells[cells.count - 1]
        }
        return reasons
    }
}
