import DeviceSim

/// A scenario file with what the command line selects of it.
struct SelectedFile: Sendable {
    let path: String
    /// The same on every machine that is given the same command; see ``ScenarioFinder/identities``.
    let identity: String
    var scenarios: [Scenario] = []
    /// None, or all that is wrong with the file, which then has no scenarios.
    var problems: [FileProblem] = []
}
