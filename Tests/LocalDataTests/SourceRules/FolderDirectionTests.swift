import Foundation
import Testing

/// Folders have a direction: each knows those before it, and no other. What is left of circles is named here, with the reason.
@Suite struct FolderDirectionTests {
    struct Layers: Sendable, CustomTestStringConvertible {
        let root: String
        /// Lowest first. Folders in one group may know each other.
        let groups: [[String]]
        /// `folder -> type`, and why the folder may name a type from above.
        let exceptions: [String: String]
        var testDescription: String { root }
    }

    private static let door = "helpers, sequences and migrations are given the router that they belong to"
    private static let engines = "what is given the router calls what does the work"

    static let all = [
        Layers(
            root: "LocalData",
            groups: [
                ["Cryptography"], ["Environment"], ["Serialization"], ["Keys"], ["Storage"], ["Platform"], ["Sync"], ["Security"],
                ["Migration"], ["Catalog"], ["Engines"], ["Router"],
            ],
            exceptions: [
                "Environment -> SyncSnapshot": "an observer is told what sync found",
                "Environment -> SyncReport": "an observer is told what sync found",
                "Keys -> AnyStorageMigration": "a key declares its migration",
                "Storage -> StorageRouter": door,
                "Platform -> StorageRouter": "a simulation says which router is the process's",
                "Sync -> StorageRouter": door,
                "Security -> StorageRouter": door,
                "Migration -> StorageRouter": door,
                "Catalog -> StorageRouter": door,
                "Engines -> StorageRouter": door,
                "Security -> router.engines": engines,
                "Migration -> router.engines": engines,
                "Catalog -> router.engines": engines,
            ]),
        Layers(
            root: "DeviceSim/Core",
            groups: [["Values", "Faults", "Simulation", "Watchdog", "Device", "Storage", "Connectivity"], ["ReferenceApp"]],
            exceptions: [
                "Simulation -> ReferenceApp": "the app that devices run unless another is given",
                "Connectivity -> AppBehaviour": "what a transfer's end looks like to scenarios",
            ]),
        // The compiler keeps their direction; that there is none between their folders is by intention.
        Layers(
            root: "DeviceSim", groups: [["Core"], ["SystemShims"], ["Catalogue"], ["Language"], ["Runner"], ["Search"], ["Observation"]],
            exceptions: [:]),
    ]

    @Test(arguments: all) func foldersKnowOnlyThoseBelow(_ layers: Layers) throws {
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../../Sources/\(layers.root)")
            .standardizedFileURL
        let order = Dictionary(
            uniqueKeysWithValues: layers.groups.enumerated().flatMap { index, group in group.map { ($0, index) } })
        let declaration =
            #/^(?:@\w+(?:\([^)]*\))? )*(?:(?:public|package|final|indirect|nonisolated) )*(?:struct|class|enum|actor|protocol|typealias) (\w+)/#
        // A period ends a name, as a simple boundary has it.
        let typeName = #/\b[A-Z]\w+\b/#.wordBoundaryKind(.simple)
        let engines = #/\.engines\b/#.wordBoundaryKind(.simple)
        var declared: [String: Set<String>] = [:]
        var words: [String: Set<String>] = [:]
        for file in sourceFiles(below: sources) {
            let folder = String(file.path.dropFirst(sources.path.count + 1).prefix { $0 != "/" })
            guard !folder.hasSuffix(".swift") else { continue }
            #expect(order[folder] != nil, "\(folder) has no place in the order")
            for line in try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n") {
                let code = SourceRulesTests.withoutCommentsAndStrings(line)
                if let name = code.prefixMatch(of: declaration)?.output.1 { declared[String(name), default: []].insert(folder) }
                for match in code.matches(of: typeName) { words[folder, default: []].insert(String(match.output)) }
                if layers.root == "LocalData", code.contains(engines) { words[folder, default: []].insert("router.engines") }
            }
        }
        #expect(declared.count > 50, "the sources are not read")
        // Of two of one name nobody could tell which is meant.
        #expect(declared.filter { $0.value.count > 1 }.map(\.key).sorted() == [], "two folders declare a type of this name")
        if layers.root == "LocalData" { declared["router.engines"] = ["Engines"] }
        var upwards: Set<String> = []
        for (folder, names) in words {
            for name in names {
                guard let here = order[folder], let there = declared[name]?.compactMap({ order[$0] }).max(), there > here else { continue }
                upwards.insert("\(folder) -> \(name)")
            }
        }
        let known = Set(layers.exceptions.keys)
        #expect(upwards.subtracting(known).sorted() == [], "a folder below names a type from above")
        #expect(known.subtracting(upwards).sorted() == [], "these are no exceptions any more")
    }

    /// The table of engines in ARCHITECTURE.md: each names those above it, and none below. `Engines.swift` puts them together.
    @Test func enginesKnowOnlyThoseAbove() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..").standardizedFileURL
        let page = try String(contentsOf: root.appendingPathComponent("ARCHITECTURE.md"), encoding: .utf8)
        let table = try #require(page.components(separatedBy: "| engine | does | its state |\n").last)
        let names = table.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().prefix { $0.hasPrefix("|") }.compactMap {
            $0.firstMatch(of: #/^\| `(\w+)` \|/#).map { String($0.output.1) }
        }
        let order = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
        let word = #/\b[A-Z]\w+\b/#.wordBoundaryKind(.simple)
        var (read, breaches): (Set<String>, [String]) = ([], [])
        for file in sourceFiles(below: root.appendingPathComponent("Sources/LocalData/Engines")) {
            let engine = String(file.deletingPathExtension().lastPathComponent.prefix { $0 != "+" })
            let text = try String(contentsOf: file, encoding: .utf8)
            if engine != "Engines", text.contains(#/(?m)^final class \w+/#) {
                #expect(order[engine] != nil, "\(engine) has no place in the table")
            }
            guard let place = order[engine] else { continue }
            read.insert(engine)
            for line in text.split(separator: "\n") {
                for match in SourceRulesTests.withoutCommentsAndStrings(String(line)).matches(of: word) {
                    if let other = order[String(match.output)], other > place { breaches.append("\(engine) -> \(match.output)") }
                }
            }
        }
        #expect(read.sorted() == names.sorted(), "the table and the folder differ")
        #expect(names.count > 5 && breaches.isEmpty, "\(breaches)")
    }

    private func sourceFiles(below folder: URL) -> [URL] {
        (FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL } ?? [])
            .filter { $0.pathExtension == "swift" }
    }

    /// The tool names the layers that it depends on. It finds the umbrella `DeviceSim` only where that was built before, beside it.
    @Test func theToolImportsWhatItDependsOn() throws {
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../../Sources/pairsim")
            .standardizedFileURL
        let files = sourceFiles(below: sources)
        #expect(!files.isEmpty)
        for file in files {
            let imports = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter {
                $0.contains(#/^(?:@\w+ )*(?:\w+ )?import DeviceSim\s*$/#)
            }
            #expect(imports.isEmpty, "\(file.path)")
        }
    }
}
