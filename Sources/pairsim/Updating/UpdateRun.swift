import Foundation

/// `pairsim run --update`: what was found is written into expectations of values that differ.
///
/// Every change is shown before it is written. A scenario that fails for any other reason is left to `run`. Rows and seeds that want different values of
/// one line leave it as it is.
struct UpdateRun {
    let settings: RunSettings
    let host: Host
    let engine: ScenarioEngine
    let console: Console

    /// More lines of a file than this are not put right in one go.
    private static let limit = 500

    /// What was decided about one file.
    private struct Outcome {
        var source: SourceLines
        var lines: [String] { source.lines }
        var updates: [ExpectationUpdate] = []
        var refusals: [(name: String, line: Int?, reason: String)] = []
    }

    /// - Returns: The status: failed where something is left that does not hold.
    func run(_ files: [SelectedFile]) -> Set<ExitStatus> {
        var statuses: Set<ExitStatus> = []
        var changed: [JSONValue] = []
        var left: [JSONValue] = []
        for file in files where file.problems.isEmpty && !file.scenarios.isEmpty {
            guard !host.interruption.isRequested else { return statuses.union([.interrupted]) }
            do throws(FileError) {
                let text = String(decoding: try host.files.read(file.path), as: UTF8.self)
                let outcome = outcome(of: file, text: text)
                left += outcome.refusals.map { .object(["name": .text($0.name), "line": .optional($0.line), "reason": .text($0.reason)]) }
                for refusal in outcome.refusals {
                    let place = [refusal.name] + [refusal.line].compactMap { $0.map(String.init) }
                    console.print("\(SafeText.line(place.joined(separator: ":"))): not updated: \(SafeText.line(refusal.reason))")
                    statuses.insert(.failed)
                }
                guard !outcome.updates.isEmpty else { continue }
                show(outcome.updates, of: file.path)
                try host.files.write(Data(outcome.source.text.utf8), to: file.path)
                changed += outcome.updates.map(Self.json)
            } catch {
                console.complain(error.text("update"))
                statuses.insert(.cannotRun)
            }
        }
        console.answer(.object(["updated": .list(changed), "left": .list(left)]))
        let count = Plural.of(changed.count, "expectation")
        console.print(
            "\(changed.isEmpty && !statuses.contains(.cannotRun) ? "nothing to update" : "\(count) updated")"
                + (left.isEmpty ? "" : ", \(Plural.of(left.count, "failure")) left"))
        return statuses
    }

    private static func json(_ update: ExpectationUpdate) -> JSONValue {
        .object(["path": .text(update.path), "line": .number(Int64(update.line)), "old": .text(update.old), "new": .text(update.new)])
    }

    private func show(_ updates: [ExpectationUpdate], of path: String) {
        console.print(console.style.paint("--- \(SafeText.line(path))", .bold))
        for update in updates {
            console.print(console.style.paint("@@ line \(update.line) @@", .cyan))
            console.print(console.style.paint("-" + SafeText.line(update.old), .red))
            console.print(console.style.paint("+" + SafeText.line(update.new), .green))
        }
    }

    /// Runs the file's scenarios, puts one line right, and runs them again, until nothing is left that can be.
    private func outcome(of file: SelectedFile, text: String) -> Outcome {
        var outcome = Outcome(source: SourceLines(text))
        let original = outcome.lines
        var names = Set(file.scenarios.map(\.name))
        // What a line was made, by which a second wish for it shows.
        var made: [Int: String] = [:]
        var contested: Set<Int> = []
        for _ in 0..<Self.limit {
            let compilation = engine.compile(file.path, [file.path: outcome.source.text])
            var update: ExpectationUpdate?
            for scenario in compilation.scenarios where names.contains(scenario.name) && scenario.header.canary == nil {
                guard !host.interruption.isRequested, let failure = failure(of: scenario) else { continue }
                do throws(ExpectationUpdate.Refusal) {
                    let wanted = try ExpectationUpdate(failure, of: scenario, in: outcome.lines)
                    guard made[wanted.line] == nil, !contested.contains(wanted.line) else {
                        contested.insert(wanted.line)
                        throw ExpectationUpdate.Refusal(reason: "its runs found different values")
                    }
                    update = wanted
                    break
                } catch {
                    outcome.refusals.append((scenario.name, failure.line, error.reason))
                    names.remove(scenario.name)
                }
            }
            guard let update else { break }
            outcome.source.lines[update.line - 1] = update.new
            made[update.line] = update.new
        }
        for line in contested { outcome.source.lines[line - 1] = original[line - 1] }
        outcome.updates = made.keys.filter { !contested.contains($0) }.sorted().map { line in
            ExpectationUpdate(path: file.path, line: line, from: original[line - 1], to: outcome.lines[line - 1])
        }
        return outcome
    }

    private func failure(of scenario: Scenario) -> ScenarioFailure? {
        for number in 0..<settings.seedCount {
            for order in settings.orders {
                let variation = RunVariation(seed: settings.firstSeed(own: scenario.seed) &+ number, order: order)
                var seeded = scenario
                seeded.seed = variation.seed
                var options = RunOptions()
                options.seed = variation.seed
                options.order = variation.readyOrder
                options.stuckAfter = settings.stuckAfter
                if let limit = settings.crashPoints { options.crashPointLimit = limit }
                if let failure = engine.run(seeded, options).outcome.failure { return failure }
            }
        }
        return nil
    }
}

/// A file's lines and what ends each of them, which may be of any system.
private struct SourceLines {
    var lines: [String] = []
    private var ends: [String] = []

    init(_ text: String) {
        var line = String.UnicodeScalarView()
        var end = ""
        for scalar in text.unicodeScalars {
            if end == "\r", scalar == "\n" {
                ends[ends.count - 1] = "\r\n"
                end = ""
            } else if scalar == "\n" || scalar == "\r" {
                lines.append(String(line))
                ends.append(String(scalar))
                line = String.UnicodeScalarView()
                end = String(scalar)
            } else {
                line.append(scalar)
                end = ""
            }
        }
        lines.append(String(line))
        ends.append("")
    }

    var text: String { zip(lines, ends).map { $0 + $1 }.joined() }
}
