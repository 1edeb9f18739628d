/// Where `--trace` leads.
enum TraceTarget: Sendable, Equatable {
    case standardOutput
    case path(String)

    init(_ option: String) {
        self = option == "-" ? .standardOutput : .path(option)
    }
}

/// Names the file of each run's trace in a folder.
struct TraceFolder {
    private let folder: String
    private var used: Set<String> = []

    init(_ folder: String) {
        self.folder = folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    }

    /// `Scenarios/sync/echo.scenario`, seed 7, order 3: `FOLDER/Scenarios/sync/echo.seed-7.order-3.jsonl`.
    mutating func path(for record: RunRecord) -> String {
        var parts = record.path.split(separator: "/").map(String.init).filter { $0 != "." && $0 != ".." }
        let last = parts.popLast() ?? "trace"
        var name = last.hasSuffix(ScenarioFinder.suffix) ? String(last.dropLast(ScenarioFinder.suffix.count)) : last
        name += Self.fileName(record.row)
        if record.isVaried, let variation = record.variation {
            name += ".seed-\(variation.seed).order-\(variation.order)"
        }
        let base = ([folder] + parts + [name]).joined(separator: "/")
        var path = base + ".jsonl"
        var count = 1
        while !used.insert(path).inserted {
            count += 1
            path = "\(base)~\(count).jsonl"
        }
        return path
    }

    private static func fileName(_ row: String) -> String {
        String(row.map { $0 == "/" || $0.unicodeScalars.contains { $0.value < 0x20 } ? "_" : $0 }.prefix(60))
    }
}
