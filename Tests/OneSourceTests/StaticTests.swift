import Testing

@testable import OneSourceTool

@Suite struct StaticTests {
    static let table: [(source: String, result: String)] = [
        ("static let shared = Sync()", #"static var shared: Sync { processLocal("shared") { Sync() } }"#),
        (
            "    public static let shared: Sync = .init(a: 1) // one",
            #"    public static var shared: Sync { processLocal("shared") { .init(a: 1) } } // one"#
        ),
        (
            "@MainActor static let shared = A.B<Int>(c: (1))",
            #"@MainActor static var shared: A.B<Int> { processLocal("shared") { A.B<Int>(c: (1)) } }"#
        ),
        ("nonisolated(unsafe) static let a = Sync.init()", #"nonisolated static var a: Sync { processLocal("a") { Sync.init() } }"#),
        ("static let session = WCSession.default", #"static var session: WCSession { processLocal("session") { WCSession.default } }"#),
        (
            "private(set) static var count = 0",
            #"private(set) static var count: Int { get { processLocal("count") { 0 } } set { setProcessLocal("count", newValue) } }"#
        ),
        (
            "static var last: String? = nil;",
            #"static var last: String? { get { processLocal("last") { nil } } set { setProcessLocal("last", newValue) } };"#
        ),
        (
            "static var session: WCSession?",
            #"static var session: WCSession? { get { processLocal("session") { nil } } set { setProcessLocal("session", newValue) } }"#
        ),
        (
            "static let session: WCSession = {\n    let a = WCSession.default\n    return a\n}()",
            "static var session: WCSession { processLocal(\"session\") { ({\n    let a = WCSession.default\n    return a\n}()) } }"
        ),
        (
            "static let shared = Sync(\n    a: 1,\n    b: { $0 }\n)",
            "static var shared: Sync { processLocal(\"shared\") { Sync(\n    a: 1,\n    b: { $0 }\n) } }"
        ),
        ("struct A { static let a = Sync() }", #"struct A { static var a: Sync { processLocal("a") { Sync() } } }"#),
        (
            "enum A { static var n: Int = 0 }",
            #"enum A { static var n: Int { get { processLocal("n") { 0 } } set { setProcessLocal("n", newValue) } } }"#
        ),
        // Whose type is not plain the host keeps, and the compiler says so.
        ("static let a = make()", "static let a = outlivesProcesses(make())"),
        ("static let a = Dictionary(b)", "static let a = outlivesProcesses(Dictionary(b))"),
        ("static let a = Sync() ?? 5", "static let a = outlivesProcesses(Sync() ?? 5)"),
        ("static let a: Sync =\n    Sync()", "static var a: Sync { processLocal(\"a\") { Sync() } }"),
        ("static let a = b.c()", "static let a = outlivesProcesses(b.c())"),
        ("private static var a = [Sync(), Sync()]", "private static var a = outlivesProcesses([Sync(), Sync()])"),
        ("static var a = (0, 0)", "static var a = outlivesProcesses((0, 0))"),
        ("static var (a, b) = (0, 0)", "static var (a, b) = outlivesProcesses((0, 0))"),
        ("let manager = Manager()", #"var manager: Manager { processLocal("manager") { Manager() } }"#),
        ("private let manager = Manager()", #"private var manager: Manager { processLocal("manager") { Manager() } }"#),
    ]

    @Test(arguments: table) func aStaticPropertyIsOfItsProcess(_ row: (source: String, result: String)) throws {
        #expect(try rewritten("\(row.source)\nlet x: Int\n") == "\(row.result)\nlet x: Int\n")
    }

    @Test(arguments: [
        "struct A {\n    let a = Sync()\n}", "func f() {\n    let a = Sync()\n}", "static let a = Sync {\n}",
        "static let a = Sync()\n    .then()", "static let a: Int", "static let a: Int?",
        "static var a: Int? { nil }", "static var a: Int? {\n nil }", "static let a: A = {\n}().b",
        "static let a = {\n}()", "static var a: Int { 5 }",
        "static var a: Int = 5 { didSet { } }", "static var a: Int = 5 {\n didSet { } }", "@TaskLocal static var a: Int? = nil",
        "@TaskLocal\nstatic var a: Int? = nil", "@Wrapper(key: \"a\") static var b: Int = 5", "static let a = 1.5",
        "static let a: Int = 1, b = 2", "let a = 5", "static let a: Double = 5", "let a = \"x\"",
        "static let (a, b) = (1, 2)", "func g() { if let a = Sync() {} }",
        "\"static let shared = Sync()\"", "static let a = [\n]",
    ])
    func whatIsNotPlainStays(_ source: String) throws {
        #expect(try rewritten(source) == source)
    }

    @Test func codeOfTheMainFileStays() throws {
        #expect(try SourceRewriter.rewrite("let a = Sync()", path: "/main.swift", side: .phone).hasSuffix("\nlet a = Sync()"))
    }

    private func rewritten(_ source: String) throws -> String {
        String(
            try SourceRewriter.rewrite(source, path: "/x.swift", side: .phone).dropFirst(
                "#sourceLocation(file: \"/x.swift\", line: 1)\n".count)
        )
    }
}
