import Testing

@testable import OneSourceTool

/// Types of a user interface are left out, and what stands beside them stays on its line.
@Suite struct InterfaceTests {
    static let table: [(source: String, result: String, cut: [String])] = [
        ("struct A: View {\n  var body: some View { Text(\"}\") }\n}\nlet a = 1", "/* OneSource left out: A */\n\n\nlet a = 1", ["A"]),
        (
            "@available(iOS 17, *)\n@MainActor public struct A<B: Equatable>: SwiftUI.View where B: Hashable { }",
            "/* OneSource left out: A */\n", ["A"]
        ),
        (
            "class A: UIViewController {}\nfinal class B: A {}\nextension B: Codable {}",
            "/* OneSource left out: A */\n/* OneSource left out: B */\n/* OneSource left out: extension B */", ["A", "B", "extension B"]
        ),
        (
            "extension View {\n  func f() {}\n}\nextension Model { }", "/* OneSource left out: extension View */\n\n\nextension Model { }",
            ["extension View"]
        ),
        (
            "class M {\n  @ViewBuilder var a: some View {\n  }\n  private func b(_ c: Int) -> some View { }\n  func d() {}\n}",
            "class M {\n  /* OneSource left out: a */\n\n  /* OneSource left out: b */\n  func d() {}\n}", ["a", "b"]
        ),
        (
            "#Preview(\"x\", traits: .y()) {\n  A()\n}\n#Preview { }",
            "/* OneSource left out: #Preview */\n\n\n/* OneSource left out: #Preview */", ["#Preview", "#Preview"]
        ),
        (
            "@main struct A: App {\n}\n@main\nfinal class B: Delegate {}", "/* OneSource left out: A */\n\n\nfinal class B: Delegate {}",
            ["A"]
        ),
        ("enum E { struct V: View { } ; case a }", "enum E { /* OneSource left out: V */ ; case a }", ["V"]),
        ("struct V: View {\n#if os(iOS)\nlet a = 1\n#else\nlet a = 2\n#endif\n}", "/* OneSource left out: V */\n\n\n\n\n\n", ["V"]),
        // A condition that begins in it and ends elsewhere: it cannot be left out.
        (
            "#if A\nstruct V: View {\n#else\nstruct V: Model {\n#endif\n}", "#if A\nstruct V: View {\n#else\nstruct V: Model {\n#endif\n}",
            []
        ),
        ("#if false\nstruct V: View { }\n#endif", "#if false\nstruct V: View { }\n#endif", []),
        ("class Model: ObservableObject { class func f() {} }", "class Model: ObservableObject { class func f() {} }", []),
        ("// struct A: View {}\nlet b = \"struct A: View {}\"", "// struct A: View {}\nlet b = \"struct A: View {}\"", []),
    ]

    @Test(arguments: table) func viewsAreLeftOut(_ row: (source: String, result: String, cut: [String])) throws {
        let result = try rewrite(row.source)
        #expect(result.text == "#sourceLocation(file: \"/x.swift\", line: 1)\n" + row.result)
        #expect(result.notes.map { String($0.message.dropFirst().prefix { $0 != "'" }) } == row.cut)
    }

    @Test func theBuildIsTold() throws {
        let notes = try rewrite("let a = 1\n  class A: WKInterfaceController, WCSessionDelegate {\n}\n").notes
        #expect(notes.map(\.line) == [2] && notes.map(\.column) == [3])
        #expect(
            notes.first?.message
                == "'A' is a WKInterfaceController, and is left out of the phone's module; it is also the session's delegate, which then is left out as well: "
                + "give that a type of its own")
    }

    @Test func typesOfTheAppsOwnAreNotTheSystems() throws {
        let source = "protocol Shape {}\nstruct Circle: Shape {}\nprotocol View {}"
        #expect(try rewrite(source).text.hasSuffix("\n" + source))
        let kept = "struct MyApp: App {\n  var body: some Scene { W() }\n}"
        #expect(try rewrite(kept, keeping: ["MyApp"]).text.hasSuffix("struct MyApp: App {\n  /* OneSource left out: body */\n}"))
    }

    @Test func aNameThatTheModuleDeclaresIsNotMadeAgain() {
        #expect(!SystemNames.source(for: .phone, without: ["Operation"]).contains("typealias Operation "))
        #expect(SystemNames.source(for: .phone, without: ["Operation"]).contains("typealias OperationQueue "))
    }

    private func rewrite(_ source: String, keeping: Set<String> = []) throws -> SourceRewriter.Result {
        var facts = ModuleFacts(keeping: keeping)
        facts.interface = InterfaceCutter.names(among: TypeDeclaration.all(in: Tokenizer.tokens(of: source)), keeping: keeping)
        return try SourceRewriter.rewrite(source, path: "/x.swift", side: .phone, facts: facts)
    }
}
