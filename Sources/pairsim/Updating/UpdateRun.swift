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
        var left: [Left] = []
    }

    /// A failure that stays, and why.
    private struct Left {
        /// Of the scenario.
        let name: String
        /// The file that the line stands in, which may be an included one.
        let path: String
        let line: Int?
        let reason: String

        /// - Parameter file: The scenario's own.
        func text(in file: String) -> String {
            let place = [path == file ? name : path] + [line].compactMap { $0.map(String.init) }
            let owner = path == file ? "" : " for \(SafeText.line(name))"
            return "\(SafeText.line(place.joined(separator: ":"))): not updated\(owner): \(SafeText.line(reason))"
        }

        var json: JSONValue {
            .object(["name": .text(name), "path": .text(path), "line": .optional(line), "reason": .text(reason)])
        }
    }

    /// Somebody wants to stop: what was found so far is no ground to write anything.
    private struct Interrupted: Error {}

    /// - Returns: The status: failed where something is left that does not hold.
    func run(_ files: [SelectedFile]) -> Set<ExitStatus> {
        var statuses: Set<ExitStatus> = []
        var changed: [ExpectationUpdate] = []
        var left: [Left] = []
        for file in files where file.problems.isEmpty && !file.scenarios.isEmpty {
            do {
                let bytes = try host.files.read(file.path)
                let outcome = try outcome(of: file, text: String(decoding: bytes, as: UTF8.self))
                left += outcome.left
                for failure in outcome.left {
                    console.print(failure.text(in: file.path))
                    statuses.insert(.failed)
                }
                guard !outcome.updates.isEmpty else { continue }
                show(outcome.updates, of: file.path)
                if let obstacle = write(outcome, over: bytes, to: file.path) {
                    // What was to be written there does not hold as before.
                    left += outcome.updates.map { Left(name: file.path, path: file.path, line: $0.line, reason: obstacle) }
                    statuses.insert(.cannotRun)
                } else {
                    changed += outcome.updates
                }
            } catch let error as FileError {
                console.complain(error.text("update"))
                statuses.insert(.cannotRun)
            } catch {
                statuses.insert(.interrupted)
                break
            }
        }
        console.answer(.object(["updated": .list(changed.map(Self.json)), "left": .list(left.map(\.json))]))
        let count = Plural.of(changed.count, "expectation")
        console.print(
            (statuses.contains(.interrupted) ? "interrupted: " : "")
                + (changed.isEmpty && statuses.isDisjoint(with: [.cannotRun, .interrupted]) ? "nothing to update" : "\(count) updated")
                + (left.isEmpty ? "" : ", \(Plural.of(left.count, "failure")) left"))
        return statuses
    }

    /// - Parameter bytes: What was in the file before its scenarios were run. What somebody has written there since is kept.
    /// - Returns: Why it was not written; `nil` where it was. Complains of that.
    private func write(_ outcome: Outcome, over bytes: Data, to path: String) -> String? {
        do throws(FileError) {
            guard try host.files.read(path) == bytes else {
                let reason = "it was changed meanwhile, and is left as it is; update it once more"
                console.complain(FileError(path: path, reason: reason).text("update"))
                return "the file was changed meanwhile"
            }
            try host.files.write(Data(outcome.source.text.utf8), to: path)
            return nil
        } catch {
            console.complain(error.text("update"))
            return "the file cannot be written: \(error.reason)"
        }
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
    ///
    /// A line that rows share is theirs together: one on which they do not agree stays as it is, also where only some of them were named.
    /// - Throws: ``Interrupted``: what holds of some of the runs alone is not written.
    private func outcome(of file: SelectedFile, text: String) throws(Interrupted) -> Outcome {
        var outcome = Outcome(source: SourceLines(text))
        let original = outcome.lines
        let named = Set(file.scenarios.map(\.name))
        var settled: Set<String> = []
        // The lines that were written anew.
        var made: Set<Int> = []
        // Why lines stay as they are whatever is found.
        var contested: [Int: String] = [:]
        func keep(_ line: Int, _ reason: String) {
            contested[line] = reason
            made.remove(line)
            outcome.source.lines[line - 1] = original[line - 1]
        }
        rounds: for _ in 0..<Self.limit {
            let compilation = engine.compile(file.path, [file.path: outcome.source.text])
            let scenarios = compilation.scenarios.filter { $0.header.canary == nil }
            for scenario in scenarios where named.contains(scenario.name) && !settled.contains(scenario.name) {
                guard let failure = try failure(of: scenario) else { continue }
                do throws(ExpectationUpdate.Refusal) {
                    let wanted = try ExpectationUpdate(failure, of: scenario, in: outcome.lines)
                    if let reason = contested[wanted.line] { throw ExpectationUpdate.Refusal(reason: reason) }
                    if made.contains(wanted.line) {
                        keep(wanted.line, "its runs found different values")
                    } else {
                        made.insert(wanted.line)
                        outcome.source.lines[wanted.line - 1] = wanted.new
                        if engine.compile(file.path, [file.path: outcome.source.text]).scenarios.count != compilation.scenarios.count {
                            keep(wanted.line, "the file would not be one any more with \(wanted.new.trimmingWhitespace)")
                        }
                    }
                    continue rounds
                } catch {
                    outcome.left.append(
                        Left(name: scenario.name, path: failure.path ?? file.path, line: failure.line, reason: error.reason))
                    settled.insert(scenario.name)
                }
            }
            // What was written for some rows must hold for the others, which nobody named.
            for scenario in scenarios where !named.contains(scenario.name) && !made.isEmpty {
                guard let failure = try failure(of: scenario) else { continue }
                guard let line = failure.line, failure.path == file.path, made.contains(line) else { continue }
                keep(line, "the line is also that of \(scenario.name), which does not find this value")
                continue rounds
            }
            for name in settled.sorted() where !made.isEmpty {
                guard let line = try contradicted(by: name, in: file.path, outcome.source, made, contested: Set(contested.keys)) else {
                    continue
                }
                keep(line, "its runs found different values")
                continue rounds
            }
            break
        }
        try stopIfInterrupted()
        outcome.updates = made.sorted().map { line in
            ExpectationUpdate(path: file.path, line: line, from: original[line - 1], to: outcome.lines[line - 1])
        }
        return outcome
    }

    /// A scenario that fails at a line that stays has looked at none behind it. It is run without such lines.
    /// - Returns: A line that was written anew, and is not what that scenario finds.
    private func contradicted(
        by name: String, in path: String, _ source: SourceLines, _ made: Set<Int>, contested: Set<Int>
    ) throws(Interrupted) -> Int? {
        var source = source
        for line in contested { source.lines[line - 1] = "" }
        guard let scenario = engine.compile(path, [path: source.text]).scenarios.first(where: { $0.name == name }) else {
            // Without them it is no scenario any more: what stands behind them nobody can verify.
            return made.filter { line in contested.contains { $0 < line } }.min()
        }
        guard let failure = try failure(of: scenario), let line = failure.line, failure.path == path, made.contains(line) else {
            return nil
        }
        return line
    }

    private func stopIfInterrupted() throws(Interrupted) {
        if host.interruption.isRequested { throw Interrupted() }
    }

    private func failure(of scenario: Scenario) throws(Interrupted) -> ScenarioFailure? {
        for number in 0..<settings.seedCount {
            for order in settings.orders {
                try stopIfInterrupted()
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
