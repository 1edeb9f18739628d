import Foundation
import Testing

@testable import LocalData

@Suite struct KeychainItemMetadataTests {
    private static let tag = Data((1...16).map { UInt8($0) })
    /// Of the counter 0x0102030405.
    private static let countedTag = tag + Data([0, 0, 0, 1, 2, 3, 4, 5])
    private static let enrolment = Data((0x21...0x30).map { UInt8($0) })

    /// The stored forms are a contract.
    @Test func theStoredFormsArePinned() {
        #expect(KeychainItemMetadata(tag: nil).stored == nil)
        let pinned: [(KeychainItemMetadata, String)] = [
            (KeychainItemMetadata(tag: Self.tag), "894c444e0101100102030405060708090a0b0c0d0e0f10"),
            (KeychainItemMetadata(tag: Self.countedTag), "894c444e0101180102030405060708090a0b0c0d0e0f100000000102030405"),
            (
                KeychainItemMetadata(tag: Self.tag, enrolment: Self.enrolment),
                "894c444e0101100102030405060708090a0b0c0d0e0f1002102122232425262728292a2b2c2d2e2f30"
            ),
            (
                KeychainItemMetadata(tag: nil, enrolment: Self.enrolment, enrolmentSystem: 17),
                "894c444e0102102122232425262728292a2b2c2d2e2f30050400000011"
            ),
            (KeychainItemMetadata(tag: nil, accessControl: .userPresence), "894c444e01030c7573657250726573656e6365"),
        ]
        for (note, stored) in pinned { #expect(note.stored?.hexadecimal == stored) }
    }

    /// What the versions before the mark stored.
    @Test func theEarlierFormsAreRead() {
        let earlier: [(String, tag: Data?, enrolment: Data?)] = [
            ("0102030405060708090a0b0c0d0e0f10", Self.tag, nil),
            ("0102030405060708090a0b0c0d0e0f100000000102030405", Self.countedTag, nil),
            ("02010102030405060708090a0b0c0d0e0f102122232425262728292a2b2c2d2e2f30", Self.tag, Self.enrolment),
            (
                "02020102030405060708090a0b0c0d0e0f1011121314151617182122232425262728292a2b2c2d2e2f30",
                Data((1...24).map { UInt8($0) }), Self.enrolment
            ),
            ("0200000000000000000000000000000000002122232425262728292a2b2c2d2e2f30", nil, Self.enrolment),
        ]
        for (stored, tag, enrolment) in earlier {
            let note = KeychainItemMetadata(stored: Data(hexText: stored))
            #expect(note.tag == tag && note.enrolment == enrolment && note.accessControl == nil && !note.isMarked)
        }
    }

    @Test func whatWasStoredReadsBack() {
        for tag in [nil, Self.tag, Self.countedTag] {
            for enrolment in [nil, Self.enrolment] {
                for control in [nil] + KeychainAccessControl.allCases {
                    let note = KeychainItemMetadata(
                        tag: tag, enrolment: enrolment, enrolmentSystem: enrolment.map { _ in .max - 1 }, accessControl: control)
                    guard let stored = note.stored else { continue }
                    #expect(KeychainItemMetadata(stored: stored) == note)
                }
            }
        }
    }

    /// A later version may note more. What is not whole is no note.
    @Test func unknownFieldsArePassedOver() throws {
        let stored = try #require(KeychainItemMetadata(tag: Self.countedTag).stored)
        #expect(KeychainItemMetadata(stored: stored + Data([9, 2, 1, 1])).tag == Self.countedTag)
        for broken in [stored.dropLast(), stored + Data([9]), stored + Data([9, 2, 1])] {
            #expect(KeychainItemMetadata(stored: Data(broken)).tag == Data(broken))
        }
    }

    @Test func whatSomebodyElseNotedIsATagLikeAnyOther() {
        let others = [Data([2]), Data([2, 0, 1])] + [34, 43].map { Data(repeating: 2, count: $0) }
        for foreign in others + [Data(repeating: 0, count: 33)] {
            #expect(KeychainItemMetadata(stored: foreign).tag == foreign)
        }
    }

    /// An app's own attribute that happens to have the length of a tag with a counter.
    @Test(arguments: ["com.example.app.tokenkey", "0000-0000-0000-0000-0001", "\u{1}\u{2}\u{3}ABCDEFGHIJKLMNOPQRSTU"])
    func textIsNoCounter(_ text: String) throws {
        let foreign = Data(text.utf8)
        #expect(foreign.count == SyncRevision.countedTagLength)
        let tag = try #require(KeychainItemMetadata(stored: foreign).tag)
        #expect(SyncRevision.counter(of: tag) == 0)
        #expect(tag != KeychainItemMetadata(stored: foreign + Data([1])).tag)
    }

    @Test func enrolmentsAreToldApart() {
        let prints = [Data([1]), Data([2])].map { BiometryEnrolment.enrolled(state: $0).fingerprint }
        #expect(prints[0] != prints[1] && prints[0]?.count == 16)
        #expect(BiometryEnrolment.unknown.fingerprint == nil && BiometryEnrolment.none.fingerprint == nil)
    }
}
