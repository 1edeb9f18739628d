import Foundation
import Testing

@testable import LocalData

private let wycheproofFolder = ProcessInfo.processInfo.environment["LOCALDATA_VECTORS"]

/// Project Wycheproof's published cases. They are not part of the package: `LOCALDATA_VECTORS` names the folder that holds them.
@Suite(.enabled(if: wycheproofFolder != nil, "LOCALDATA_VECTORS names no folder with Wycheproof's files"))
struct WycheproofTests {
    struct File<Case: Decodable>: Decodable {
        struct Group: Decodable { var tests: [Case] }
        var numberOfTests: Int
        var testGroups: [Group]
    }

    struct AEADCase: Decodable {
        var tcId: Int
        var key, iv, aad, msg, ct, tag, result: String
    }

    struct HKDFCase: Decodable {
        var tcId, size: Int
        var ikm, salt, info, okm, result: String
    }

    struct PBKDF2Case: Decodable {
        var tcId, dkLen: Int
        var iterationCount: UInt32
        var password, salt, dk: String
    }

    private func cases<Case: Decodable>(_ name: String, as type: Case.Type) throws -> [Case] {
        let folder = try #require(wycheproofFolder)
        let data = try Data(contentsOf: URL(fileURLWithPath: folder).appendingPathComponent("wycheproof_\(name).json"))
        let file = try JSONDecoder().decode(File<Case>.self, from: data)
        let cases = file.testGroups.flatMap(\.tests)
        #expect(cases.count == file.numberOfTests)
        return cases
    }

    /// How many cases were computed, and how many are of sizes that LocalData refuses: keys of 16 and 24 bytes, nonces other than 12.
    @Test(arguments: [
        ("aes_gcm", AEADCipher.aes256GCM, 66, 250),
        ("chacha20_poly1305", .chacha20Poly1305, 316, 9),
    ])
    func ciphers(_ name: String, _ cipher: AEADCipher, _ expectedComputed: Int, _ expectedRefused: Int) throws {
        var computed = 0
        var refused = 0
        for test in try cases(name, as: AEADCase.self) {
            let (key, nonce, associated) = (Data(hexText: test.key), Data(hexText: test.iv), Data(hexText: test.aad))
            let (message, sealed) = (Data(hexText: test.msg), Data(hexText: test.ct + test.tag))
            do {
                let opened = try Cryptography.opened(sealed, with: cipher, key: key, nonce: nonce, associated: associated)
                #expect(test.result == "valid" && opened == message, "case \(test.tcId) opened")
                computed += 1
            } catch CryptographyFailure.notAuthentic {
                #expect(test.result == "invalid", "case \(test.tcId) did not open")
                computed += 1
            } catch CryptographyFailure.invalidLength {
                #expect(key.count != 32 || nonce.count != 12, "case \(test.tcId) was refused")
                refused += 1
            }
            guard test.result == "valid", key.count == 32, nonce.count == 12 else { continue }
            #expect(
                try Cryptography.sealed(message, with: cipher, key: key, nonce: nonce, associated: associated) == sealed,
                "case \(test.tcId) sealed")
        }
        #expect(computed == expectedComputed)
        #expect(refused == expectedRefused)
    }

    @Test func hkdf() throws {
        var computed = 0
        var refused = 0
        for test in try cases("hkdf_sha256", as: HKDFCase.self) {
            do {
                let derived = try Cryptography.hkdf(
                    Data(hexText: test.ikm), salt: Data(hexText: test.salt), info: Data(hexText: test.info), count: test.size)
                #expect(test.result == "valid" && derived == Data(hexText: test.okm), "case \(test.tcId)")
                computed += 1
            } catch CryptographyFailure.invalidLength {
                #expect(test.result == "invalid", "case \(test.tcId) was refused")
                refused += 1
            }
        }
        #expect(computed == 83)
        #expect(refused == 3)
    }

    @Test func pbkdf2() throws {
        var computed = 0
        for test in try cases("pbkdf2_hmacsha256", as: PBKDF2Case.self) {
            let derived = try Cryptography.pbkdf2(
                Data(hexText: test.password), salt: Data(hexText: test.salt), iterations: test.iterationCount, count: test.dkLen)
            #expect(derived == Data(hexText: test.dk), "case \(test.tcId)")
            computed += 1
        }
        #expect(computed == 60)
    }
}
