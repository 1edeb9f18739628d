import Foundation
import Testing

@testable import OneSourceTool

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
        ("canImport(SwiftUI) || canImport(CoreLocation)", "false || false", "false || false"),
        ("canImport(Network) && canImport(Alamofire)", "false && canImport(Alamofire)", "false && canImport(Alamofire)"),
        ("os(iOS) // os(iOS)", "true // os(iOS)", "false // os(iOS)"),
        ("os(iOS) /* ( */ || FLAG", "true /* ( */ || FLAG", "false /* ( */ || FLAG"),
        ("(((os(iOS))))", "(((true)))", "(((false)))"),
        ("arch(arm64) && (os(iOS) || os(watchOS))", "arch(arm64) && (true || false)", "arch(arm64) && (false || true)"),
    ]

    @Test(arguments: table) func conditionsGetTheAnswersOfTheirSide(_ row: (condition: String, phone: String, watch: String)) throws {
        for directive in ["#if", "#elseif", "    #if"] {
            let source = "\(directive) \(row.condition)\n_ = f(os(iOS))\n#endif\n"
            #expect(try rewritten(source, .phone) == "\(directive) \(row.phone)\n_ = f(os(iOS))\n#endif\n")
            #expect(try rewritten(source, .watch) == "\(directive) \(row.watch)\n_ = f(os(iOS))\n#endif\n")
        }
    }

    @Test func aConditionMayGoOnInTheNextLine() throws {
        #expect(try rewritten("#if os(iOS) ||\n    os(watchOS)\nos(iOS)\n#endif", .watch) == "#if false ||\n    true\nos(iOS)\n#endif")
    }

    @Test func nestedBlocksKeepTheirShape() throws {
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
        #expect(try rewritten(source, .phone) == phone)
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
    func whatOnlyLooksLikeAConditionStays(_ source: String) throws {
        #expect(try rewritten(source, .phone) == source)
        // And code goes on behind it.
        #expect(try rewritten(source + "\n#if os(iOS)\n#endif", .phone) == source + "\n#if true\n#endif")
    }

    @Test func divisionIsNoRegularExpression() throws {
        let source = "let a = b / c, d = \"/\"; let e = (f) / g(\"\"\"\n#if os(iOS)\n\"\"\") / 2"
        #expect(try rewritten(source, .phone) == source)
    }

    @Test(arguments: ["\n", "\r\n", "\r"]) func linesStayWhereTheyAre(_ lineEnd: String) throws {
        let source = ["#if os(iOS)", "let a = 1", "#else", "#endif", "", "// end"].joined(separator: lineEnd)
        let result = try SourceRewriter.rewrite(source, path: "/a/b.swift", side: .phone)
        #expect(result == "#sourceLocation(file: \"/a/b.swift\", line: 1)\n" + source.replacingOccurrences(of: "os(iOS)", with: "true"))
    }

    @Test func pathsAreQuoted() throws {
        #expect(
            try SourceRewriter.rewrite("", path: "/a \"b\"\\c.swift", side: .watch)
                == "#sourceLocation(file: \"/a \\\"b\\\"\\\\c.swift\", line: 1)\n")
    }

    @Test(arguments: [
        "", "\"", "#", "##", "#elseif", "#elseif os(", "#elseif (((", "/*", "\"\\(", "\"\"\"", "`", "/", "#/", "#elseif !",
        "\u{FEFF}#elseif os(iOS)", "#endif", "#if\n#endif\n#endif",
    ])
    func brokenSourceIsLeftToTheCompiler(_ source: String) throws {
        let expected = source.replacingOccurrences(of: "os(iOS)", with: "true").replacingOccurrences(of: "\u{FEFF}", with: "")
        #expect(try rewritten(source, .phone) == expected)
    }

    @Test(arguments: [
        ("#if os(iOS)\n", 1, 1), ("a\r\n  #if A\r\n#if B\r\n#endif", 2, 3), ("#if A\n#endif\n#if B\n#else\n", 3, 1),
        ("\"\"\"\n#endif\"\"\"\n #if A", 3, 2),
    ])
    func aConditionThatIsNotClosedIsAnError(_ source: String, line: Int, column: Int) {
        #expect {
            try rewritten(source, .phone)
        } throws: { error in
            let problem = error as? SourceProblem
            return problem?.message == "this #if has no #endif" && problem?.line == line && problem?.column == column
        }
    }

    @Test func systemsThatAreNoneAreWarnedOf() throws {
        let source = "\n#if os(watchos) || os(iOS)\n#elseif os(Symbian)\n#endif\n"
        let expected = """
            #sourceLocation(file: "/x.swift", line: 2)
            #warning("there is no operating system 'watchos'; did you mean 'watchOS'?")
            #sourceLocation(file: "/x.swift", line: 3)
            #warning("there is no operating system 'Symbian'; it is never true")
            #sourceLocation(file: "/x.swift", line: 1)

            #if os(watchos) || true
            #elseif os(Symbian)
            #endif

            """
        #expect(try SourceRewriter.rewrite(source, path: "/x.swift", side: .phone) == expected)
    }

    private func rewritten(_ source: String, _ side: Side) throws -> String {
        String(
            try SourceRewriter.rewrite(source, path: "/x.swift", side: side).dropFirst(
                "#sourceLocation(file: \"/x.swift\", line: 1)\n".count))
    }
}
