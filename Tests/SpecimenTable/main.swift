import DeviceSim
import Foundation
import Specimens

// Prints how the search finds each specimen, as the Markdown page that Tests/Specimens/TABLE.md is:
//
//     swift run -c release specimen-table > Tests/Specimens/TABLE.md
//
// Arguments are how many seconds each search may take (60), and a part of the names of those to search for (all).
let seconds = CommandLine.arguments.dropFirst().first.flatMap(Double.init) ?? 60
let wanted = CommandLine.arguments.dropFirst(2).first
let strategies: [OrderStrategy] = [.fifo, .random, .pct]

/// What came of the search for one specimen.
struct Row {
    let cells: [String]
    let isFound: Bool
    let stepCount: Int?
}

func decimals(_ value: Double) -> String { String(format: value < 10 ? "%.2f" : "%.0f", value) }

func row(of specimen: Specimen) -> Row {
    var cells = [specimen.kind.rawValue, specimen.name]
    var first: (explorer: Explorer, index: Int, violation: Violation)?
    for strategy in strategies {
        let explorer = specimen.explorer(strategies: [strategy])
        let begin = ContinuousClock.now
        func elapsed() -> Double { Double((ContinuousClock.now - begin) / .milliseconds(1)) / 1000 }
        if let found = specimen.find(with: explorer, isOver: { elapsed() >= seconds }) {
            cells.append("\(found.index + 1) in \(decimals(elapsed())) s")
            first = first ?? (explorer, found.index, found.violation)
        } else {
            cells.append("not in \(decimals(seconds)) s")
        }
    }
    guard let first, let small = first.explorer.shrink(first.index, replay: "") else {
        return Row(cells: cells + ["", ""], isFound: false, stepCount: nil)
    }
    let isAsDeclared = specimen.breaks.contains(small.violation.invariant)
    cells.append("\(small.stepCount)\(small.isConfirmed ? "" : "*")")
    cells.append(small.violation.invariant.rawValue + (isAsDeclared ? "" : " (!)"))
    FileHandle.standardError.write(Data("\(specimen)\n\(small.text)\n".utf8))
    return Row(cells: cells, isFound: true, stepCount: small.stepCount)
}

let title = ["kind", "mistake"] + strategies.map(\.rawValue) + ["steps", "invariant"]
print(
    """
    # What the search finds

    Runs and seconds to the first find of each planted mistake, by the order of ready work, on one core; the length of the shrunk scenario, and the
    invariant that the search says is broken. `*`: an ordinary run of the scenario does not fail, the search does. Made by

    ```sh
    swift run -c release specimen-table > Tests/Specimens/TABLE.md
    ```

    | \(title.joined(separator: " | ")) |
    | \(title.map { _ in "---" }.joined(separator: " | ")) |
    """)
var rows: [Row] = []
for specimen in Specimen.all where wanted.map(specimen.name.contains) ?? true {
    let row = row(of: specimen)
    rows.append(row)
    print("| \(row.cells.joined(separator: " | ")) |")
    fflush(nil)
}
let lengths = rows.compactMap(\.stepCount).sorted()
let median = lengths.isEmpty ? 0 : lengths[lengths.count / 2]
print("\n\(rows.count { $0.isFound }) of \(rows.count) were found within \(decimals(seconds)) s; the median length is \(median) steps.")
