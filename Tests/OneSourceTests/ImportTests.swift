import Foundation
import Testing

@testable import OneSourceTool

@Suite struct ImportTests {
    @Test(arguments: [
        ("import WatchKit", ""), ("    import UIKit // for images", "     // for images"),
        ("@preconcurrency import ClockKit\nlet a = 1", "\nlet a = 1"),
        ("public import WatchKit", ""), ("import WatchKit; import Foundation", "; import Foundation"),
        ("#if os(watchOS)\nimport WatchKit\n#endif", "#if false\n\n#endif"),
        ("import SwiftUI\nimport HealthKit\nimport Foundation", "import SimulatedSwiftUI\n\nimport Foundation"),
        ("import os", "import SimulatedOS"), ("import os.log // old", "import SimulatedOS // old"),
        ("@preconcurrency import OSLog", "@preconcurrency import SimulatedOS"), ("import class os.OSLog", "import class SimulatedOS.OSLog"),
        ("import BackgroundTasks", ""), ("#if canImport(os)\n#endif", "#if true\n#endif"),
        ("public import struct SwiftUI.Color", "public import struct SimulatedSwiftUI.Color"),
        ("import struct UIKit.CGFloat", ""), ("@_exported import class UIKit.UIImage // one", " // one"), ("import UIKit.UIImage", ""),
        ("let a = 1; import UIKit", "let a = 1; "),
    ])
    func whatNoHostHasIsNotImported(_ row: (source: String, result: String)) throws {
        #expect(try rewritten(row.source) == row.result)
    }

    @Test(arguments: [
        "import Foundation", "import WatchConnectivity", "import UIKitExtras", "import struct Foundation.Date",
        "let a = \"import UIKit\"",
        "// import WatchKit", "func f(import UIKit: Int) {}", "import Alamofire",
    ])
    func otherImportsStay(_ source: String) throws {
        #expect(try rewritten(source) == source)
    }

    @Test(arguments: [
        ("Foundation.UserDefaults.standard.bool()", "UserDefaults.standard.bool()"), ("Dispatch.DispatchQueue.main", "DispatchQueue.main"),
        ("f(Foundation.Date())", "f(Date())"), ("Foundation.URL(x)", "Foundation.URL(x)"),
        ("a.Foundation.Date()", "a.Foundation.Date()"),
        ("import struct Foundation.Date", "import struct Foundation.Date"),
    ])
    func whatIsSaidToBeTheSystemsIsTheDevices(_ row: (source: String, result: String)) throws {
        #expect(try rewritten(row.source) == row.result)
    }

    @Test(arguments: [
        ("import Core", "import CorePhone"), ("@testable import struct Core.A", "@testable import struct CorePhone.A"),
        ("#if canImport(Core)\n#endif", "#if canImport(CorePhone)\n#endif"),
        ("f(_ a: Core.A? = Core.A())", "f(_ a: CorePhone.A? = CorePhone.A())"),
        ("static let a = Core.A(b: 1)", #"static var a: CorePhone.A { processLocal("a") { CorePhone.A(b: 1) } }"#),
        ("f(Core)", "f(Core)"), ("a.Core.b", "a.Core.b"), ("\"Core.A\"", "\"Core.A\""),
        (
            ##"a("Core.A \(b("(", Core.A()) + "\(Core.c)") Core.B \\(Core.A)", #"\(Core.A) \#(Core.A)"#)"##,
            ##"a("Core.A \(b("(", CorePhone.A()) + "\(CorePhone.c)") Core.B \\(Core.A)", #"\(Core.A) \#(CorePhone.A)"#)"##
        ),
    ])
    func aModuleKeepsItsNameInCode(_ row: (source: String, result: String)) throws {
        let facts = ModuleFacts(modules: ["Core": "CorePhone"])
        let result = try SourceRewriter.rewrite(row.source, path: "/x.swift", side: .phone, facts: facts).text
        #expect(result == "#sourceLocation(file: \"/x.swift\", line: 1)\n" + row.result)
    }

    /// What no host has is named where it is used, with what to do; where only the import is there, it is left out.
    @Test func aNameOfAnAbsentModuleIsAnErrorAtItsPlace() throws {
        let source = "import Foundation\nimport HealthKit\n\nlet a = 1\nfunc f(_ s: HKHealthStore) {}\n"
        let problem = #expect(throws: SourceProblem.self) { try rewritten(source) }
        #expect(problem?.line == 5 && problem?.column == 13)
        #expect(
            problem?.message
                == "'HKHealthStore' is of HealthKit, which hosts do not have: put what needs it between '#if canImport(HealthKit)' and '#endif', "
                + "or leave the file out: '// OneSource: without …/x.swift' in the target's file")
        #expect(try rewritten("import HealthKit\nlet a = HK\n") == "\nlet a = HK\n")
        #expect(try rewritten("f(HKUnit())\n") == "f(HKUnit())\n")
        #expect(try rewritten("import AVKit\nimport CoreImage.CIFilterBuiltins\nlet a = 1\n") == "\n\nlet a = 1\n")
        let asked = "#if canImport(HealthKit)\nimport HealthKit\nfunc f(_ s: HKHealthStore) {}\n#endif\n"
        #expect(try rewritten(asked).hasPrefix("#if false\n"))
        let otherSide = "import HealthKit\n#if os(watchOS) && DEBUG\nlet a = HKUnit()\n#elseif !os(iOS)\nlet b = HKUnit()\n#else\n#endif\n"
        #expect(try rewritten(otherSide).hasPrefix("\n#if false && DEBUG\n"))
        #expect(throws: SourceProblem.self) { try rewritten(otherSide.replacingOccurrences(of: "os(watchOS)", with: "os(Linux)")) }
    }

    private func rewritten(_ source: String) throws -> String {
        String(
            try SourceRewriter.rewrite(source, path: "/x.swift", side: .phone).dropFirst(
                "#sourceLocation(file: \"/x.swift\", line: 1)\n".count))
    }
}
