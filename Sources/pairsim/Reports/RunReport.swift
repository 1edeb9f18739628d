/// What a report of runs is written from.
struct RunReport: Sendable {
    /// In the order of the whole invocation.
    let records: [RunRecord]
    let summary: RunSummary
    /// Of the whole invocation, by the wall clock.
    let seconds: Double
    let seed: UInt64
    var status: ExitStatus
    /// The part that this is; `nil` for the whole.
    var shard: Shard?
    /// What all parts together are; `nil` where a report does not say.
    var extent: RunExtent?
    /// Of the tool that made the runs.
    var version = HelpText.versionNumber
}
