import Foundation
import Testing

@testable import PairsimTool

struct ScenarioFinderTests {
    @Test func aFoldersOwnFilesComeFirst() {
        var finder = ScenarioFinder(
            files: MemoryFiles(["S/b/x.scenario", "S/a/y.scenario", "S/z.scenario", "S/c.txt", "S/a/.hidden.scenario"]))
        finder.search(["S"])
        #expect(finder.found == ["S/z.scenario", "S/a/y.scenario", "S/b/x.scenario"])
        #expect(finder.troubles.isEmpty)
    }

    @Test func pathsKeepTheOrderOfTheUser() {
        var finder = ScenarioFinder(files: MemoryFiles(["b.scenario", "a.scenario", "any.txt"]))
        finder.search(["./b.scenario", "a.scenario", "any.txt", "b.scenario"])
        #expect(finder.found == ["b.scenario", "a.scenario", "any.txt"])
    }

    @Test(arguments: [
        ("S/link.scenario", "cannot read S/link.scenario: it is a link that leads nowhere; remove it, or mend what it leads to"),
        ("S/lonk.scenario", "there is no file or folder S/lonk.scenario; did you mean S/link.scenario?"),
    ])
    func whatIsThereAndLeadsNowhereIsNotMissing(path: String, trouble: String) {
        var finder = ScenarioFinder(files: MemoryFiles(["S/a.txt"], links: ["S/link.scenario": "gone"]))
        finder.search([path])
        #expect(finder.found.isEmpty && finder.troubles == [trouble])
    }

    /// The same on a real disk, with real links.
    @Test func realFolders() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("pairsim-finder-\(getpid())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let deep = folder.appendingPathComponent("S/deep")
        try FileManager.default.createDirectory(at: deep, withIntermediateDirectories: true)
        for name in ["S/a.scenario", "S/deep/b.scenario"] { try Data().write(to: folder.appendingPathComponent(name)) }
        for (link, target) in [("S/deep/up", ".."), ("S/nowhere.scenario", "gone"), ("S/self.scenario", "self.scenario")] {
            try FileManager.default.createSymbolicLink(atPath: folder.appendingPathComponent(link).path, withDestinationPath: target)
        }
        var finder = ScenarioFinder(files: RealFiles())
        finder.search([folder.path])
        #expect(finder.found == ["S/a.scenario", "S/deep/b.scenario"].map { folder.path + "/" + $0 })
        // However it is named, a file is run once; a link of another name is another scenario.
        var again = ScenarioFinder(files: RealFiles())
        try FileManager.default.createSymbolicLink(
            atPath: folder.appendingPathComponent("S/c.scenario").path, withDestinationPath: "a.scenario")
        let first = folder.path + "/S/a.scenario"
        again.search([first, folder.path + "/S/deep/../a.scenario", folder.path + "/S/deep/up/a.scenario:1", folder.path + "/S/c.scenario"])
        #expect(again.found == [first, folder.path + "/S/c.scenario"] && again.picks[first] == nil)
        // In a folder it is the same one, unless it includes others there.
        var whole = ScenarioFinder(files: RealFiles())
        for (link, target) in [("0.scenario", "a.scenario"), ("deep/d.scenario", "../e.scenario"), ("deep/f.scenario", "../a.scenario")] {
            try FileManager.default.createSymbolicLink(atPath: folder.path + "/S/" + link, withDestinationPath: target)
        }
        try Data("include \"k.inc\"\n".utf8).write(to: folder.appendingPathComponent("S/e.scenario"))
        whole.search([folder.path])
        #expect(whole.found == ["a", "e", "deep/b", "deep/d"].map { "\(folder.path)/S/\($0).scenario" } && whole.identities.count == 4)
        // A link that is no way to a scenario is said; one that leads round in a circle of folders is not followed, and needs no word.
        #expect(finder.troubles.count == 2)
        for name in ["S/nowhere.scenario", "S/self.scenario"] {
            #expect(finder.troubles.contains { $0.contains("\(name): it is a link that leads nowhere") })
        }
    }
}
