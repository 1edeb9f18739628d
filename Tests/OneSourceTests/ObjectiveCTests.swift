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
}
