import Foundation
import Testing

@testable import OneSourceTool

/// What a recipe leaves out of an app's files, and how what is to be left out is found.
@Suite struct LeavingOutTests {
    @Test func membersHaveNamesThatTellThemApart() {
        let source = """
            let top = 1
            func f<A: B>(_ a: [String: Int], to b: @escaping (Int, Int) -> Void, c: Int = g(1, 2)) async throws -> [A] where A: C { let inner = 1 }
            struct S: P {
              @Published var a: Int = 3 { didSet { x() } }
              private(set) lazy var b: [Int] = { var y = 1; return [y] }()
              static let c = make(
                1, 2)
                .more
              var d: Int { 1 }
              var e: Int { get { 1 } set { } }
              init?(_ a: Int) {}
              deinit { stop() }
              subscript(i: Int) -> Int { i }
              static func == (l: S, r: S) -> Bool { true }
              enum E { case a; func g(@Wrapped at b: Int) {} }
            }
            protocol P { func p() -> Int; var q: Int { get }
              func r()
            }
            extension S { func session(_ s: WCSession, didReceiveMessage m: [String: Any]) { } }
            """
        #expect(
            Member.all(in: Tokenizer.tokens(of: source)).map(\.key) == [
                "top", "f(_:to:c:)", "S.a", "S.b", "S.c", "S.d", "S.e", "S.init(_:)", "S.deinit", "S.subscript(i:)", "S.==(l:r:)",
                "S.E.g(at:)", "P.p()", "P.q", "P.r()", "S.session(_:didReceiveMessage:)",
            ])
    }

    static let table: [(lines: String, source: String, result: String)] = [
        (
            "lacking Ads, @Model", "import Ads\nimport Other\n@Model final class M {\n@Model(1) var a = 1 }",
            "/* left out: import */\nimport Other\n/* left out: @Model */ final class M {\n/* left out: @Model */ var a = 1 }"
        ),
        (
            "emptying S.f()", "struct S { func f() -> Int {\n  g()\n}\n  func g() {} }",
            "struct S { func f() -> Int { SystemShims.leftOut(\"S.f()\") }\n\n\n  func g() {} }"
        ),
        (
            "emptying S.f()", "class S { func f() throws {\n} }",
            "class S { func f() throws { try SystemShims.leftOutThrowing(\"S.f()\") }\n }"
        ),
        (
            "emptying S.a, S.b, S.init()", "class S { let a: X = X(1)\n let b = Y()\n init() { a.f() } }",
            "class S { let a: X =  SystemShims.leftOut(\"S.a\")\n /* left out: S.b */\n init() { SystemShims.leftOutForGood(\"S.init()\") } }"
        ),
        (
            "emptying S.a", "class S { var a: Int { get { x } set { y } } }",
            "class S { var a: Int { get { SystemShims.leftOut(\"S.a\") } set { SystemShims.leftOut(\"S.a\") } } }"
        ),
        ("emptying S.a", "class S { var a: Int { didSet { y } } }", "class S { var a: Int { didSet { SystemShims.leftOut(\"S.a\") } } }"),
        ("dropping S.f(), T", "class S { @objc func f() {\n} }\nextension T { }", "class S { /* left out: S.f() */\n }\n/* left out: T */"),
    ]

    @Test(arguments: table) func aRecipeSaysWhatIsLeftOut(_ row: (lines: String, source: String, result: String)) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("left-out-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("Made.swift")
        try "// OneSource: phone from App\n".write(to: file, atomically: true, encoding: .utf8)
        try "// OneSource: \(row.lines)\n".write(to: folder.appendingPathComponent("LeftOut.swift"), atomically: true, encoding: .utf8)
        var facts = ModuleFacts()
        // Whatever the order of the target's files is.
        facts.leftOut = LeftOut(try Recipe(module: "Made", files: [Recipe.leftOutFile(beside: file), file]))
        let result = try SourceRewriter.rewrite(row.source, path: "/x.swift", side: .phone, facts: facts)
        #expect(result.text == "#sourceLocation(file: \"/x.swift\", line: 1)\n" + row.result)
    }

    @Test func theCompilersErrorsLeadToTheRecipe() {
        let source = """
            import Ads
            final class Sync: NSObject, WCSessionDelegate {
              let store: HKHealthStore = HKHealthStore.made()
              func f() -> HKSample.Kind? {
                store.query()
              }
            }
            extension Sync: HKStoreDelegate { }
            struct Key: EnvironmentKey { }
            """
        var fitting = Fitting(LeftOut()) { _ in source }
        func take(_ errors: (line: Int, column: Int, message: String)...) -> Bool {
            fitting.take(errors.map { Diagnostic(path: "/A.swift", line: $0.line, column: $0.column, message: $0.message) })
        }
        let key = (9, 13, "cannot find type 'EnvironmentKey' in scope")
        let module = take((1, 8, "no such module 'Ads'"), key)
        #expect(module && fitting.leftOut.lines == ["// OneSource: lacking Ads"])
        let names = take(
            key, (8, 17, "cannot find type 'HKStoreDelegate' in scope"), (3, 14, "cannot find type 'HKHealthStore' in scope"),
            (4, 15, "cannot find type 'HKSample' in scope"))
        #expect(names && fitting.leftOut.naming == ["HKHealthStore", "HKSample"])
        #expect(fitting.leftOut.promising == ["EnvironmentKey", "HKStoreDelegate"])
        let inner = take((4, 24, "'Kind' is not a member type of class 'Made.HKSample'"))
        #expect(inner && fitting.leftOut.naming.contains("HKSample.Kind"))
        let bodies = take(
            (5, 11, "value of type 'HKHealthStore' has no member 'query'"), (5, 12, "another in the same body"),
            (3, 45, "type 'HKHealthStore' has no member 'made'"))
        #expect(bodies && fitting.leftOut.emptying == ["Sync.f()", "Sync.store"] && fitting.leftOut.dropping.isEmpty)
        let nothing = take()
        #expect(!nothing)
        let again = take((5, 11, "what is left out is no better"))
        #expect(again && fitting.leftOut.dropping == ["Sync.f()"] && fitting.leftOut.emptying == ["Sync.store"])
        let declarations = fitting.leftOut.declarations(bases: ["HKSample"])
        #expect(declarations.contains("nonisolated public class HKHealthStore: SystemShims.Missing, @unchecked Sendable {}\n"))
        #expect(declarations.contains("nonisolated open class HKSample: SystemShims.MissingBase {}\n"))
        #expect(declarations.contains("nonisolated extension HKSample { public class Kind: SystemShims.Missing"))
    }

    @Test func aTargetIsFittedUntilItCompiles() throws {
        let root = FileManager.default.temporaryDirectory.appendingPathComponent("fit-\(UUID().uuidString)", isDirectory: true)
        let folder = root.appendingPathComponent("Sources/Made", isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: root) }
        let app = root.appendingPathComponent("App.swift")
        try "import Ads\nfunc show() {\n  banner()\n}\n".write(to: app, atomically: true, encoding: .utf8)
        try "// OneSource: phone from App.swift\n".write(to: folder.appendingPathComponent("Made.swift"), atomically: true, encoding: .utf8)
        var logs = ["\(app.path):1:8: error: no such module 'Ads'", "\(app.path):3:3: error: cannot find 'banner' in scope", ""]
        var said: [String] = []
        let outcome = try Fitter(package: root) { _ in logs.removeFirst() }.fit("Made") { said.append($0) }
        #expect(outcome.remaining.isEmpty && outcome.leftOut.lines == ["// OneSource: lacking Ads", "// OneSource: emptying show()"])
        #expect(said.last == "Made, build 3: 0 errors, 2 left out")
        let written = try String(contentsOf: folder.appendingPathComponent("LeftOut.swift"), encoding: .utf8)
        #expect(written.hasSuffix("// OneSource: lacking Ads\n// OneSource: emptying show()\n"))
    }

    @Test func errorsAreReadFromABuild() {
        let log = """
            [1/3] Compiling A B.swift
            /my app/A: B.swift:12:5: error: cannot find 'x' in scope
            /my app/A: B.swift:12:5: error: cannot find 'x' in scope
             12 |   x()
                |   `- error: cannot find 'x' in scope
            /a.swift:1:2: warning: unused
            error: fatalError
            """
        #expect(
            Diagnostic.errors(in: log) == [Diagnostic(path: "/my app/A: B.swift", line: 12, column: 5, message: "cannot find 'x' in scope")]
        )
    }
}
