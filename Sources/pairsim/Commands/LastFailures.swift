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

    /// What is in the way of keeping them; `nil` where nothing is.
    var obstacle: (path: String, reason: String)? {
        guard let path else { return ("a cache", "neither XDG_CACHE_HOME nor HOME names a folder") }
        return host.files.obstacle(toWritingIn: RealFiles.folder(of: path)).map { ($0.path, $0.reason) }
    }

    /// More seeds and orders of one scenario than these are not kept.
    private static let limit = 1_000

    /// Each by its name, with the seeds and the orders that it failed under; `nil` among them where it could not be run. A file that is missing, damaged or of
    /// another folder has none.
    var failures: [String: Set<RunVariation?>] {
        guard let path, let data = try? host.files.read(path), let members = try? JSONValue(reading: data).members("failed"),
            (try? members.text("folder")) == host.folder, case .list(let list)? = members.values["failed"]
        else { return [:] }
        return list.reduce(into: [:]) { failures, value in
            // An earlier version kept the names alone.
            if case .text(let name) = value { failures[name, default: []].insert(nil) }
            guard let failure = try? value.members("failure"), let name = try? failure.text("name") else { return }
            let seed = (try? failure.text("seed")).flatMap { UInt64($0) }
            let order = (try? failure.text("order")).flatMap { UInt64($0) }
            var variation: RunVariation?
            if let seed, let order { variation = RunVariation(seed: seed, order: order) }
            failures[name, default: []].insert(variation)
        }
    }

    /// Takes what came of some scenarios; the others stay as they are. A cache that cannot be written is no failure of the run.
    /// - Parameter passed: What they do not fail under any more.
    func note(failed: [String: Set<RunVariation?>], passed: [String: Set<RunVariation?>]) {
        guard let path, joined(failed, passed) != nil else { return }
        // Other runs from the same folder may end at this moment, and none is to take away what another one noted.
        host.files.alone(at: path) {
            if let now = joined(failed, passed) { write(now, to: path) }
        }
    }

    /// What is to be kept; `nil` where that is what is kept already.
    private func joined(_ failed: [String: Set<RunVariation?>], _ passed: [String: Set<RunVariation?>]) -> [String: Set<RunVariation?>]? {
        let before = failures
        var now = before
        for (name, variations) in passed { now[name]?.subtract(variations) }
        now.merge(failed) { $0.union($1) }
        now = now.filter { !$0.value.isEmpty }.mapValues { Set($0.sorted(by: Self.precedes).prefix(Self.limit)) }
        return now == before ? nil : now
    }

    private static func precedes(_ left: RunVariation?, _ right: RunVariation?) -> Bool {
        guard let left, let right else { return left == nil && right != nil }
        return (left.seed, left.order) < (right.seed, right.order)
    }

    private func write(_ now: [String: Set<RunVariation?>], to path: String) {
        let list = now.sorted { $0.key < $1.key }.flatMap { name, variations in
            variations.sorted(by: Self.precedes).map { variation -> JSONValue in
                var members: [String: JSONValue] = ["name": .text(name)]
                // As texts: a seed may have 64 bits.
                if let variation { members.merge(["seed": .text("\(variation.seed)"), "order": .text("\(variation.order)")]) { $1 } }
                return .object(members)
            }
        }
        let document = JSONValue.object(["version": .number(2), "folder": .text(host.folder), "failed": .list(list)])
        do throws(FileError) {
            try host.files.write(Data(document.rendered().utf8), to: path)
        } catch {
            // Nothing depends on it but the next `--failed`, which then has nothing new.
        }
    }
}
