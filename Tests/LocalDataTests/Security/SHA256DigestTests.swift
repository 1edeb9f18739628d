import Foundation
import Testing

@testable import LocalData

@Suite struct SHA256DigestTests {
    /// FIPS 180-4's examples, and the digest of nothing.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func publishedExamples(_ text: String, _ expected: String) {
        #expect(SHA256Digest.digest(of: Data(text.utf8)).hexText == expected)
    }

    @Test func aMillionLetters() {
        let data = Data(repeating: UInt8(ascii: "a"), count: 1_000_000)
        #expect(SHA256Digest.digest(of: data).hexText == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    @Test func slicesAreDigestedByTheirOwnBytes() {
        let data = Data("xabcx".utf8)
        #expect(SHA256Digest.digest(of: data[1..<4]) == SHA256Digest.digest(of: Data("abc".utf8)))
    }
}
