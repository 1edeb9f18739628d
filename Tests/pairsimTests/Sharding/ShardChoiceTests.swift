import Testing

@testable import PairsimTool

/// Which shard an invocation is, and what is said when that cannot be told.
struct ShardChoiceTests {
    private static func chosen(_ options: String, _ environment: [String: String]) throws -> Shard? {
        let command = try ArgumentParser.parse(["run"] + options.split(separator: " ").map(String.init))
        return try Shard.chosen(by: command, environment: environment)
    }

    @Test(
        arguments: [
            ("--shard 2/5", [:], "2/5", "--shard 2/5"),
            ("--shard=1/1", [:], "1/1", "--shard 1/1"),
            ("", ["TEST_SHARD_INDEX": "0", "TEST_TOTAL_SHARDS": "4"], "1/4", "TEST_SHARD_INDEX=0, TEST_TOTAL_SHARDS=4"),
            ("", ["TEST_SHARD_INDEX": "3", "TEST_TOTAL_SHARDS": "4"], "4/4", "TEST_SHARD_INDEX=3, TEST_TOTAL_SHARDS=4"),
            ("", ["CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "3"], "1/3", "CI_NODE_INDEX=1, CI_NODE_TOTAL=3"),
            ("--shard-count 8", ["JOB_COMPLETION_INDEX": "7"], "8/8", "JOB_COMPLETION_INDEX=7, --shard-count 8"),
            ("--shard-count 3", ["CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "3"], "2/3", "CI_NODE_INDEX=2, CI_NODE_TOTAL=3"),
            (
                "", ["SLURM_ARRAY_TASK_ID": "0", "SLURM_ARRAY_TASK_COUNT": "4"], "1/4",
                "SLURM_ARRAY_TASK_ID=0, SLURM_ARRAY_TASK_COUNT=4"
            ),
            (
                "", ["SLURM_ARRAY_TASK_ID": "4", "SLURM_ARRAY_TASK_COUNT": "4", "SLURM_ARRAY_TASK_MIN": "1"], "4/4",
                "SLURM_ARRAY_TASK_ID=4, SLURM_ARRAY_TASK_COUNT=4"
            ),
            // Two that agree.
            (
                "--shard-count 3", ["CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "3", "JOB_COMPLETION_INDEX": "1"], "2/3",
                "CI_NODE_INDEX=2, CI_NODE_TOTAL=3"
            ),
            // The option beats whatever the environment says, nonsense included.
            ("--shard 1/2", ["CI_NODE_INDEX": "x", "JOB_COMPLETION_INDEX": "9"], "1/2", "--shard 1/2"),
        ] as [(String, [String: String], String, String)])
    func aShard(options: String, environment: [String: String], notation: String, origin: String) throws {
        let shard = try #require(try Self.chosen(options, environment))
        #expect(shard.notation == notation)
        #expect(shard.origin == origin)
    }

    @Test(
        arguments: [
            [:], ["CI_NODE_TOTAL": "1"], ["TEST_TOTAL_SHARDS": "0", "TEST_SHARD_INDEX": "0"], ["CI_NODE_INDEX": "", "CI_NODE_TOTAL": ""],
        ] as [[String: String]])
    func everything(environment: [String: String]) throws {
        #expect(try Self.chosen("", environment) == nil)
    }

    @Test(
        arguments: [
            (
                "--shard-count 4", [:],
                "none of TEST_SHARD_INDEX, CI_NODE_INDEX, SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX is set; use --shard I/4"
            ),
            ("--shard-count 4 --shard 1/4", [:], "--shard-count has no place beside it"),
            (
                "", ["JOB_COMPLETION_INDEX": "2"],
                "JOB_COMPLETION_INDEX=2 says which shard, and nothing says of how many: add --shard-count N"
            ),
            ("", ["CI_NODE_TOTAL": "4"], "CI_NODE_TOTAL=4 says of how many shards, and CI_NODE_INDEX does not say which"),
            ("", ["CI_NODE_INDEX": "5", "CI_NODE_TOTAL": "4"], "CI_NODE_INDEX counts from 1, so the last of 4 is 4"),
            ("", ["TEST_SHARD_INDEX": "4", "TEST_TOTAL_SHARDS": "4"], "TEST_SHARD_INDEX counts from 0, so the last of 4 is 3"),
            (
                "", ["SLURM_ARRAY_TASK_ID": "4", "SLURM_ARRAY_TASK_COUNT": "4", "SLURM_ARRAY_TASK_MIN": "0"],
                "SLURM_ARRAY_TASK_ID counts from 0, so the last of 4 is 3"
            ),
            (
                "", ["SLURM_ARRAY_TASK_ID": "3", "SLURM_ARRAY_TASK_COUNT": "2", "SLURM_ARRAY_TASK_MIN": "3"],
                "an array that begins elsewhere than at 0 or 1 does not say which shards it is; say it with --shard I/N"
            ),
            ("", ["CI_NODE_INDEX": "0", "CI_NODE_TOTAL": "4"], "CI_NODE_INDEX=0 in the environment is no whole number from 1"),
            (
                "", ["TEST_SHARD_INDEX": "one", "TEST_TOTAL_SHARDS": "4"],
                "TEST_SHARD_INDEX=one in the environment is no whole number from 0"
            ),
            ("", ["CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "-4"], "CI_NODE_TOTAL=-4 in the environment is no whole number"),
            ("--shard-count 5", ["CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "4"], "--shard-count 5 and CI_NODE_TOTAL=4 disagree"),
            (
                "", ["CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "4", "TEST_SHARD_INDEX": "1", "TEST_TOTAL_SHARDS": "4"],
                "TEST_SHARD_INDEX=1, TEST_TOTAL_SHARDS=4 and CI_NODE_INDEX=1, CI_NODE_TOTAL=4 disagree; say which shard with --shard I/N"
            ),
        ] as [(String, [String: String], String)])
    func whatCannotBeToldIsAUsageError(options: String, environment: [String: String], message: String) throws {
        let error = try #require(throws: UsageError.self) { try Self.chosen(options, environment) }
        #expect(error.message.contains(message), "\(error.message)")
        var bench = Bench(["Scenarios/a.scenario": .passing()])
        bench.environment = environment
        #expect(bench.run("run \(options)").status == .usage)
    }

    @Test(arguments: ["0/4", "5/4", "4", "1/", "/4", "a/b", "1/2/3", "-1/4", "1/0", "1/10001"])
    func aNotationThatIsNone(text: String) throws {
        let error = try #require(throws: UsageError.self) { try ArgumentParser.parse(["run", "--shard=\(text)"]) }
        #expect(error.message == "--shard needs I/N, shard I of N with I from 1 to N and N up to 10000, such as 1/4, not \"\(text)\"")
    }
}
