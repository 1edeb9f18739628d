import DeviceSim
import Foundation
import Testing

@testable import documentation_check

/// What the documents show is what there is: code is code that compiles, scenarios run, links lead somewhere.
@Suite struct DocumentTests {
    static let pages: [Page] = Page.all

    @Test func thePagesAreFound() {
        let paths = Self.pages.map(\.path)
        #expect(paths.contains("README.md"))
        #expect(paths.contains { $0.hasSuffix("LocalData.docc/GettingStarted.md") })
        #expect(paths.contains { $0.hasSuffix("DeviceSim.docc/GettingStarted.md") })
        #expect(Self.pages.flatMap(\.blocks).count { $0.language == "swift" } > 15)
    }

    /// To change an example, change the page and the file in this folder.
    @Test(arguments: pages) func swiftCodeIsCompiledSomewhere(_ page: Page) throws {
        for block in page.blocks where block.language == "swift" && !block.isManifest {
            #expect(
                Sources.all.contains { $0.contains(block.code) },
                "\(page.path):\(block.line): this code is in no file of Tests/DocumentationTests, Examples or DeviceSim's reference app")
        }
    }

    /// A manifest names this package's products.
    @Test(arguments: pages) func manifestsNameProducts(_ page: Page) throws {
        let manifest = try Page.text("Package.swift")
        for block in page.blocks where block.isManifest {
            let list = try #require(block.text.firstMatch(of: /= \[([^\]]*)\]\.map/))
            for name in list.1.matches(of: /"([A-Za-z]+)"/) {
                #expect(manifest.contains(".library(name: \"\(name.1)\""), "\(page.path): there is no product \(name.1)")
            }
            for name in block.text.matches(of: /\.plugin\(name: "([A-Za-z]+)"/) {
                #expect(manifest.contains(".plugin(name: \"\(name.1)\""), "\(page.path): there is no plugin \(name.1)")
            }
        }
    }

    /// A scenario on a page passes, or fails as the output below it says.
    @Test(arguments: pages.filter { $0.path != "Scenarios/GRAMMAR.md" }) func scenariosRun(_ page: Page) throws {
        for (block, following) in zip(page.blocks, page.blocks.dropFirst().map(Optional.some) + [nil]) where block.language == "scenario" {
            let place = "\(page.path):\(block.line)"
            if Page.scenarioFiles.contains(block.text) { continue }
            let compilation = ScenarioCompiler.compile(path: "theme.scenario", files: .memory(["theme.scenario": block.text]))
            #expect(compilation.diagnostics.isEmpty, "\(place): \(ScenarioDiagnostic.rendered(compilation.diagnostics))")
            for scenario in compilation.scenarios {
                let result = ScenarioRunner.run(scenario)
                guard let output = following?.text, output.contains("pairsim run theme.scenario") else {
                    #expect(result.outcome.failure == nil, "\(place): \(String(describing: result.outcome.failure))")
                    continue
                }
                let failure = try #require(result.outcome.failure, "\(place) passes, and its page shows a failure")
                #expect(output.contains("theme.scenario:\(failure.line ?? 0):"), "\(place): it fails in line \(failure.line ?? 0)")
                #expect(output.contains("expected  \(failure.expected ?? "")"))
                #expect(output.contains("actual    \(failure.actual ?? "")"))
                let shown = try #require(output.components(separatedBy: "    …\n").dropFirst().first).components(separatedBy: "\n\n")[0]
                let events = shown.components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
                #expect(Array(failure.lastEvents.suffix(events.count)) == events, "\(place)")
            }
        }
    }

    @Test(arguments: pages) func linksLeadSomewhere(_ page: Page) throws {
        let folder = Page.root.appendingPathComponent(page.path).deletingLastPathComponent()
        for link in page.prose.matches(of: /\]\(([^)#:]+)(?:#[^)]*)?\)/) {
            let target = folder.appendingPathComponent(String(link.1)).standardizedFileURL.path
            #expect(FileManager.default.fileExists(atPath: target), "\(page.path): there is no \(link.1)")
        }
    }

    /// CONTRIBUTING and CI name the same commands in the same order.
    @Test func continuousIntegrationRunsWhatContributingSays() throws {
        func command(_ line: String) -> String { line.trimmingCharacters(in: .whitespaces) }
        let page = try #require(Self.pages.first { $0.path == "CONTRIBUTING.md" }?.blocks.first { $0.language == "sh" })
        let listed = page.text.split(separator: "\n").map { command($0.components(separatedBy: " #")[0]) }
        let run = try Page.text(".ci/run").split(separator: "\n").filter { $0.hasPrefix("step ") }.map { command(String($0.dropFirst(5))) }
        #expect(listed == run)
    }

    @Test func theArticleNamesEveryInvariant() throws {
        let article = try #require(Self.pages.first { $0.path.hasSuffix("DeviceSim.docc/Checks.md") })
        let rows = article.prose.components(separatedBy: "\n").filter { $0.hasPrefix("| ") }.dropFirst(2)
        #expect(Array(rows) == Invariant.allCases.map { "| \($0.rawValue) | \($0.sentence) |" })
    }

    @Test func theReadmeFitsOnTwoScreens() throws {
        #expect(try Page.text("README.md").split(separator: "\n", omittingEmptySubsequences: false).count <= 121)
    }

    /// The check of comments catches what it is for.
    @Test func aCommentThatOnlyRepeatsTheNameSaysNothing() {
        #expect(SymbolGraph.saysNothing("The key.", of: "Pending.key"))
        #expect(SymbolGraph.saysNothing("Returns the stored values", of: "Store.storedValue"))
        #expect(!SymbolGraph.saysNothing("The name of the key.", of: "Pending.key"))
        #expect(!SymbolGraph.saysNothing("In bytes.", of: "size"))
    }

    @Test func aSymbolWithoutACommentIsNamed() throws {
        let graph = """
            {"symbols": [
              {"identifier": {"precise": "a"}, "pathComponents": ["Key", "name"], "kind": {"identifier": "swift.property"},
               "location": {"uri": "file:///project/Sources/Key.swift", "position": {"line": 4, "character": 0}}},
              {"identifier": {"precise": "b"}, "pathComponents": ["Key", "id"], "kind": {"identifier": "swift.property"},
               "docComment": {"lines": [{"text": "Stable over launches."}]},
               "location": {"uri": "file:///project/Sources/Key.swift", "position": {"line": 6, "character": 0}}},
              {"identifier": {"precise": "c"}, "pathComponents": ["Key", "next()"], "kind": {"identifier": "swift.method"},
               "location": {"uri": "file:///project/Sources/Key.swift", "position": {"line": 8, "character": 0}}}],
             "relationships": [{"kind": "memberOf", "source": "c", "target": "d", "sourceOrigin": {"identifier": "e"}}]}
            """
        let problems = try JSONDecoder().decode(SymbolGraph.self, from: Data(graph.utf8)).problems(root: "/project")
        #expect(problems.map(\.description) == ["Sources/Key.swift:5: error: 'Key.name' has no documentation comment"])
    }
}
