import DeviceSimCatalogue
import DeviceSimLanguage
import Foundation

/// The page `Scenarios/troubles/README.md`, made from the table of troubles and the headers of their scenarios.
enum TroubleIndex {
    /// A scenario of the catalogue.
    struct Entry: Sendable {
        /// In the folder `Scenarios/troubles`.
        let path: String
        var file: URL { TroubleIndex.folder.appendingPathComponent(path) }
        /// The folder of the trouble that it is of.
        var folder: String { String(path.prefix { $0 != "/" }) }
        var isTrouble: Bool { path.contains("/trouble") }
        var isRemedy: Bool { path.contains("/remedy") }
    }

    static let folder = RepositoryFiles.root.appendingPathComponent("Scenarios/troubles")

    /// By trouble, those that reproduce it before those that put it right.
    static let entries: [Entry] = RepositoryFiles.paths(in: "Scenarios/troubles").filter { $0.hasSuffix(".scenario") }.map {
        Entry(path: $0)
    }
    .sorted { ($0.folder, $0.isTrouble ? 0 : 1, $0.path) < ($1.folder, $1.isTrouble ? 0 : 1, $1.path) }

    static var markdown: String {
        let scenarios = entries.map { entry in
            let header = ScenarioCompiler.compile(path: entry.file.path).header
            return (path: entry.path, title: header.title, rules: header.rules)
        }
        var lines = [
            "# What developers run into",
            "",
            "<!-- Made from the table of troubles and the scenarios' headers by `swift run documents`. -->",
            "",
            "Each folder is one trouble that developers have had with WatchConnectivity and have published, or that follows from what Apple has published,",
            "though no incident was found. `trouble` reproduces it with naive app code, as",
            "people really write it; `remedy` shows what helps: the same app put right, or LocalData. All of them pass: a trouble expects the wrong outcome,",
            "in so many words, so that one reads what a person sees, and so that it fails if that ever becomes right by itself. The apps are in",
            "`Sources/DeviceSim/Catalogue/NaiveApps`, each with one mistake.",
            "",
            "```sh",
            "swift run pairsim run Scenarios/troubles",
            "swift run pairsim list --troubles",
            "```",
        ]
        for trouble in KnownTrouble.table {
            lines += [
                "", "## \(trouble.name)  \(trouble.sentence)", "", "Published: \(trouble.sources.joined(separator: "; ")).", "",
            ]
            for scenario in scenarios where scenario.path.hasPrefix(trouble.folder + "/") {
                let file = scenario.path.dropFirst(trouble.folder.count + 1)
                let name = file.hasSuffix(".scenario") ? file.dropLast(".scenario".count) : file
                lines.append("- [\(name)](\(scenario.path)): \(scenario.title)")
            }
            let rules = Set(scenarios.filter { $0.path.hasPrefix(trouble.folder + "/") }.flatMap(\.rules)).compactMap {
                SessionRule(named: $0)
            }
            lines += ["", foundation(rules.sorted { $0.number < $1.number })]
        }
        lines += ["", "## What is not told", ""]
        lines += UntoldTrouble.table.map { "- \($0.sentence) Published: \($0.sources.joined(separator: "; ")). \($0.reason)" }
        return lines.joined(separator: "\n") + "\n"
    }

    /// What it rests on, and how sure that is.
    private static func foundation(_ rules: [SessionRule]) -> String {
        guard !rules.isEmpty else { return "It rests on no rule of the session." }
        return "It rests on " + rules.map { "\($0.name) (\($0.kinds.map(\.phrase).joined(separator: ", ")))" }.joined(separator: "; ") + "."
    }
}
