import Foundation

/// The files that a test runner which started the tool wants written, by Bazel's Test Encyclopedia.
enum TestRunnerFiles {
    /// `TEST_SHARD_STATUS_FILE`: made to say that the tool heeds the variables of shards. Without it Bazel would take every shard for a whole run.
    static func acknowledgeShards(_ host: Host) throws(FileError) {
        guard let path = host.environment["TEST_SHARD_STATUS_FILE"], !path.isEmpty else { return }
        try host.files.write(Data(), to: path)
    }

    /// `XML_OUTPUT_FILE`: where the runner looks for a JUnit report.
    static func reports(_ environment: [String: String]) -> [ReportRequest] {
        guard let path = environment["XML_OUTPUT_FILE"], !path.isEmpty else { return [] }
        return [ReportRequest(format: .junit, path: path)]
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
