import Testing

@testable import OneSourceTool

/// What needs Objective-C's runtime goes where the code is the same without it, and else is an error at its place.
@Suite struct ObjectiveCTests {
    private func body(_ source: String) throws -> String {
        let made = try SourceRewriter.rewrite(source, path: "/a.swift", side: .phone)
        return made.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().joined(separator: "\n")
    }

    @Test(arguments: [
        ("@objc func tick() {}", " func tick() {}"),
        ("@objc(tick:) public func tick(_ x: Any) {}", " public func tick(_ x: Any) {}"),
        ("@objcMembers class A: NSObject {}", " class A: NSObject {}"),
        ("class A { @objc public dynamic var n = 0 }", "class A { @SystemShims.Observed public  var n = 0 }"),
        (
            "@objc(n) dynamic private(set) var n: Int? { didSet { f() } }",
            "@SystemShims.Observed  private(set) var n: Int? { didSet { f() } }"
        ),
        ("@objc dynamic var n: Int { 0 }", "  var n: Int { 0 }"),
        ("@objc dynamic weak var n: A?", "  weak var n: A?"),
        ("@objc dynamic var a = 1, b = 2", "  var a = 1, b = 2"),
        ("@objc dynamic var a: Dictionary<Int, Int> = [:]", "@SystemShims.Observed  var a: Dictionary<Int, Int> = [:]"),
        ("@objc dynamic var a = { 1 }()\nvar b: Int { 1 }", "@SystemShims.Observed  var a = { 1 }()\nvar b: Int { 1 }"),
        ("@objc dynamic func f() {}", "  func f() {}"),
        (
            "@objcMembers class A {\n    dynamic var n = 0\n    public dynamic var m: Int\n    @objc dynamic var o = 1\n}\ndynamic var p = 0",
            " class A {\n    @SystemShims.Observed var n = 0\n    public @SystemShims.Observed var m: Int\n    @SystemShims.Observed  var o = 1\n}\ndynamic var p = 0"
        ),
        ("dynamic var n = 0", "dynamic var n = 0"),
        ("d?.session?(s, didReceiveMessage: m)", "d?.session(s, didReceiveMessage: m)"),
        ("d.sessionReachabilityDidChange?(s)", "d.sessionReachabilityDidChange(s)"),
        ("d?.tick?(s)", "d?.tick?(s)"),
        ("let x = session?.delegate", "let x = session?.delegate"),
        ("\"@objc\" // @objc", "\"@objc\" // @objc"),
    ])
    func attributesAndOptionalCalls(_ source: String, _ made: String) throws {
        #expect(try body(source) == made)
    }

    @Test(arguments: [
        ("let a = 1\nlet s = #selector(A.tick)", 2, "a host has no selectors"),
        ("class A {\n let s = #selector(tick) }", 2, "a host has no selectors"),
        ("class A {\n let s = #selector(getter: tick)\n func tick() {} }", 2, "a host has no selectors"),
        ("class A {\n let s = #selector(tick)\n func tick(a: Int) {}\n func tick() {} }", 2, "a host has no selectors"),
        ("class A {\n let s = #selector(tick)\n func tick(_ a: Any, _ b: Any) {} }", 2, "a host has no selectors"),
        ("let s = NSSelectorFromString(name)", 1, "a host has no selectors"),
        ("\nview.perform(Selector((\"tick\")))", 2, "a host has no selectors"),
        ("@objc protocol P {\n    @objc optional func f()\n}", 2, "a host has no optional requirements"),
        ("x.addObserver(self, forKeyPath: \"n\", options: [], context: nil)", 1, "a host observes no key paths by their names"),
    ])
    func whatCannotBeIsRefused(_ source: String, _ line: Int, _ message: String) throws {
        let problem = #expect(throws: SourceProblem.self) { try body(source) }
        #expect(problem?.line == line && problem?.message.hasPrefix(message) == true, "\(String(describing: problem))")
        // Whoever asks for Objective-C first has an answer for hosts.
        #expect(throws: Never.self) { try body("#if canImport(ObjectiveC)\n\(source)\n#endif") }
    }

    private static let noArgument = "{ target, _ in (target as? A)?.tick() }"
    private static func oneArgument(_ type: String, _ label: String = "") -> String {
        "{ target, argument in if let target = target as? A, let argument = argument as? \(type) { target.tick(\(label)argument) } }"
    }

    @Test(arguments: [
        ("#selector(tick)", "func tick() {}", "Selector(\"tick\") \(noArgument)"),
        ("#selector(self.tick)", "@objc private func tick() {}", "Selector(\"tick\") \(noArgument)"),
        ("#selector(A.tick)", "func tick() {}", "Selector(\"tick\") \(noArgument)"),
        ("#selector(tick(_:))", "func tick(_ n: Notification) {}\nfunc tick() {}", "Selector(\"tick:\") \(oneArgument("Notification"))"),
        ("#selector(tick(at:))", "func tick(at n: [Int: Int]?) {}", "Selector(\"tickWithAt:\") \(oneArgument("[Int: Int]", "at: "))"),
        ("#selector(tick)", "func tick(timer: Timer = x) {}", "Selector(\"tickWithTimer:\") \(oneArgument("Timer", "timer: "))"),
        ("#selector(\n  tick\n)", "func tick() {}", "Selector(\"tick\") \(noArgument)\n"),
    ])
    func selectorsCallTheirMethod(_ selector: String, _ method: String, _ made: String) throws {
        let source = "class A {\nlet s = \(selector)\n\(method)\n}"
        let wanted = "class A {\nlet s = \(made)\n\(method.replacing("@objc ", with: " "))\n}"
        #expect(try body(source) == wanted)
    }

    /// The method may be in an extension, and in another file.
    @Test func theMethodMayBeInAnotherFile() throws {
        let other = Tokenizer.tokens(of: "extension A { @objc func tick(_ timer: Timer) {} }")
        var facts = ModuleFacts()
        facts.declarations = TypeDeclaration.all(in: other).map { ($0, other) }
        let made = try SourceRewriter.rewrite(
            "class A { lazy var s = #selector(tick) }", path: "/a.swift", side: .watch, facts: facts)
        #expect(made.text.hasSuffix("class A { lazy var s = Selector(\"tick:\") \(Self.oneArgument("Timer")) }"), "\(made.text)")
    }
}
