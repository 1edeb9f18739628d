import DeviceSim
import Foundation
import TestSupport
import Testing

@testable import PairsimTool

/// The examples in `Examples/CI`, played through with the variables that their runners set.
struct ContinuousIntegrationTests {
    private static let folder = repository.appendingPathComponent("Examples/CI")

    private func text(_ name: String) throws -> String {
        try String(contentsOf: Self.folder.appendingPathComponent(name), encoding: .utf8)
    }

    /// What the file lets a shell do with pairsim, as arguments.
    private func commands(in text: String, _ replacements: [String: String] = [:]) -> [[String]] {
        let lines = text.split(separator: "\n").filter { $0.drop { $0 == " " }.first != "#" }
        return lines.compactMap { line in
            guard let range = line.range(of: "pairsim (run|explore|merge) ", options: .regularExpression) else { return nil }
            var command = String(line[range.lowerBound...].dropFirst("pairsim ".count))
            for (variable, value) in replacements { command = command.replacing(variable, with: value) }
            return command.split(separator: " ").map(String.init)
        }
    }

    /// The number behind a word.
    private func number(behind word: String, in text: String) throws -> Int {
        let rest = try #require(
            text.components(separatedBy: "\n").first { $0.contains(word) && !$0.contains("#") }?.components(separatedBy: word).last)
        return try #require(Int(rest.drop { !$0.isNumber }.prefix { $0.isNumber }))
    }

    private func bench() -> Bench {
        Bench(Dictionary(uniqueKeysWithValues: (0..<10).map { ("Scenarios/\($0).scenario", .passing()) }))
    }

    @Test func gitHub() throws {
        let text = try text("github-actions.yml")
        let list = try #require(text.components(separatedBy: "shard: [").last?.components(separatedBy: "]").first)
        let shards = list.components(separatedBy: ", ").compactMap { Int($0) }
        #expect(shards == Array(1...shards.count))
        let bench = bench()
        for shard in shards {
            let values = ["${{ matrix.shard }}": "\(shard)", "${{ strategy.job-total }}": "\(shards.count)"]
            let command = try #require(commands(in: text, values).first)
            #expect(bench.run(command).status == .passed)
            // The artifact is the report.
            #expect(bench.files.text("shard-\(shard).json") != nil)
            try bench.files.write(try #require(bench.files["shard-\(shard).json"]), to: "reports/shard-\(shard).json")
        }
        let ending = bench.run(try #require(commands(in: text).last))
        #expect(ending.status == .passed)
        #expect(ending.output == "10 passed, 0 failed: \(shards.count) of \(Plural.of(shards.count, "shard"))\n")
        #expect(bench.files.text("scenarios.xml") != nil && bench.files.text("scenarios.html") != nil)
    }

    @Test func gitLab() throws {
        let text = try text("gitlab-ci.yml")
        let count = try number(behind: "parallel:", in: text)
        var bench = bench()
        for index in 1...count {
            bench.environment = ["CI_NODE_INDEX": "\(index)", "CI_NODE_TOTAL": "\(count)"]
            let ending = bench.run(try #require(commands(in: text, ["$CI_NODE_INDEX": "\(index)"]).first))
            #expect(ending.status == .passed)
            #expect(ending.output.hasPrefix("Shard \(index) of \(count) (CI_NODE_INDEX=\(index), CI_NODE_TOTAL=\(count)): "))
            #expect(bench.files.text("scenarios.xml") != nil)
        }
        bench.environment = ["CI_NODE_TOTAL": "1"]
        let ending = bench.run(try #require(commands(in: text).last))
        #expect(ending.status == .passed)
        #expect(ending.output == "10 passed, 0 failed: \(count) of \(count) shards\n")
    }

    @Test func kubernetes() throws {
        let text = try text("kubernetes-job.yaml")
        let count = try number(behind: "completions:", in: text)
        #expect(try number(behind: "parallelism:", in: text) == count)
        var bench = Bench()
        bench.realEngine = .deviceSim()
        for index in 0..<count {
            bench.environment = ["JOB_COMPLETION_INDEX": "\(index)"]
            let values = ["$JOB_COMPLETION_INDEX": "\(index)", "--for 1h": "--runs \(count)"]
            let ending = bench.run(try #require(commands(in: text, values).first))
            #expect(ending.status == .passed)
            #expect(
                ending.output.hasPrefix(
                    "Shard \(index + 1) of \(count) (JOB_COMPLETION_INDEX=\(index), --shard-count \(count)): 1 of \(count) runs\n"))
        }
        // The command that joins stands in the file's own explanation.
        let line = try #require(text.components(separatedBy: "\n").first { $0.contains("pairsim merge ") })
        let ending = bench.run(try #require(commands(in: line.replacing("#", with: "")).first))
        #expect(ending.status == .passed)
        let reservation = "; it was not checked what motto and mottoBefore hold"
        #expect(ending.output == "\(count) runs, no failure: \(count) of \(count) shards\(reservation)\n")
    }

    @Test func slurm() throws {
        let text = try text("slurm-array.sh")
        let count = try #require(text.firstMatch(of: #/--array=0-(\d+)/#).flatMap { Int($0.output.1) }) + 1
        var bench = Bench()
        bench.realEngine = .deviceSim()
        for index in 0..<count {
            bench.environment = [
                "SLURM_ARRAY_TASK_ID": "\(index)", "SLURM_ARRAY_TASK_COUNT": "\(count)", "SLURM_ARRAY_TASK_MIN": "0",
            ]
            let values = ["$SLURM_ARRAY_TASK_ID": "\(index)", "--runs 40000000 --for 4h": "--runs \(count)"]
            let ending = bench.run(try #require(commands(in: text, values).first))
            #expect(ending.status == .passed)
            #expect(
                ending.output.hasPrefix(
                    "Shard \(index + 1) of \(count) (SLURM_ARRAY_TASK_ID=\(index), SLURM_ARRAY_TASK_COUNT=\(count)): 1 of "))
        }
        let line = try #require(text.components(separatedBy: "\n").first { $0.contains("pairsim merge ") })
        let ending = bench.run(try #require(commands(in: line.replacing("#", with: "")).first))
        #expect(ending.status == .passed)
        let reservation = "; it was not checked what motto and mottoBefore hold"
        #expect(ending.output == "\(count) runs, no failure: \(count) of \(count) shards\(reservation)\n")
    }

    @Test func bazel() throws {
        let text = try text("BUILD.bazel")
        let count = try number(behind: "shard_count =", in: text)
        let list = try #require(text.components(separatedBy: "args = [").last?.components(separatedBy: "]").first)
        let arguments = list.components(separatedBy: ", ").map { $0.trimmingCharacters(in: ["\""]) }
        var bench = bench()
        var runs = 0
        for index in 0..<count {
            bench.environment = [
                "TEST_SHARD_INDEX": "\(index)", "TEST_TOTAL_SHARDS": "\(count)", "TEST_SHARD_STATUS_FILE": "status",
                "XML_OUTPUT_FILE": "test.xml",
            ]
            bench.files = MemoryFiles(Array(bench.scripts.keys))
            #expect(bench.run(arguments).status == .passed)
            #expect(bench.files.text("status") != nil)
            runs += (bench.files.text("test.xml") ?? "").components(separatedBy: "<testcase ").count - 1
        }
        #expect(runs == 10)
    }

    /// What the page says of the variables is what the tool reads.
    @Test func thePageNamesEveryVariableAndFile() throws {
        let page = try text("README.md")
        for convention in ShardConvention.all {
            let row = page.components(separatedBy: "\n").first { $0.contains("`\(convention.index)`") }
            #expect(row?.hasSuffix("| \(convention.firstIndex) |") == true)
            #expect(convention.total.map { row?.contains("`\($0)`") == true } ?? true)
        }
        for name in try FileManager.default.contentsOfDirectory(atPath: Self.folder.path) where name != "README.md" {
            #expect(page.contains("[\(name)](\(name))"))
        }
    }
}
