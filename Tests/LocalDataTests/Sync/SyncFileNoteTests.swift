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
