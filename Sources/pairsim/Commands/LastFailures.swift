import Foundation

/// The scenarios that failed when they were last run from a folder: what `run --failed` runs.
///
/// Kept in the person's cache, never in the project: `$XDG_CACHE_HOME/pairsim`, or `~/.cache/pairsim`. Where neither is known nothing is kept.
struct LastFailures {
    private let host: Host

    init(_ host: Host) {
        self.host = host
    }

    private var path: String? {
        let cache =
            if let named = host.environment["XDG_CACHE_HOME"], named.hasPrefix("/") {
                named
            } else if let home = host.environment["HOME"], home.hasPrefix("/") {
                home + "/.cache"
            } else {
                ""
            }
        guard !cache.isEmpty else { return nil }
        return "\(cache)/pairsim/failed-\(TraceFingerprint(of: Array(host.folder.utf8))).json"
    }

    /// The names, sorted. A file that is missing, damaged or of another folder has none.
    var names: [String] {
        guard let path, let data = try? host.files.read(path), let members = try? JSONValue(reading: data).members("failed"),
            (try? members.text("folder")) == host.folder, let names = try? members.texts("failed")
        else { return [] }
        return names
    }

    /// Takes what came of some scenarios; the others stay as they are. A cache that cannot be written is no failure of the run.
    func note(failed: Set<String>, passed: Set<String>) {
        let before = names
        let now = Set(before).subtracting(passed).union(failed).sorted()
        guard now != before, let path else { return }
        let document = JSONValue.object(["version": .number(1), "folder": .text(host.folder), "failed": .texts(now)])
        do throws(FileError) {
            try host.files.write(Data(document.rendered().utf8), to: path)
        } catch {
            // Nothing depends on it but the next `--failed`, which then has nothing new.
        }
    }
}
