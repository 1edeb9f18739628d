import Foundation
import Testing

@testable import LocalData

@Suite struct AEADVectorTests {
    struct Vector: Sendable, CustomTestStringConvertible {
        var name: String
        var cipher: AEADCipher
        var key: String
        var nonce: String
        var associated: String
        var plaintext: String
        var ciphertext: String
        var tag: String

        var testDescription: String { name }
    }

    static let vectors: [Vector] = [
        Vector(
            name: "RFC 8439 §2.8.2", cipher: .chacha20Poly1305,
            key: "808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f", nonce: "070000004041424344454647",
            associated: "50515253c0c1c2c3c4c5c6c7",
            plaintext: Data(
                "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it.".utf8
            ).hexText,
            ciphertext: """
                d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d63dbea45e8ca9671282fafb69da92728b1a71de0a9e060b29
                05d6a5b67ecd3b3692ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc3ff4def08e4b7a9de576d26586cec64b6116
                """,
            tag: "1ae10b594f09e26a7e902ecbd0600691"),
        Vector(
            name: "RFC 8439 appendix A.5", cipher: .chacha20Poly1305,
            key: "1c9240a5eb55d38af333888604f6b5f0473917c1402b80099dca5cbc207075c0", nonce: "000000000102030405060708",
            associated: "f33388860000000000004e91",
            plaintext: Data(
                """
                Internet-Drafts are draft documents valid for a maximum of six months and may be updated, replaced, or obsoleted by other \
                documents at any time. It is inappropriate to use Internet-Drafts as reference material or to cite them other than as \
                /“work in progress./”
                """.utf8
            ).hexText,
            ciphertext: """
                64a0861575861af460f062c79be643bd5e805cfd345cf389f108670ac76c8cb24c6cfc18755d43eea09ee94e382d26b0bdb7b73c321b0100d4f03b7f
                355894cf332f830e710b97ce98c8a84abd0b948114ad176e008d33bd60f982b1ff37c8559797a06ef4f0ef61c186324e2b3506383606907b6a7c02b0
                f9f6157b53c867e4b9166c767b804d46a59b5216cde7a4e99040c5a40433225ee282a1b0a06c523eaf4534d7f83fa1155b0047718cbc546a0d072b04
                b3564eea1b422273f548271a0bb2316053fa76991955ebd63159434ecebb4e466dae5a1073a6727627097a1049e617d91d361094fa68f0ff77987130
                305beaba2eda04df997b714d6c6f2c29a6ad5cb4022b02709b
                """,
            tag: "eead9d67890cbb22392336fea1851f38"),
        Vector(
            name: "GCM specification, test case 13", cipher: .aes256GCM, key: String(repeating: "00", count: 32),
            nonce: String(repeating: "00", count: 12), associated: "", plaintext: "", ciphertext: "",
            tag: "530f8afbc74536b9a963b4f1c4cb738b"),
        Vector(
            name: "GCM specification, test case 14", cipher: .aes256GCM, key: String(repeating: "00", count: 32),
            nonce: String(repeating: "00", count: 12), associated: "", plaintext: String(repeating: "00", count: 16),
            ciphertext: "cea7403d4d606b6e074ec5d3baf39d18", tag: "d0d1c8a799996bf0265b98b5d48ab919"),
        Vector(
            name: "GCM specification, test case 15", cipher: .aes256GCM,
            key: String(repeating: "feffe9928665731c6d6a8f9467308308", count: 2),
            nonce: "cafebabefacedbaddecaf888", associated: "",
            plaintext: """
                d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255
                """,
            ciphertext: """
                522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662898015ad
                """,
            tag: "b094dac5d93471bdec1a502270e3cc6c"),
        Vector(
            name: "GCM specification, test case 16", cipher: .aes256GCM,
            key: String(repeating: "feffe9928665731c6d6a8f9467308308", count: 2),
            nonce: "cafebabefacedbaddecaf888", associated: "feedfacedeadbeeffeedfacedeadbeefabaddad2",
            plaintext: """
                d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39
                """,
            ciphertext: """
                522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662
                """,
            tag: "76fc6ece0f4e1768cddf8853bb2d551b"),
    ]

