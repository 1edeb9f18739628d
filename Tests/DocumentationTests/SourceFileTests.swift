import Foundation
import TestSupport
import Testing

/// Files of a natural size, and where they are said to be.
@Suite struct SourceFileTests {
    private static let sources = repository.appendingPathComponent("Sources")

    /// Files with fewer lines than a topic has, each with its reason.
    private static let small: Set<String> = [
        "DeviceSim/DeviceSim.swift",  // what the library exports
        "DeviceSim/Core/Simulation/HostRuntime.swift",
        "DeviceSim/Core/ReferenceApp/ReferenceApp+SimulatedApp.swift",  // the app beside it reads as an app does, without this
        "DeviceSim/SystemShims/WatchNames.swift",  // what the module shows of the core
        "DeviceSim/Language/Compiler/StartState+Contradiction.swift",
        "DeviceSim/Runner/Run/WCSessionActivationState+Notation.swift",
        "DeviceSim/SystemShims/WatchNames.swift",  // what made modules of a watch export
        "LocalData/Platform/StorageEnvironment+Platform.swift",
        "LocalData/Platform/SystemClock.swift",
        "WatchConnectivity/WCSessionActivationState.swift",  // laid out as Apple's headers
        "pairsim/Main/main.swift",
    ]

    private static let lineCounts: [(path: String, count: Int)] = {
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: sources.path)) ?? []
        return paths.sorted().filter { $0.hasSuffix(".swift") }.map { path in
            let data = try? Data(contentsOf: sources.appendingPathComponent(path))
            return (path, data.map { $0.count { $0 == UInt8(ascii: "\n") } } ?? 0)
        }
    }()

    /// A file is a topic that one reads in a sitting. Of the apps with a mistake each has a file, however short.
    @Test func filesHaveANaturalSize() {
        #expect(Self.lineCounts.count > 300)
        for (path, count) in Self.lineCounts where !path.hasPrefix("DeviceSim/Catalogue/NaiveApps/") {
            #expect(count <= 450, "\(path) has \(count) lines: several topics?")
            #expect(count >= 15 || Self.small.contains(path), "\(path) has \(count) lines: which topic is it of?")
        }
    }

    @Test func exceptionsAreNeeded() {
        for path in Self.small.sorted() {
            #expect(Self.lineCounts.contains { $0.path == path && $0.count < 15 }, "\(path) is no longer a small file")
        }
    }

    /// What CONTRIBUTING says under *Where is …?*
    @Test func whatIsSomewhereIsThere() throws {
        let page = try String(contentsOf: repository.appendingPathComponent("CONTRIBUTING.md"), encoding: .utf8)
        let section = try #require(page.components(separatedBy: "## Where is …?").dropFirst().first).components(separatedBy: "\n## ")[0]
        let paths = section.matches(of: /\| `([^`]+\.swift)` \|/).map { String($0.1) }
        #expect(paths.count == 30)
        for path in paths { #expect(Self.lineCounts.contains { $0.path == path }, "there is no Sources/\(path)") }
    }
}
