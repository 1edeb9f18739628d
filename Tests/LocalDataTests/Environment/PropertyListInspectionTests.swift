import Foundation
import FuzzSupport
import Testing

@testable import LocalData

/// Files that would keep Foundation busy for ever, fill the memory or end the process.
@Suite struct PropertyListInspectionTests {
    @Test(arguments: [false, true], [24, 60, 500])
    func containersThatAreNamedManyTimesOverAreRefused(_ dictionaries: Bool, _ levels: Int) {
        let forged = Data(ForgedPropertyList.doubling(levels: levels, dictionaries: dictionaries))
        #expect(throws: PropertyListValueError.self) { try PropertyListValue(encoded: forged) }
        #expect(throws: StorageError.self) { try Serializer<AnyCodable>.plist.value(from: forged) }
    }

    @Test func containersThatContainThemselvesAreRefused() {
        var file = ForgedPropertyList()
        _ = file.add(.array([1]))
        _ = file.add(.array([0]))
        let forged = Data(file.bytes(top: 0))
        #expect(throws: PropertyListValueError(keyPath: "", problem: "a container contains itself")) {
            try PropertyListValue(encoded: forged)
        }
        #expect(throws: StorageError.self) { try Serializer<AnyCodable>.plist.value(from: forged) }
    }

    @Test(arguments: [600, 200_000])
    func deepNestingIsRefused(_ depth: Int) {
        let deep = (0..<min(depth, 600)).reduce(PlistNode.string("x")) { inner, _ in .array([inner]) }
        let xml = String(repeating: "<array>", count: depth) + String(repeating: "</array>", count: depth)
        for forged in [Data(deep.binary), Data("<plist>\(xml)</plist>".utf8), Data("<!-- </array> --><plist>\(xml)</plist>".utf8)] {
            #expect(throws: PropertyListValueError.self) { try PropertyListValue(encoded: forged) }
            #expect(throws: StorageError.self) { try Serializer<AnyCodable>.plist.value(from: forged) }
        }
    }

    /// Where this and a reader may disagree about what is nested in what, the file is refused: each ended the process with enough of it.
    @Test(arguments: [
        String(repeating: "<plist>", count: 100_000), String(repeating: "<array><?x > </array> ?>", count: 100_000),
        "<plist><?x ?><string>a</string></plist>", "<!DOCTYPE plist [<!ENTITY a \"b\">]><plist><string>&a;</string></plist>",
        "<plist><array a=\"></array>\"></array></plist>", "<plist><key>a</key><!ELEMENT b></plist>",
        String(repeating: "<string>", count: 100_000),
    ])
    func whatReadersMayUnderstandOtherwiseIsRefused(_ xml: String) {
        #expect(throws: PropertyListValueError.self) { try PropertyListInspection.check(Data(xml.utf8)) }
        #expect(throws: StorageError.self) { try Serializer<AnyCodable>.plist.value(from: Data(xml.utf8)) }
    }

    /// The time is in proportion to the bytes: a million blanks were walked once for each of a hundred thousand tags, for hours.
    @Test(.timeLimit(.minutes(60))) func blanksBeforeManyTagsTakeNoTime() {
        let blanks = String(repeating: " ", count: 1_000_000)
        let tags = String(repeating: "<array/>", count: 100_000)
        #expect(throws: Never.self) { try PropertyListInspection.check(Data("\(blanks)<plist><array>\(tags)</array></plist>".utf8)) }
        #expect(throws: Never.self) { try PropertyListInspection.check(Data(" \n<?xml version=\"1.0\"?><plist><array/></plist>".utf8)) }
        #expect(throws: PropertyListValueError.self) { try PropertyListInspection.check(Data(" <plist/><?xml?>".utf8)) }
    }

    /// What honest writers write passes, whatever it looks like.
    @Test func honestFilesPass() throws {
        var wide: [String: PropertyListValue] = [:]
        for number in 0..<2_000 { wide["key \(number)"] = .array(Array(repeating: .string("same"), count: number % 40)) }
        let deep = (0..<250).reduce(PropertyListValue.string("x")) { inner, _ in .array([inner]) }
        let tags = PropertyListValue.array([.string("<array><array>"), .string("]]> --> <!--"), .data(Data("bplist00".utf8))])
        for value in [PropertyListValue.dictionary(wide), deep, tags, .array([]), .string("alone")] {
            for format in [PropertyListSerialization.PropertyListFormat.binary, .xml] {
                #expect(try PropertyListValue(encoded: value.encoded(as: format)) == value)
            }
        }
        let commented = "<!-- <array><dict> --><plist><string><![CDATA[<array><array>]]></string></plist>"
        #expect(try PropertyListValue(encoded: Data("\u{FEFF}\n \(commented)".utf8)) == .string("<array><array>"))
        let declared = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0"><array><true/><integer>1</integer><array/><dict /></array></plist>
            """
        #expect(try PropertyListValue(encoded: Data(declared.utf8)) == .array([.bool(true), .integer(1), .array([]), .dictionary([:])]))
    }

    @Test(arguments: ["", "a", "{a=b;}", "((((", "bplist00", "bplist00" + String(repeating: "\u{0}", count: 32)])
    func otherBytesAreRefused(_ text: String) {
        #expect(throws: PropertyListValueError.self) { try PropertyListValue(encoded: Data(text.utf8)) }
    }

    /// Found by fuzzing: a set as the outermost value ended the process.
    @Test(arguments: [0x00, 0x0F, 0x80, 0xB2, 0xC2, 0xE0, 0xF0])
    func objectsThatAreNoPropertyListAreRefused(_ marker: UInt8) {
        var file = ForgedPropertyList()
        _ = file.add(.array([1, 2]))
        _ = file.add(.string("a"))
        _ = file.add(.string("b"))
        for place in [8, 11] {
            var bytes = file.bytes(top: 0)
            bytes[place] = marker
            #expect(throws: PropertyListValueError.self) { try PropertyListValue(encoded: Data(bytes)) }
            #expect(throws: StorageError.self) { try Serializer<AnyCodable>.plist.value(from: Data(bytes)) }
        }
    }
}
