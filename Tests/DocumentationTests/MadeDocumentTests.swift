import Testing

@testable import documents

/// The documents that `swift run documents` makes.
@Suite struct MadeDocumentTests {
    @Test(arguments: Document.all) func saysWhatItIsMadeFrom(_ document: Document) throws {
        #expect(try document.isUpToDate(), "\(document.path) is out of date: run `swift run documents`")
    }

    @Test(arguments: Document.all) func isMadeAnewWholly(_ document: Document) throws {
        let text = try #require(RepositoryFiles.text(document.path))
        let line = try #require(text.split(separator: "\n").last { $0.hasPrefix("|") || $0.hasPrefix("- ") || $0.hasPrefix("    ") })
        let changed = text.replacing(line, with: line + "|")
        #expect(try document.make(changed) == text)
    }

    @Test func whatStandsAroundTablesStays() throws {
        let page = try GrammarTables.page(from: "Before.\n" + GrammarTables.opening + "old" + GrammarTables.closing + "\nAfter.\n")
        #expect(page.hasPrefix("Before.\n" + GrammarTables.opening + "### Structure\n"))
        #expect(page.hasSuffix("\n" + GrammarTables.closing + "\nAfter.\n"))
        #expect(!page.contains("old" + GrammarTables.closing))
    }

    @Test(arguments: ["", GrammarTables.opening, GrammarTables.closing + GrammarTables.opening])
    func aPageWithoutThePlaceOfItsTablesIsLeftAlone(_ text: String) {
        #expect(throws: DocumentError.noPlaceForTables(opening: GrammarTables.opening, closing: GrammarTables.closing)) {
            try GrammarTables.page(from: text)
        }
    }
}

extension Document: CustomTestStringConvertible {
    public var testDescription: String { path }
}
