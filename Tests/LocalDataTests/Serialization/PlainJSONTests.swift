import Foundation
import Testing

@testable import LocalData

/// What the quick reading of JSON takes, the decoder reads the same.
@Suite struct PlainJSONTests {
    static let texts = [
        #""""#, #""dark""#, #""a\nb""#, #""ä""#, "\"a\u{1}\"", #"""#, #""a"b""#, "0", "7", "-7", "07", "007", "1.0", "1e3", "+1", " 1",
        "1 ",
        "999999999999999999", "9223372036854775807", "9223372036854775808", "true", "false", "True", "null", "", "[]", "{}", "truefalse",
    ]

    @Test(arguments: texts) func agreesWithTheDecoder(_ text: String) {
        check(text, as: String.self)
        check(text, as: Int.self)
        check(text, as: Bool.self)
    }

    private func check<Value: Decodable & Equatable>(_ text: String, as type: Value.Type) {
        let json = Data(text.utf8)
        guard let quick = PlainJSON.value(in: json, as: type) else { return }
        #expect(quick == (try? JSONDecoder().decode(type, from: json)), "\(text) as \(type)")
    }

    @Test func takesPlainScalars() {
        #expect(PlainJSON.value(in: Data(#""dark""#.utf8)) == "dark")
        #expect(PlainJSON.value(in: Data("42".utf8)) == 42)
        #expect(PlainJSON.value(in: Data("false".utf8)) == false)
    }

    @Test func takesSlicesOfData() {
        #expect(PlainJSON.value(in: Data("x\"dark\"".utf8).dropFirst()) == "dark")
    }

    @Test func leavesOtherTypesToTheDecoder() {
        #expect(PlainJSON.value(in: Data("1".utf8), as: Double.self) == nil)
        #expect(PlainJSON.value(in: Data("1".utf8), as: Bool.self) == nil)
    }
}
