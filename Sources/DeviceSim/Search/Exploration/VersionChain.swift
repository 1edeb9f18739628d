import DeviceSimCore
import DeviceSimLanguage

/// A world of one value whose app keeps it elsewhere, or secures it otherwise, in each of three or four versions. Places repeat: a value that was moved away
/// comes back to where it was, with what marks and records say of it.
///
/// The declarations are drawn, so no two runs need have the same; the found scenario has them.
struct VersionChain {
    /// Where a version of the app has the value.
    private struct Place: Equatable {
        let domain: String
        /// How values can be secured there, the first of them where a value comes to lie there.
        let securities: [String]
        var accessGroup: String?
        /// The same folder by its path, or the same service or suite by its name.
        var alias: String?

        var isFolder: Bool { alias?.hasPrefix("fileSystem") ?? false }
    }

    private static let group = "\"group.com.example\""

    private static let places = [
        Place(
            domain: "userDefaults", securities: ["none", "recommended"], alias: "userDefaults suite \"com.example.app\""),
        Place(
            domain: "fileSystem documents", securities: ["none", "recommended"],
            alias: "fileSystem custom \"/private/Containers/Data/Application/com.example.app/Documents\""),
        Place(
            domain: "keychain", securities: ["keychain afterFirstUnlock", "keychain whenUnlocked"],
            alias: "keychain service \"com.example.app\""),
        Place(
            domain: "appGroupUserDefaults \(group)", securities: ["none", "recommended"], accessGroup: group,
            alias: "userDefaults suite \(group)"),
        Place(
            domain: "appGroupFileSystem \(group) documents", securities: ["none", "recommended"], accessGroup: group,
            alias: "fileSystem custom \"/Containers/Shared/AppGroup/group.com.example/Documents\""),
    ]

    /// One version's declaration.
    private struct Link {
        var place: Place
        var security: String
        var name: String
        /// The version that the value is migrated from, where one kept it elsewhere.
        var source: Int?
        /// Whether the app gives the place by its other name.
        var isByAlias = false
        var serializer = "json"

        var domain: String { isByAlias ? place.alias ?? place.domain : place.domain }
    }

    private let links: [Link]
    private let syncs: Bool
    private let type: String
    /// Whether a sealed value is given up whose key is gone.
    private let discards: Bool
    /// Other keys of the app, which no version changes.
    private let companions: [String]

    private static let possibleCompanions = [
        "key other: Int\n    domain  fileSystem documents\n    security  none\n    sync  automaticSmall\n",
        "key another: String\n    security  none\n    sync  automaticSmall\n",
        "key secret: String\n    domain  encryptedFileSystem documents\n",
        "key token: String\n    domain  keychain\n    security  keychain afterFirstUnlock\n    sync  automaticSmall\n",
    ]