    @Test(arguments: vectors)
    func sealsAndOpens(_ vector: Vector) throws {
        let (key, nonce, associated) = (Data(hexText: vector.key), Data(hexText: vector.nonce), Data(hexText: vector.associated))
        let plaintext = Data(hexText: vector.plaintext)
        let expected = Data(hexText: vector.ciphertext + vector.tag)
        #expect(
            try Cryptography.sealed(plaintext, with: vector.cipher, key: key, nonce: nonce, associated: associated) == expected)
        #expect(try Cryptography.opened(expected, with: vector.cipher, key: key, nonce: nonce, associated: associated) == plaintext)
    }

    @Test(arguments: vectors)
    func associatedDataInTwoPiecesIsTheSameAsInOne(_ vector: Vector) throws {
        let (key, nonce, associated) = (Data(hexText: vector.key), Data(hexText: vector.nonce), Data(hexText: vector.associated))
        let (first, second) = (associated.prefix(associated.count / 3), associated.dropFirst(associated.count / 3))
        let sealed = try Cryptography.sealed(
            Data(hexText: vector.plaintext), with: vector.cipher, key: key, nonce: nonce, associated: first, identity: second)
        #expect(sealed == Data(hexText: vector.ciphertext + vector.tag))
    }

    @Test(arguments: AEADCipher.allCases, [0, 16, 24, 31, 33, 64])
    func keysOfOtherLengthsAreRefused(_ cipher: AEADCipher, _ length: Int) {
        #expect(throws: CryptographyFailure.invalidLength("a key of \(length) bytes")) {
            try Cryptography.sealed(Data(), with: cipher, key: Data(count: length), nonce: Data(count: 12), associated: Data())
        }
    }

    /// Among them the GCM specification's test cases 17 and 18 (8 and 60 bytes).
    @Test(arguments: AEADCipher.allCases, [0, 8, 11, 13, 16, 60])
    func noncesOfOtherLengthsAreRefused(_ cipher: AEADCipher, _ length: Int) {
        #expect(throws: CryptographyFailure.invalidLength("a nonce of \(length) bytes")) {
            try Cryptography.opened(Data(count: 16), with: cipher, key: Data(count: 32), nonce: Data(count: length), associated: Data())
        }
    }

    @Test(arguments: AEADCipher.allCases, 0..<16)
    func ciphertextsShorterThanATagAreRefused(_ cipher: AEADCipher, _ length: Int) {
        #expect(throws: CryptographyFailure.self) {
            try Cryptography.opened(Data(count: length), with: cipher, key: Data(count: 32), nonce: Data(count: 12), associated: Data())
        }
    }

    @Test(arguments: AEADCipher.allCases)
    func unauthenticatedPlaintextIsWiped(_ cipher: AEADCipher) throws {
        let (key, nonce) = (Data(count: 32), Data(count: 12))
        var sealed = try Cryptography.sealed(Data(repeating: 0x41, count: 64), with: cipher, key: key, nonce: nonce, associated: Data())
        sealed[79] ^= 1
        var output = Data(repeating: 0xFF, count: 64)
        #expect(throws: CryptographyFailure.notAuthentic) {
            try key.withUnsafeBytes { key in
                try nonce.withUnsafeBytes { nonce in
                    let parameters = AEADParameters(
                        key: key, nonce: nonce, header: .init(start: nil, count: 0), identity: .init(start: nil, count: 0))
                    try output.withUnsafeMutableBytes { output in
                        try sealed.withUnsafeBytes { try Cryptography.open($0, with: cipher, parameters: parameters, into: output) }
                    }
                }
            }
        }
        #expect(output == Data(count: 64))
    }
}
