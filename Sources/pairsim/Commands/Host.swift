/// Everything that a command reads from or does to the world. Tests bring their own.
struct Host {
    /// How the user calls the tool: `pairsim`, or `swift run pairsim` from the package.
    var program = "pairsim"
    var environment: [String: String]
    var files: any FileAccess
    var output: any TextSink
    var errors: any TextSink
    /// Cells in a line of the terminal that standard output is; `nil` when it is a pipe or a file.
    var columns: Int?
    var cores: Int
    /// Seconds since some fixed instant, for durations.
    var seconds: @Sendable () -> Double
    var interruption: Interruption
}
