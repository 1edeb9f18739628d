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

    @Test func pbkdf2TakesEmptyPasswordAndSalt() throws {
        let derived = try Cryptography.pbkdf2(Data(), salt: Data(), iterations: 1, count: 32)
        #expect(derived.count == 32 && derived != Data(count: 32))
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
