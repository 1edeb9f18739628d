import Foundation
import Testing

@testable import LocalData

/// The version that lies with a file whose record could not be written.
@Suite struct SyncFileNoteTests {
    private static let note = SyncFileNote(counter: 7, revision: Data([0xb0, 0x01]), keyName: "a \"b\"")
    private static let text = #"{"content":"b001","counter":7,"key":"a \"b\"","version":1}"#

    @Test func formatIsPinned() throws {
        #expect(Self.note.encoded == Data(Self.text.utf8))
        #expect(try SyncFileNote(encoded: Data(Self.text.utf8)) == Self.note)
    }

    /// What an extension set: an edit, without a version yet.
    @Test func formatOfAnEditIsPinned() throws {
        let note = SyncFileNote(counter: 0, edit: "0123456789abcdef", revision: Data([0xb0, 0x01]), keyName: "a")
        let text = #"{"content":"b001","counter":0,"edit":"0123456789abcdef","key":"a","version":1}"#
        #expect(note.encoded == Data(text.utf8))
        #expect(try SyncFileNote(encoded: Data(text.utf8)) == note)
        let edit = try #require(ExtensionEdit(note, of: "a"))
        #expect(edit.edit(finding: Data([0xb0, 0x01]))?.identifier == "0123456789abcdef")
        #expect(edit.edit(finding: Data([0xb0])) == nil, "somebody has put other bytes there since")
        #expect(ExtensionEdit(note, of: "b") == nil, "it was copied with the file of another key")
        #expect(ExtensionEdit(Self.note, of: Self.note.keyName) == nil, "the app's own")
        let short = SyncFileNote(counter: 0, edit: "0123", revision: Data(), keyName: "a")
        #expect(ExtensionEdit(short, of: "a") == nil)
    }

    /// What other processes store too says which form it has.
    @Test func formatWithASchemaIsPinned() throws {
        let note = SyncFileNote(counter: 0, revision: Data([0xb0, 0x01]), keyName: "a", schema: 2)
        let text = #"{"content":"b001","counter":0,"key":"a","schema":2,"version":1}"#
        #expect(note.encoded == Data(text.utf8))
        #expect(try SyncFileNote(encoded: Data(text.utf8)) == note)
        let none = text.replacing("\"schema\":2", with: "\"schema\":0")
        #expect(throws: StorageError.self) { try SyncFileNote(encoded: Data(none.utf8)) }
    }

    @Test func everyTruncationIsCorrupt() {
        for length in 0..<Self.text.utf8.count {
            let error = #expect(throws: StorageError.self) { try SyncFileNote(encoded: Data(Self.text.utf8.prefix(length))) }
            #expect(error?.code == .corrupt)
        }
    }

    @Test(arguments: [
        #"{"content":"b0","counter":9223372036854775807,"key":"a","version":1}"#, #"{"content":"b","counter":1,"key":"a","version":1}"#,
        #"{"content":"b0","counter":-1,"key":"a","version":1}"#, "[]", "null", "\u{0}",
    ])
    func foreignAttributesAreCorrupt(_ text: String) {
        let error = #expect(throws: StorageError.self) { try SyncFileNote(encoded: Data(text.utf8)) }
        #expect(error?.code == .corrupt)
    }

    @Test func aNewerFormatIsSuperseded() {
        let error = #expect(throws: StorageError.self) { try SyncFileNote(encoded: Data(#"{"version":2,"unheard":"of"}"#.utf8)) }
        #expect(error?.code == .superseded)
    }

    @Test func aLongAttributeIsSomebodyElses() {
        let long = Data("{\"content\":\"b0\",\"counter\":1,\"key\":\"\(String(repeating: "a", count: 5_000))\",\"version\":1}".utf8)
        #expect(throws: StorageError.self) { try SyncFileNote(encoded: long) }
    }
}
