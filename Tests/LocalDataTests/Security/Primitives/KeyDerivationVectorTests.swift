import Foundation
import Testing

@testable import LocalData

@Suite struct KeyDerivationVectorTests {
    /// RFC 5869, appendices A.1 to A.3 (those of SHA-256).
    @Test(arguments: [
        (
            Data(repeating: 0x0b, count: 22), Data(0x00...0x0c), Data(0xf0...0xf9),
            "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"
        ),
        (
            Data(0x00...0x4f), Data(0x60...0xaf), Data(0xb0...0xff),
            """
            b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e590e09
            da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87
            """
        ),
        (
            Data(repeating: 0x0b, count: 22), Data(), Data(),
            "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"
        ),
    ])
    func hkdf(_ material: Data, _ salt: Data, _ info: Data, _ expected: String) throws {
        let expected = Data(hexText: expected)
        #expect(try Cryptography.hkdf(material, salt: salt, info: info, count: expected.count) == expected)
    }

    @Test func hkdfStopsAt255Blocks() throws {
        #expect(try Cryptography.hkdf(Data(count: 32), salt: Data(), info: Data(), count: 255 * 32).count == 8_160)
        for count in [0, 255 * 32 + 1] {
            #expect(throws: CryptographyFailure.self) {
                try Cryptography.hkdf(Data(count: 32), salt: Data(), info: Data(), count: count)
            }
        }
    }

    /// RFC 7914 §11.
    @Test(arguments: [
        (
            "passwd", "salt", UInt32(1),
            """
            55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc49ca9cccf179b645991664b39d77ef31
            7c71b845b1e30bd509112041d3a19783
            """
        ),
        (
            "Password", "NaCl", 80_000,
            """
            4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56a1d425a1225833549adb841b51c9b317
            6a272bdebba1d078478f62b397f33c8d
            """
        ),
    ])
    func pbkdf2(_ password: String, _ salt: String, _ iterations: UInt32, _ expected: String) throws {
        let derived = try Cryptography.pbkdf2(Data(password.utf8), salt: Data(salt.utf8), iterations: iterations, count: 64)
        #expect(derived == Data(hexText: expected))
    }

    /// The inputs of RFC 6070, which has SHA-1, with the results of SHA-256 as they are published for it; and none at all.
    @Test(arguments: [
        ("password", "salt", UInt32(1), "120fb6cffcf8b32c43e7225256c4f837a86548c92ccc35480805987cb70be17b"),
        ("password", "salt", 2, "ae4d0c95af6b46d32d0adff928f06dd02a303f8ef3c251dfd6e2d85a95474c43"),
        ("password", "salt", 4_096, "c5e478d59288c841aa530db6845c4c8d962893a001ce4e11a4963873aa98134a"),
        (
            "passwordPASSWORDpassword", "saltSALTsaltSALTsaltSALTsaltSALTsalt", 4_096,
            "348c89dbcbd32b2f32d814b8116e84cf2b17347ebc1800181c4e2a1fb8dd53e1c635518c7dac47e9"
        ),
        ("pass\0word", "sa\0lt", 4_096, "89b69d0516f829893c696226650a8687"),
        ("", "", 1, "f7ce0b653d2d72a4108cf5abe912ffdd777616dbbb27a70e8204f3ae2d0f6fad"),
    ])
    func pbkdf2OfOneAndMoreBlocks(_ password: String, _ salt: String, _ iterations: UInt32, _ expected: String) throws {
        let expected = Data(hexText: expected)
        let derived = try Cryptography.pbkdf2(
            Data(password.utf8), salt: Data(salt.utf8), iterations: iterations, count: expected.count)
        #expect(derived == expected)
    }

    @Test func pbkdf2RefusesNoIterations() {
        #expect(throws: CryptographyFailure.self) {
            try Cryptography.pbkdf2(Data("a".utf8), salt: Data("b".utf8), iterations: 0, count: 32)
        }
    }

    /// RFC 4231 §4.2, §4.3 and §4.7 (a key longer than a block).
    @Test(arguments: [
        (Data(repeating: 0x0b, count: 20), "Hi There", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
        (Data("Jefe".utf8), "what do ya want for nothing?", "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
        (
            Data(repeating: 0xaa, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
    ])
    func hmac(_ key: Data, _ message: String, _ expected: String) throws {
        #expect(try Cryptography.hmac(Data(message.utf8), key: key).hexText == expected)
    }
}
