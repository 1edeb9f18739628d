import Foundation
import Testing

@testable import PairsimTool

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// The reader of reports, held against Foundation's, which also takes some texts that are no documents.
@Suite struct XMLScannerTests {
    private static func events(_ text: String) throws -> [XMLScanner.Event] {
        var events: [XMLScanner.Event] = []
        try XMLScanner.read(Data(text.utf8)) { events.append($0) }
        return events
    }

    /// What an element means does not depend on how its texts are cut.
    private static func joined(_ events: [XMLScanner.Event]) -> [XMLScanner.Event] {
        events.reduce(into: []) { joined, event in
            if case .text(let more) = event, case .text(let text)? = joined.last {
                joined[joined.count - 1] = .text(text + more)
            } else if event != .text("") {
                joined.append(event)
            }
        }
    }

    private static let documents = [
        "<a/>", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<a b='1' c = \"2\"><d/>\n</a>\n",
        "<a>&lt;&amp;&gt;&quot;&apos;&#65;&#x1F600;</a>",
        "<a><![CDATA[<b>&amp;]]]]><![CDATA[>]]></a>", "<!-- x --><a><!-- <b> --><?p q?>t</a><!---->",
        "<a b=\"x&#10;y\nz\tu\">r\r\ns\rt</a>",
        "<ä:b_1.c-2 d=\"ü\">€</ä:b_1.c-2 >", "\u{FEFF}<a>x</a>", "<a b='\"' c=\"'\"/>", "<a><b></b><b/></a>",
    ]

    @Test(arguments: documents) func itReadsWhatFoundationReads(_ text: String) throws {
        #expect(try Self.joined(Self.events(text)) == Self.joined(try #require(FoundationReader.read(text))))
    }

    @Test(arguments: [
        "", " ", "x", "<", "<a", "<a>", "<a><b></a>", "</a>", "<a/><a/>", "<a/>x", "<a b/>", "<a b=1/>", "<a b='1'c='2'/>",
        "<a b='1' b='2'/>",
        "<a b='<'/>", "<a>&nbsp;</a>", "<a>&</a>", "<a>&#0;</a>", "<a>&#xD800;</a>", "<a>&amp</a>", "<1/>", "<a><![CDATA[x</a>",
        "<!-- -- --><a/>",
        "<?xml", "<a b='1", "< a/>",
    ])
    func whatIsNoDocumentIsRefused(_ text: String) {
        #expect(throws: XMLScanner.Fault.self) { try Self.events(text) }
    }

    /// Entities of a document's own, of which a few lines can make a text of gigabytes.
    @Test func aDocumentTypeIsRefused() {
        let bomb = "<!DOCTYPE a [<!ENTITY x \"ha\"><!ENTITY y \"&x;&x;\">]><a>&y;</a>"
        #expect(throws: XMLScanner.Fault(offset: 0, reason: "a document type, which is not read")) { try Self.events(bomb) }
    }

    @Test func bytesThatAreNotUTF8AreRefused() {
        #expect(throws: XMLScanner.Fault.self) { try XMLScanner.read(Data([0x3C, 0x61, 0x3E, 0xFF, 0x3C, 0x2F, 0x61, 0x3E])) { _ in } }
    }
}

/// What an independent reader makes of a text.
private final class FoundationReader: NSObject, XMLParserDelegate {
    private var events: [XMLScanner.Event] = []

    static func read(_ text: String) -> [XMLScanner.Event]? {
        let reader = FoundationReader()
        let parser = XMLParser(data: Data(text.utf8))
        parser.delegate = reader
        return parser.parse() && !reader.events.isEmpty ? reader.events : nil
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?, attributes: [String: String] = [:]
    ) {
        events.append(.start(name, attributes: attributes))
    }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        events.append(.end(name))
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) { events.append(.text(text)) }
    func parser(_ parser: XMLParser, foundCDATA block: Data) { events.append(.text(String(decoding: block, as: UTF8.self))) }
}
