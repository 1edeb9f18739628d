import Foundation

/// Says on standard error how far a run of the benchmarks is, also where the tables go to a file.
enum Progress {
    private static let start = ContinuousClock().now

    static func say(_ text: String) {
        let seconds = Int((ContinuousClock().now - start) / .seconds(1))
        FileHandle.standardError.write(Data("\(seconds) s: \(text)\n".utf8))
    }
}
