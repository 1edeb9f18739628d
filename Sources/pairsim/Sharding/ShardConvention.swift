import Foundation

/// How a runner of tests or jobs tells each of its machines which part of the work is its own: in environment variables.
struct ShardConvention: Sendable {
    let index: String
    /// `nil` where the runner does not pass it on.
    let total: String?
    /// What the runner calls the first shard.
    let firstIndex: Int
    /// Where the runner says what it calls the first shard: 0 or 1.
    var firstVariable: String?

    static let all = [bazel, gitLab, slurm, kubernetes]
    /// Bazel's Test Encyclopedia.
    static let bazel = ShardConvention(index: "TEST_SHARD_INDEX", total: "TEST_TOTAL_SHARDS", firstIndex: 0)
    /// GitLab's predefined variables of jobs with `parallel`. `CI_NODE_TOTAL` is 1 in the other jobs.
    static let gitLab = ShardConvention(index: "CI_NODE_INDEX", total: "CI_NODE_TOTAL", firstIndex: 1)
    /// Slurm's job arrays, from 0 or from 1 on, without gaps.
    static let slurm = ShardConvention(
        index: "SLURM_ARRAY_TASK_ID", total: "SLURM_ARRAY_TASK_COUNT", firstIndex: 0, firstVariable: "SLURM_ARRAY_TASK_MIN")
    /// Kubernetes' Indexed Jobs.
    static let kubernetes = ShardConvention(index: "JOB_COMPLETION_INDEX", total: nil, firstIndex: 0)

    /// The shard that the environment names by this convention; `nil` if it names none.
    ///
    /// - Parameter statedCount: What `--shard-count` says.
    func shard(in environment: [String: String], statedCount: Int?, of command: CommandName) throws(UsageError) -> Shard? {
        let indexText = environment[index].flatMap { $0.isEmpty ? nil : $0 }
        let totalText = total.flatMap { environment[$0] }.flatMap { $0.isEmpty ? nil : $0 }
        let count = try totalText.map { text throws(UsageError) in try number(text, of: total ?? "", from: 0, command) }
        // What a job or a test that is not divided has: no index, or no shards.
        guard count != 0, indexText != nil || (count ?? 1) != 1 else { return nil }
        guard let indexText else {
            throw UsageError("\(said(total, totalText)) says of how many shards, and \(index) does not say which", command: command)
        }
        let firstIndex = try first(in: environment, command)
        let value = try number(indexText, of: index, from: firstIndex, command)
        if let count, let statedCount, count != statedCount {
            throw UsageError("--shard-count \(statedCount) and \(said(total, totalText)) disagree", command: command)
        }
        guard let count = count ?? statedCount else {
            throw UsageError(
                "\(said(index, indexText)) says which shard, and nothing says of how many: add --shard-count N, or --shard 1/1 for everything",
                command: command)
        }
        let origin = [said(index, indexText), totalText == nil ? "--shard-count \(count)" : said(total, totalText)].joined(separator: ", ")
        guard value - firstIndex < count else {
            throw UsageError(
                "\(origin): \(index) counts from \(firstIndex), so the last of \(count) is \(count - 1 + firstIndex)", command: command)
        }
        return Shard(number: value - firstIndex + 1, count: count, origin: origin)
    }

    private func first(in environment: [String: String], _ command: CommandName) throws(UsageError) -> Int {
        guard let firstVariable, let text = environment[firstVariable], !text.isEmpty else { return firstIndex }
        guard let first = Int(text), (0...1).contains(first) else {
            throw UsageError(
                "\(said(firstVariable, text)): an array that begins elsewhere than at 0 or 1 does not say which shards it is; say it with --shard I/N",
                command: command)
        }
        return first
    }

    private func number(_ text: String, of variable: String, from first: Int, _ command: CommandName) throws(UsageError) -> Int {
        guard let number = Int(text), (first...Shard.maximumCount).contains(number) else {
            throw UsageError(
                "\(said(variable, text)) in the environment is no whole number from \(first) to \(Shard.maximumCount); unset it, or say which shard with --shard I/N",
                command: command)
        }
        return number
    }

    private func said(_ variable: String?, _ text: String?) -> String { "\(variable ?? "")=\(text ?? "")" }
}

extension Shard {
    /// The shard that a command line asks for; else the one that the environment names; else `nil`: everything.
    static func chosen(by command: ParsedCommand, environment: [String: String]) throws(UsageError) -> Shard? {
        let stated = command.number(.shardCount).map { Int($0) }
        if let text = command.text(.shard) {
            guard stated == nil else {
                throw UsageError("--shard says of how many, so --shard-count has no place beside it", command: command.name)
            }
            return Shard(notation: text, origin: "--shard \(text)")
        }
        var found: [Shard] = []
        for convention in ShardConvention.all {
            guard let shard = try convention.shard(in: environment, statedCount: stated, of: command.name) else { continue }
            found.append(shard)
        }
        guard let first = found.first else {
            guard let stated else { return nil }
            let variables = ShardConvention.all.map(\.index).joined(separator: ", ")
            throw UsageError(
                "--shard-count \(stated) says of how many shards, and nothing says which: none of \(variables) is set; use --shard I/\(stated)",
                command: command.name)
        }
        if let other = found.first(where: { !$0.isSame(as: first) }) {
            throw UsageError("\(first.origin) and \(other.origin) disagree; say which shard with --shard I/N", command: command.name)
        }
        return first
    }
}

/// The files that a test runner which started the tool wants written, by Bazel's Test Encyclopedia.
enum TestRunnerFiles {
    /// `TEST_SHARD_STATUS_FILE`: made to say that the tool heeds the variables of shards. Without it Bazel would take every shard for a whole run.
    static func acknowledgeShards(_ host: Host) throws(FileError) {
        guard let path = host.environment["TEST_SHARD_STATUS_FILE"], !path.isEmpty else { return }
        // That it is there is what counts: what it has is not touched.
        try host.files.append(Data(), to: path)
    }

    /// `XML_OUTPUT_FILE`: where the runner looks for a JUnit report.
    static func reports(_ environment: [String: String]) -> [ReportRequest] {
        let variable = "XML_OUTPUT_FILE"
        guard let path = environment[variable], !path.isEmpty else { return [] }
        return [ReportRequest(format: .junit, path: path, variable: variable)]
    }
}

extension Console {
    /// - Returns: Whether the runner that divides the work has been told that the tool heeds it.
    func acknowledgeShards(_ host: Host) -> Bool {
        do throws(FileError) {
            try TestRunnerFiles.acknowledgeShards(host)
            return true
        } catch {
            complain(error.text("write"))
            return false
        }
    }

    /// Says which part this is, and what said so: a variable that somebody forgot must not silently leave out most of the work.
    func introduce(_ shard: Shard, part: String) {
        print(style.paint("Shard \(shard.number) of \(shard.count) (\(SafeText.line(shard.origin))): \(part)", .dim))
    }
}