    /// - Parameter hasWidget: Whether some version is to keep the value where a widget finds it.
    init(_ random: inout SeededGenerator, hasWidget: Bool) {
        // Drawn of numbers of their own, since they came later.
        var shapes = random.fork("shapes")
        type = shapes.below(5) == 0 ? "Data" : "String"
        discards = shapes.below(8) == 0
        var open = shapes.below(3) == 0 ? Self.possibleCompanions : []
        let companionCount = open.isEmpty ? 0 : 1 + shapes.below(2)
        companions = (0..<companionCount).map { _ in open.remove(at: shapes.below(open.count)) }
        syncs = random.below(3) != 0
        let count = 3 + random.below(2)
        // Few places, so that some repeat.
        var places = Self.places
        var chosen: [Place] = []
        if hasWidget { chosen.append(places.remove(at: 3 + random.below(2))) }
        while chosen.count < 2 + random.below(2) { chosen.append(places.remove(at: random.below(places.count))) }
        let naming = random.below(4)
        // An app may give a folder by its path in one version, and as what it is in another, and likewise a service or a suite.
        var paths = random.fork("paths")
        let hasAliases = paths.below(4) == 0
        // … or write a name otherwise, on a disk that takes both for one.
        let hasCases = paths.below(12) == 0
        // … or write values otherwise. Of what travels both devices would need one form.
        var forms = random.fork("forms")
        let hasForms = !syncs && forms.below(3) == 0
        // The version in which a widget finds the value, if one is to.
        let shared = hasWidget ? 1 + random.below(count) : 0
        var links: [Link] = []
        for version in 1...count {
            let others = version == shared && links.last?.place != chosen[0] ? [chosen[0]] : chosen.filter { $0 != links.last?.place }
            var link = Link(place: others[random.below(others.count)], security: "", name: "value", source: version > 1 ? version - 1 : nil)
            link.security = link.place.securities[random.below(link.place.securities.count)]
            // In place: the same name at the same place, secured otherwise. The migration stays, for who skips versions.
            if let before = links.last, random.below(4) == 0, version != shared || before.place == chosen[0],
                let security = before.place.securities.first(where: { $0 != before.security })
            {
                link = Link(place: before.place, security: security, name: before.name, source: before.source)
            } else if naming == 2, let place = chosen.firstIndex(of: link.place) {
                link.name = "value\(place)"
            } else if naming == 3 {
                // A name may come back wherever the value lies.
                link.name = "value\(random.below(3))"
            }
            if hasAliases, paths.below(2) == 0 { link.isByAlias = link.place.alias != nil }
            if hasAliases, let before = links.last, before.place.alias != nil, paths.below(3) == 0,
                version != shared || before.place == chosen[0]
            {
                (link.place, link.name, link.isByAlias) = (before.place, before.name, !before.isByAlias)
                if !link.place.securities.contains(link.security) { link.security = before.security }
            }
            if hasCases, link.place.isFolder, paths.below(2) == 0 { link.name = link.name.capitalized }
            if let before = links.last, before.place == link.place, before.isByAlias != link.isByAlias || before.name != link.name {
                link.source = version - 1
            }
            if hasForms {
                // At one place, as an app gives it, values have one form: nothing else could be declared.
                let here = links.first {
                    ($0.domain == link.domain || $0.place == link.place && !link.place.isFolder) && $0.name == link.name
                }
                link.serializer = here?.serializer ?? ["json", "plist"][forms.below(2)]
            }
            links.append(link)
        }
        self.links = links
    }

    /// The world in the words of a scenario file.
    var source: String {
        var lines: [String] = []
        for (index, link) in links.enumerated() {
            lines.append("key version\(index + 1): \(type)")
            func add(_ field: String, _ value: String) { lines.append("    \(field)  \(value)") }
            add("name", "\"\(link.name)\"")
            add("domain", link.domain)
            add("security", link.security)
            // What earlier versions left at this place, and what migrations take from theirs.
            var former: [String] = []
            for earlier in links[..<index] where earlier.place == link.place && earlier.name == link.name {
                let isAccepted = earlier.security == link.security || earlier.security.hasPrefix("keychain")
                if !isAccepted, !former.contains(earlier.security) { former.append(earlier.security) }
            }
            for security in former { add("formerly", security) }
            if let accessGroup = link.place.accessGroup { add("access group", accessGroup) }
            if link.serializer != "json" { add("serializer", link.serializer) }
            if discards, link.security == "recommended" { add("missing key", "discard") }
            if syncs { add("sync", "automaticSmall") }
            if index > 0 { add("since", "\(index + 1).0") }
            if index < links.count - 1 { add("until", "\(index + 1).9") }
            if let source = link.source { add("migrates", "from version\(source)") }
            lines.append("")
        }
        return (lines + companions + ["settle", ""]).joined(separator: "\n")
    }

    /// The world; `nil` where the language refuses it, and another is to be drawn.
    var world: Scenario? {
        let path = "built-in"
        let compilation = ScenarioCompiler.compile(path: path, files: .memory([path: source]))
        return compilation.scenarios.first
    }
}
