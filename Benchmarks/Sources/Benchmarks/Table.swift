/// Prints the lines of a table in Markdown, so that they can be pasted into the README.
struct Table {
    private var rows: [[String]]

    init(_ header: [String]) {
        rows = [header]
    }

    mutating func add(_ row: String...) { add(row) }

    mutating func add(_ row: [String]) { rows.append(row) }

    func print() {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        for (index, row) in rows.enumerated() {
            Swift.print("| " + zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }.joined(separator: " | ") + " |")
            if index == 0 { Swift.print("| " + widths.map { String(repeating: "-", count: $0) }.joined(separator: " | ") + " |") }
        }
        Swift.print("")
    }
}

/// `1.23×`, `345 µs`, `1,234`: figures as a reader wants them.
enum Figure {
    static func ratio(_ value: Double) -> String { "\((value * 100).rounded() / 100)×" }

    static func time(_ seconds: Double) -> String {
        switch seconds {
        case ..<0.000_001: "\(Int((seconds * 1_000_000_000).rounded())) ns"
        case ..<0.001: "\((seconds * 10_000_000).rounded() / 10) µs"
        default: "\((seconds * 10_000).rounded() / 10) ms"
        }
    }

    static func count(_ value: Int) -> String {
        var digits = String(value)
        var grouped = ""
        while digits.count > 3 {
            grouped = "," + digits.suffix(3) + grouped
            digits.removeLast(3)
        }
        return digits + grouped
    }
}
