import Testing

@testable import OneSourceTool

@Suite struct ImportTests {
    @Test(arguments: [
        ("import WatchKit", ""), ("    import UIKit // for images", "     // for images"),
        ("@preconcurrency import ClockKit\nlet a = 1", "\nlet a = 1"),
        ("public import WatchKit", ""), ("import WatchKit; import Foundation", "; import Foundation"),
        ("#if os(watchOS)\nimport WatchKit\n#endif", "#if false\n\n#endif"),
    ])
    func whatNoHostHasIsNotImported(_ row: (source: String, result: String)) throws {
        #expect(try rewritten(row.source) == row.result)
    }

    @Test(arguments: [
        "import Foundation", "import WatchConnectivity", "import UIKitExtras", "import struct UIKit.CGFloat", "import UIKit.UIImage",
        "let a = \"import UIKit\"",
        "// import WatchKit", "func f(import UIKit: Int) {}", "import SwiftUI",
    ])
    func otherImportsStay(_ source: String) throws {
        #expect(try rewritten(source) == source)
    }

    private func rewritten(_ source: String) throws -> String {
        String(
            try SourceRewriter.rewrite(source, path: "/x.swift", side: .phone).dropFirst(
                "#sourceLocation(file: \"/x.swift\", line: 1)\n".count))
    }
}
