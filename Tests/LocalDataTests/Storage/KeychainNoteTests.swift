import Foundation
import Testing

@testable import LocalData

@Suite struct KeychainNoteTests {
    private static let tag = Data((1...16).map { UInt8($0) })
    private static let countedTag = Data((1...24).map { UInt8($0) })
    private static let enrolment = Data((0x21...0x30).map { UInt8($0) })

    /// The stored forms are a contract.
    @Test func theStoredFormsArePinned() {
        #expect(KeychainNote(tag: nil).stored == nil)
        #expect(KeychainNote(tag: Self.tag).stored == Self.tag)
        let bound = KeychainNote(tag: Self.tag, enrolment: Self.enrolment).stored?.hexadecimal
        #expect(bound == "02010102030405060708090a0b0c0d0e0f102122232425262728292a2b2c2d2e2f30")
        #expect(KeychainNote(tag: Self.countedTag).stored == Self.countedTag)
        let counted = KeychainNote(tag: Self.countedTag, enrolment: Self.enrolment).stored?.hexadecimal
        #expect(counted == "02020102030405060708090a0b0c0d0e0f1011121314151617182122232425262728292a2b2c2d2e2f30")
        let untagged = KeychainNote(tag: nil, enrolment: Self.enrolment).stored?.hexadecimal
        #expect(untagged == "0200000000000000000000000000000000002122232425262728292a2b2c2d2e2f30")
    }

    @Test func whatWasStoredReadsBack() {
        for note in [
            KeychainNote(tag: nil), KeychainNote(tag: Self.tag), KeychainNote(tag: Self.tag, enrolment: Self.enrolment),
            KeychainNote(tag: nil, enrolment: Self.enrolment), KeychainNote(tag: Self.countedTag),
            KeychainNote(tag: Self.countedTag, enrolment: Self.enrolment),
        ] {
            #expect(KeychainNote(stored: note.stored ?? Data()) == note)
        }
    }

    @Test func whatSomebodyElseNotedIsATagLikeAnyOther() {
        let others = [Data([2]), Data([2, 0, 1])] + [34, 43].map { Data(repeating: 2, count: $0) }
        for foreign in others + [Data(repeating: 0, count: 33)] {
            #expect(KeychainNote(stored: foreign) == KeychainNote(tag: foreign))
        }
    }

    @Test func enrolmentsAreToldApart() {
        let prints = [Data([1]), Data([2])].map { BiometryEnrolment.enrolled(state: $0).fingerprint }
        #expect(prints[0] != prints[1] && prints[0]?.count == 16)
        #expect(BiometryEnrolment.unknown.fingerprint == nil && BiometryEnrolment.none.fingerprint == nil)
    }
}
