import Foundation
import Testing

@testable import onesource

@Suite struct ConditionTests {
    /// A condition, what it becomes on the phone, and on the watch.
    static let table: [(condition: String, phone: String, watch: String)] = [
        ("os(iOS)", "true", "false"),
        ("os(watchOS)", "false", "true"),
        ("os( iOS )", "true", "false"),
        ("!os(watchOS)", "!false", "!true"),
        ("!(os(iOS) || os(tvOS))", "!(true || false)", "!(false || false)"),
        ("os(iOS)||os(watchOS)&&DEBUG", "true||false&&DEBUG", "false||true&&DEBUG"),
        ("canImport(WatchConnectivity)", "true", "true"),
        ("canImport(WatchConnectivity, _version: 1.2)", "true", "true"),
        ("canImport(UIKit) && !canImport(WatchKit)", "false && !false", "false && !false"),
        ("targetEnvironment(simulator)", "false", "false"),
        ("os(macOS) || targetEnvironment(macCatalyst)", "false || false", "false || false"),
        // What the compiler knows.
        ("DEBUG", "DEBUG", "DEBUG"),
        ("swift(>=5.9) && os(iOS)", "swift(>=5.9) && true", "swift(>=5.9) && false"),
        ("compiler(<6) || hasFeature(Macros)", "compiler(<6) || hasFeature(Macros)", "compiler(<6) || hasFeature(Macros)"),
        ("os(Linux)", "os(Linux)", "os(Linux)"),
        ("canImport(SwiftUI)", "canImport(SwiftUI)", "canImport(SwiftUI)"),
        ("os(iOS) // os(iOS)", "true // os(iOS)", "false // os(iOS)"),
        ("os(iOS) /* ( */ || FLAG", "true /* ( */ || FLAG", "false /* ( */ || FLAG"),
        ("(((os(iOS))))", "(((true)))", "(((false)))"),
        ("arch(arm64) && (os(iOS) || os(watchOS))", "arch(arm64) && (true || false)", "arch(arm64) && (false || true)"),
    ]

    @Test(arguments: table) func conditionsGetTheAnswersOfTheirSide(_ row: (condition: String, phone: String, watch: String)) {
        for directive in ["#if", "#elseif", "    #if"] {
            let source = "\(directive) \(row.condition)\nlet a = f(os(iOS))\n#endif\n"
            #expect(rewritten(source, .phone) == "\(directive) \(row.phone)\nlet a = f(os(iOS))\n#endif\n")
            #expect(rewritten(source, .watch) == "\(directive) \(row.watch)\nlet a = f(os(iOS))\n#endif\n")
        }
    }

    @Test func aConditionMayGoOnInTheNextLine() {
        #expect(rewritten("#if os(iOS) ||\n    os(watchOS)\nos(iOS)\n#endif", .watch) == "#if false ||\n    true\nos(iOS)\n#endif")
    }

    @Test func nestedBlocksKeepTheirShape() {
        let source = """
            #if os(iOS)
              #if DEBUG
              a()
              #elseif os(watchOS)
              b()
              #else
              c()
              #endif
            #elseif os(watchOS)
              d()
            #endif
            """
        let phone = source.replacingOccurrences(of: "os(iOS)", with: "true").replacingOccurrences(of: "os(watchOS)", with: "false")
        #expect(rewritten(source, .phone) == phone)
    }

    /// What looks like a condition and is none.
    @Test(arguments: [
        ##"let a = "#if os(iOS)""##,
        ##"let a = "\(b ? "#if os(iOS)" : ")") #if os(iOS)""##,
        ##"let a = #"\(x #if os(iOS)"# + "x""##,
        "let a = \"\"\"\n#if os(iOS)\n\\(b(\"\"\"\n#if os(iOS)\n\"\"\"))\n#if os(iOS)\n\"\"\"",
        "let a = ##\"\"\"\n\"\"\"#\n#if os(iOS)\n\\#(x)\n\"\"\"##",
        "// #if os(iOS)",
        "/* \n#if os(iOS)\n /* nested */\n#if os(iOS)\n*/",
        "let a = /#if os(iOS)\"/ ",
        "let a = #/\n#if os(iOS)\n/#",
        "let a = \"\\\\\"; // #if os(iOS)",
        "let a = \"\\\"#if os(iOS)\"",
        "#ifos(iOS)", "#warning(\"os(iOS)\")", "#available(iOS 17, *)",
    ])
    func whatOnlyLooksLikeAConditionStays(_ source: String) {
        #expect(rewritten(source, .phone) == source)
        // And code goes on behind it.
        #expect(rewritten(source + "\n#if os(iOS)\n#endif", .phone) == source + "\n#if true\n#endif")
    }

    @Test func divisionIsNoRegularExpression() {
        let source = "let a = b / c, d = \"/\"; let e = (f) / g(\"\"\"\n#if os(iOS)\n\"\"\") / 2"
        #expect(rewritten(source, .phone) == source)
    }

    @Test(arguments: ["\n", "\r\n", "\r"]) func linesStayWhereTheyAre(_ lineEnd: String) {
        let source = ["#if os(iOS)", "let a = 1", "#else", "#endif", "", "// end"].joined(separator: lineEnd)
        let result = SourceRewriter.rewrite(source, path: "/a/b.swift", side: .phone)
        #expect(result == "#sourceLocation(file: \"/a/b.swift\", line: 1)\n" + source.replacingOccurrences(of: "os(iOS)", with: "true"))
    }

    @Test func pathsAreQuoted() {
        #expect(
            SourceRewriter.rewrite("", path: "/a \"b\"\\c.swift", side: .watch)
                == "#sourceLocation(file: \"/a \\\"b\\\"\\\\c.swift\", line: 1)\n")
    }

    @Test(arguments: [
        "", "\"", "#", "##", "#if", "#if os(", "#if (((", "/*", "\"\\(", "\"\"\"", "`", "/", "#/", "#if !", "\u{FEFF}#if os(iOS)",
    ])
    func brokenSourceIsLeftToTheCompiler(_ source: String) {
        let expected = source.replacingOccurrences(of: "os(iOS)", with: "true").replacingOccurrences(of: "\u{FEFF}", with: "")
        #expect(rewritten(source, .phone) == expected)
    }

    private func rewritten(_ source: String, _ side: Side) -> String {
        String(
            SourceRewriter.rewrite(source, path: "/x.swift", side: side).dropFirst("#sourceLocation(file: \"/x.swift\", line: 1)\n".count))
    }
}
