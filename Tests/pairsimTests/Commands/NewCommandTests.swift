import Foundation
import TestSupport
import Testing

@testable import PairsimTool

/// A package of tests is written from what an app's folder has.
struct NewCommandTests {
    private static let sync = """
        import WatchConnectivity

        final class Sync: NSObject, ObservableObject {
            static let shared = Sync()
            @Published private(set) var theme = "light"
            @Published var count: Int?
            private var secret = ""
            var items: [String] = []

            private override init() {
                super.init()
                start()
            }

            func start() {
                WCSession.default.delegate = self
                WCSession.default.activate()
            }

            func choose(_ theme: String) throws {}
            func add(count: Int) async {}
            func reset() {}
            func move(_ from: Int, to: Int) {}
            private func hide() {}
        }
        """
    private static let watch = """
        extension Sync: WCSessionDelegate {
            func session(_ session: WCSession, didReceiveMessage message: [String: Any]) {}
        }
        let defaults = UserDefaults(suiteName: "group.com.example.app")
        """
    private static let plain = """
        actor Link: WCSessionDelegate {
            let name: String
            init(name: String) { self.name = name }
            func connect() { session.activate() }
        }
        @main
        struct DemoApp: App {}
        """

    private func bench() throws -> Bench {
        var bench = Bench()
        bench.files = MemoryFiles(["apps/my app/README.md", "Sources/LocalData/a.swift"])
        try bench.files.write(Data(Self.sync.utf8), to: "apps/my app/Shared/Sync.swift")
        try bench.files.write(Data(Self.watch.utf8), to: "apps/my app/Shared/Deep/Delegate.swift")
        try bench.files.write(Data(Self.plain.utf8), to: "apps/my app/Demo Watch App/App.swift")
        try bench.files.write(Data("enum Phone {}".utf8), to: "apps/my app/Demo/App.swift")
        try bench.files.write(Data("import XCTest".utf8), to: "apps/my app/DemoTests/T.swift")
        return bench
    }

    /// Each target has a class of that name, and each adapter speaks of its own.
    @Test func classesOfOneNameInBothTargetsAreTwo() throws {
        var bench = Bench()
        bench.files = MemoryFiles(["Sources/LocalData/a.swift"])
        let phone =
            "final class Sync: NSObject, WCSessionDelegate {\n    static let shared = Sync()\n    func choose(_ theme: String) {}\n}\n"
        let watch = "final class Sync: NSObject, WCSessionDelegate {\n    static let shared = Sync()\n    func count(_ steps: Int) {}\n}\n"
        try bench.files.write(Data(phone.utf8), to: "Demo/iOS/Sync.swift")
        try bench.files.write(Data(watch.utf8), to: "Demo/Demo Watch App/Sync.swift")
        let ending = bench.run(["new", "app", "Demo", "pair"])
        #expect(ending.status == .passed && ending.output.contains("session delegates: Sync\n"), "\(ending.output)\(ending.errors)")
        for (side, own, other) in [("Phone", "choose", "count"), ("Watch", "count", "choose")] {
            let path = try #require(bench.files.paths.first { $0.hasSuffix("/\(side)App.swift") })
            let text = try #require(bench.files.text(path))
            #expect(text.contains("Sync.shared.\(own)(") && !text.contains("Sync.shared.\(other)(") && !text.contains("#error"), "\(text)")
        }
    }

