import DeviceSimCore
import DeviceSimLanguage

/// A world of values that a later version of the app makes one of, or another form of one: after they were moved or renamed, or before. What one device is told of a part by a
/// counterpart of an earlier version must come to be part of the whole.
struct JoinedChain {
    private static let places = [
        "userDefaults", "fileSystem documents", "encryptedFileSystem documents", "keychain", "fileSystem caches",
    ]

    /// One version's declaration of a value.
    private struct Link {
        let identifier: String
        var name: String
        var domain: String
        var since: Int
        var until: Int?
        var migration: String?
    }

    private let links: [Link]
    private let syncs: Bool

    init(_ random: inout SeededGenerator) {
        syncs = random.below(4) != 0
        let count = 1 + random.below(3)
        // The version that makes one of them, and whether the one is moved afterwards.
        let joint = 2 + random.below(2)
        let isMovedOn = random.below(3) == 0
        var links: [Link] = []
        var parts: [String] = []
        for part in 1...count {
            var link = Link(
                identifier: "part\(part)", name: "part\(part)", domain: Self.places[random.below(Self.places.count)], since: 1,
                until: joint - 1)
            // In the version between it gets another name, or another place, or both, or stays.
            if joint == 3, random.below(3) != 0 {
                var next = link
                next = Link(
                    identifier: "part\(part)Later", name: link.name, domain: link.domain, since: 2, until: 2,
                    migration: "from \(link.identifier)")
                let change = random.below(3)
                if change != 1 { next.name = "later\(part)" }
                if change != 0 { next.domain = Self.places[random.below(Self.places.count)] }
                if next.name != link.name || next.domain != link.domain {
                    link.until = 1
                    links.append(link)
                    link = next
                }
            }
            links.append(link)
            parts.append(link.identifier)
        }
        let awaits = count > 1 && random.below(3) == 0 ? " awaiting all" : ""
        let migration = count == 1 ? "from \(parts[0]) by uppercasing" : "from \(parts.joined(separator: " and ")) by joining\(awaits)"
        var whole = Link(
            identifier: "whole", name: "whole", domain: Self.places[random.below(Self.places.count)], since: joint, migration: migration)
        if isMovedOn {
            whole.until = joint
            links.append(whole)
            whole = Link(
                identifier: "wholeLater", name: random.below(2) == 0 ? "whole" : "all",
                domain: Self.places[random.below(Self.places.count)],
                since: joint + 1, migration: "from whole")
            if whole.name == "whole", whole.domain == links.last?.domain { whole.name = "all" }
        }
        self.links = links + [whole]
    }

    /// The world in the words of a scenario file.
    var source: String {
        var lines: [String] = []
        for link in links {
            lines.append("key \(link.identifier): String")
            lines.append("    name  \"\(link.name)\"")
            lines.append("    domain  \(link.domain)")
            if !link.domain.hasPrefix("encrypted") {
                lines.append("    security  \(link.domain == "keychain" ? "keychain afterFirstUnlock" : "none")")
            }
            if syncs { lines.append("    sync  automaticSmall") }
            if link.since > 1 { lines.append("    since  \(link.since).0") }
            if let until = link.until { lines.append("    until  \(until).9") }
            if let migration = link.migration { lines.append("    migrates  \(migration)") }
            lines.append("")
        }
        return (lines + ["settle", ""]).joined(separator: "\n")
    }

    /// The world; `nil` where the language refuses it, and another is to be drawn.
    var world: Scenario? {
        let path = "built-in"
        return ScenarioCompiler.compile(path: path, files: .memory([path: source])).scenarios.first
    }
}
