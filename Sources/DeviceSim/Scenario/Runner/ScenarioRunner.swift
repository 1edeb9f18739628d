import Foundation
import LocalData

/// Runs scenarios: one simulation each, on the calling thread. Any number of threads may run scenarios at once.
public enum ScenarioRunner {
    /// Runs one scenario to its end or to its first failure.
    ///
    /// - Parameter catalogs: Those that an embedding test offers to scenarios, by the names that these use.
    public static func run(
        _ scenario: Scenario, options: RunOptions = RunOptions(), catalogs: [String: any StorageKeyCatalog] = [:]
    ) -> ScenarioResult {
        let seed = scenario.seed ?? options.seed
        var folder: URL?
        if let root = options.root {
            let own = root.appendingPathComponent(folderName(for: scenario), isDirectory: true)
            do {
                try emptyFolder(own)
            } catch {
                let failure = ScenarioFailure(message: "cannot prepare \(own.path): \(error.localizedDescription)")
                return result(of: scenario, seed: seed, outcome: .cannotRun(failure), run: nil)
            }
            folder = own
        }
        let run = ScenarioRun(scenario, seed: seed, options: options, root: folder, catalogs: catalogs)
        let outcome = run.execute()
        return result(of: scenario, seed: seed, outcome: outcome, run: run)
    }

    private static func result(
        of scenario: Scenario, seed: UInt64, outcome: ScenarioResult.Outcome, run: ScenarioRun?
    ) -> ScenarioResult {
        ScenarioResult(
            name: scenario.name, path: scenario.path, title: scenario.header.title, tags: scenario.header.tags,
            rules: scenario.header.rules, seed: seed, outcome: outcome, stepCount: run?.stepCount ?? 0,
            duration: (run?.simulation.now ?? .start) - .start, trace: run?.simulation.trace ?? Trace())
    }

    /// `Scenarios/sync/theme.scenario` gets the folder `Scenarios-sync-theme`.
    private static func folderName(for scenario: Scenario) -> String {
        let allowed = scenario.name.unicodeScalars.map { scalar in
            CharacterSet.alphanumerics.contains(scalar) || "._".unicodeScalars.contains(scalar) ? Character(scalar) : "-"
        }
        let name = String(allowed).trimmingCharacters(in: CharacterSet(charactersIn: ".-"))
        return name.hasSuffix(".scenario") ? String(name.dropLast(".scenario".count)) : name
    }

    private static func emptyFolder(_ folder: URL) throws {
        let files = FileManager.default
        if files.fileExists(atPath: folder.path) { try files.removeItem(at: folder) }
        try files.createDirectory(at: folder, withIntermediateDirectories: true)
    }
}