    @Test func whatTheSourcesShowIsInThePackage() throws {
        let bench = try bench()
        let ending = bench.run(["new", "app", "apps/my app/", "pair"])
        #expect(ending.status == .passed && ending.errors.isEmpty)
        #expect(
            ending.output == """
                wrote pair/Package.swift
                wrote pair/Sources/MyappPhone/MyappPhone.swift
                wrote pair/Sources/MyappWatch/MyappWatch.swift
                wrote pair/Sources/MyappPair/PhoneApp.swift
                wrote pair/Sources/MyappPair/WatchApp.swift
                wrote pair/Sources/MyappPair/main.swift
                wrote pair/Tests/MyappTests/ScenarioTests.swift
                wrote pair/Scenarios/both-are-activated.scenario

                session delegates: Link, Sync
                entry points, left out: DemoApp
                App Groups, there on both devices: group.com.example.app
                passed over: DemoTests
                next: swift test --package-path pair
                if the app does not compile here: swift run OneSourceTool fit pair MyappPhone MyappWatch

                """)
        #expect(
            bench.files.text("pair/Sources/MyappPhone/MyappPhone.swift")?.hasSuffix(
                "\n// OneSource: phone from \"../apps/my app/Demo\", \"../apps/my app/Shared\"\n") == true)
        #expect(
            bench.files.text("pair/Sources/MyappWatch/MyappWatch.swift")?
                .hasSuffix("\n// OneSource: watch from \"../apps/my app/Demo Watch App\", \"../apps/my app/Shared\"\n") == true)
        #expect(bench.files.text("pair/Package.swift")?.contains(".package(name: \"LocalData\", path: \"..\")") == true)
        #expect(
            bench.files.text("pair/Sources/MyappPair/main.swift")?.hasSuffix("\nPairsim.main { PhoneApp() } watch: { WatchApp() }\n")
                == true)
        Golden.check(bench.files.text("pair/Sources/MyappPair/PhoneApp.swift") ?? "", "new-phone.swift.txt")
        Golden.check(bench.files.text("pair/Sources/MyappPair/WatchApp.swift") ?? "", "new-watch.swift.txt")
    }

    /// As sample apps are: named after the watch, with the phone's model in the watch app's folder and an initializer that needs nothing.
    @Test func anAppThatIsNamedAfterTheWatchHasTwoSides() throws {
        var bench = Bench()
        let model = """
            final class %: NSObject, WCSessionDelegate {
                init(session: WCSession = .default) { session.activate() }
                var pets: [Pet] = []
            }
            """
        bench.files = MemoryFiles(["Sources/LocalData/a.swift"])
        for (path, text) in [
            ("PetWatch/Receiver.swift", model.replacingOccurrences(of: "%", with: "Receiver")),
            ("PetWatch WatchKit Extension/Sender.swift", model.replacingOccurrences(of: "%", with: "Sender")),
            ("PetWatch WatchKit Extension/Pet.swift", "struct Pet { let kind: Kind }"),
            ("PetWatch WatchKit Extension/Kind.swift", "enum Kind { case cat }"),
        ] { try bench.files.write(Data(text.utf8), to: "app/\(path)") }
        #expect(bench.run(["new", "app", "app", "pair"]).status == .passed)
        let phone = try #require(bench.files.text("pair/Sources/AppPhone/AppPhone.swift"))
        let extra = ["Kind", "Pet"].map { ", \"../app/PetWatch WatchKit Extension/\($0).swift\"" }.joined()
        #expect(phone.hasSuffix("\n// OneSource: phone from \"../app/PetWatch\"\(extra)\n"))
        let watch = try #require(bench.files.text("pair/Sources/AppWatch/AppWatch.swift"))
        #expect(watch.hasSuffix("\n// OneSource: watch from \"../app/PetWatch WatchKit Extension\"\n"))
        #expect(bench.files.text("pair/Sources/AppPair/PhoneApp.swift")?.contains("lazy var receiver = Receiver()") == true)
    }

    @Test func whatIsThereStays() throws {
        let bench = try bench()
        try bench.files.write(Data("mine".utf8), to: "pair/Sources/MyappPair/PhoneApp.swift")
        #expect(
            bench.run(["new", "app", "apps/my app", "pair"]).output.contains(
                "kept pair/Sources/MyappPair/PhoneApp.swift, which was there\n")
        )
        #expect(bench.files.text("pair/Sources/MyappPair/PhoneApp.swift") == "mine")
    }

    @Test func whatCannotBeDoneIsSaid() throws {
        #expect(try bench().run(["new", "app", "Scenarios"]).status == .nothingSelected)
        #expect(try bench().run(["new", "watch", "apps"]).status == .usage)
        #expect(try bench().run(["new", "app"]).errors.contains("pairsim new NAME, or pairsim new app FOLDER [PACKAGE]"))
        var bench = try bench()
        bench.files = MemoryFiles(["a/A.swift"], unwritable: ["aPair"])
        let ending = bench.run(["new", "app", "a"])
        #expect(ending.status == .cannotRun && ending.errors == "pairsim: cannot write aPair/Package.swift: permission denied\n")
    }

    /// Links are followed, and nothing is read twice or without end; what cannot be read is said.
    @Test func linksAndForeignTextsAreSaid() throws {
        let root = FileManager.default.temporaryDirectory.appendingPathComponent("pairsim-new-app-\(getpid())")
        defer { try? FileManager.default.removeItem(at: root) }
        let app = root.appendingPathComponent("App")
        let inner = app.appendingPathComponent("Theme")
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
        let source = "import WatchConnectivity\nfinal class Sync: NSObject, WCSessionDelegate {}\n"
        try Data(source.utf8).write(to: inner.appendingPathComponent("Sync.swift"))
        try Data([0x2F, 0x2F, 0xFF, 0xFE]).write(to: inner.appendingPathComponent("Old.swift"))
        for (name, target) in [("around", app), ("self", inner), ("nowhere.swift", app.appendingPathComponent("gone.swift"))] {
            try FileManager.default.createSymbolicLink(at: inner.appendingPathComponent(name), withDestinationURL: target)
        }
        try FileManager.default.createSymbolicLink(
            at: inner.appendingPathComponent("Twice.swift"), withDestinationURL: inner.appendingPathComponent("Sync.swift"))
        var bench = Bench()
        bench.realFiles = RealFiles()
        let ending = bench.run(["new", "app", app.path, root.appendingPathComponent("Pair").path])
        #expect(ending.status == .passed && ending.output.contains("session delegates: Sync\n"))
        let passedOver = try #require(ending.output.split(separator: "\n").first { $0.hasPrefix("passed over: ") })
        for reason in [
            "Theme/Old.swift, which is not UTF-8", "Theme/around, which leads to a folder that is there already",
            "Theme/self, which leads to a folder that is there already", "Theme/nowhere.swift, which is no file or leads nowhere",
            "Theme/Twice.swift, which is another name of a file that is there",
        ] { #expect(passedOver.contains(reason), "\(passedOver)") }
        #expect(passedOver.split(separator: ";").count == 5)
    }

    @Test(arguments: [
        ("../MyApp", "../MyAppPair", "../MyApp"), (".", "../MyAppPair", "../work"), ("/x/lib", "/x/a/b", "../../lib"),
        ("LocalData", "Pair", "../LocalData"),
    ])
    func pathsLeadFromThePackage(_ path: String, _ folder: String, _ found: String) {
        #expect(NewCommand.path(to: path, from: folder, here: "/home/work") == found)
    }

    /// A package that cannot be built is not written; one whose library comes later is, and says so.
    @Test func theLibraryIsLookedFor() throws {
        let bench = try bench()
        let paths = bench.files.paths
        let refused = bench.run(["new", "app", "apps/my app", "Pair", "--library", "nowhere"])
        #expect(refused.status == .cannotRun && refused.errors.contains("nowhere is no checkout of this library"), "\(refused.errors)")
        #expect(bench.files.paths == paths)
        let alone = Bench()
        try alone.files.write(Data(Self.sync.utf8), to: "App/Sync.swift")
        let later = alone.run("new app App")
        #expect(later.status == .passed && later.output.contains("no checkout of this library at LocalData yet"), "\(later.output)")
        #expect(!bench.run(["new", "app", "apps/my app", "Pair"]).output.contains("no checkout"))
    }

    /// A package that was there may look for the library elsewhere.
    @Test func aPackageThatWasThereIsRead() throws {
        let bench = try bench()
        try bench.files.write(Data(), to: "b \"lib\"/Sources/LocalData/a.swift")
        let arguments = ["new", "app", "apps/my app", "Pair", "--library"]
        #expect(bench.run(arguments + ["b \"lib\""]).status == .passed)
        #expect(bench.files.text("Pair/Package.swift")?.contains(#"path: "../b \"lib\"")"#) == true)
        let again = bench.run(arguments + ["b \"lib\""])
        #expect(again.status == .passed && !again.output.contains("no checkout"), "\(again.errors)")
        let other = bench.run(arguments + ["."])
        #expect(
            other.status == .cannotRun && other.errors.contains(#"looks for the library at ../b "lib", not at .. as --library says"#),
            "\(other.errors)")
        // Without the option there is nothing to complain of, and what is written there is what counts.
        let alone = Bench()
        try alone.files.write(Data(Self.sync.utf8), to: "App/Sync.swift")
        #expect(alone.run("new app App --json").output.contains("there is no checkout of this library at LocalData yet"))
        try alone.files.write(Data(), to: "lib/Sources/LocalData/a.swift")
        let text = try #require(alone.files.text("AppPair/Package.swift"))
        try alone.files.write(Data(text.replacing("../LocalData", with: "../lib").utf8), to: "AppPair/Package.swift")
        #expect(!alone.run("new app App").output.contains("no checkout"))
        #expect(bench.run("new theme --library .").status == .usage)
    }

    /// `..` leads from where a folder really lies.
    @Test func aPackageBelowALinkFindsTheApp() throws {
        let root = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().appendingPathComponent("pairsim-new-link-\(getpid())")
        defer { try? FileManager.default.removeItem(at: root) }
        for folder in ["App", "deep/er", "lib/Sources/LocalData"] {
            try FileManager.default.createDirectory(at: root.appendingPathComponent(folder), withIntermediateDirectories: true)
        }
        try Data(Self.sync.utf8).write(to: root.appendingPathComponent("App/Sync.swift"))
        try FileManager.default.createSymbolicLink(atPath: root.path + "/link", withDestinationPath: "deep/er")
        var bench = Bench()
        bench.realFiles = RealFiles()
        let ending = bench.run(["new", "app", root.path + "/App", root.path + "/link/Pair", "--library", root.path + "/lib"])
        #expect(ending.status == .passed && !ending.output.contains("no checkout"), "\(ending.errors)")
        let manifest = try String(contentsOfFile: root.path + "/deep/er/Pair/Package.swift", encoding: .utf8)
        #expect(manifest.contains("path: \"../../../lib\")"), "\(manifest)")
    }

    @Test(arguments: ["new a\u{7}b", "new \u{202E}a", "new \u{FFFD}"]) func aNameThatNobodySeesIsRefused(_ line: String) {
        let bench = Bench()
        let ending = bench.run(line)
        #expect(ending.status == .usage && ending.errors.contains("give the scenario another name"), "\(ending.errors)")
    }

    @Test(arguments: ["/", "dd/", ".", "..", "dd/..", ".scenario", "dd/.scenario"]) func aScenarioNeedsAName(_ name: String) {
        let bench = Bench()
        let ending = bench.run(["new", name])
        #expect(ending.status == .usage && ending.errors.contains("says no name for the scenario; give it one"), "\(ending.errors)")
        #expect(bench.files.paths.isEmpty)
    }

    @Test(arguments: [".", "./", "../.."]) func aFolderWithoutANameNeedsAPlace(_ folder: String) {
        let ending = Bench(["a.swift": .passing()]).run("new app \(folder)")
        #expect(ending.status == .usage && ending.errors.contains("say where it is to be"), "\(ending.errors)")
    }
}
