import Foundation
import FuzzSupport

@testable import LocalData

/// Sealed values.
enum EnvelopeTargets {
    static let policies: [SecurityPolicy.EncryptionPolicy] = [
        .recommended, .aes256(keyDerivation: .hkdf(info: Data("info".utf8))), .aes256(keyDerivation: .pbkdf2(iterations: 1_000)),
        .external(source: KeyMaterialSource(id: "server"), keyDerivation: .hkdf(salt: Data([1, 2, 3]))),
    ]

    struct Provider: KeyMaterialProviding {
        func keyMaterial(for keyName: String) async throws -> Data { Data(repeating: 3, count: 32) }
    }

    static func all() async throws -> [FuzzTarget] {
        let helper = SecurityTestEnvironment().helper
        await helper.registerKeyMaterialProvider(Provider(), for: KeyMaterialSource(id: "server"))
        var sealed: [[UInt8]] = []
        for policy in policies { sealed.append([UInt8](try await helper.encrypt(Data("secret".utf8), policy: policy, identity: "record"))) }
        let known = Set(sealed)
        return [
            FuzzTarget("envelope", seeds: sealed, words: words, share: 400, make: forged, promises: { $0 is EnvelopeError }) { bytes in
                let data = Data(bytes)
                let envelope: Envelope
                do {
                    envelope = try Envelope(parsing: data)
                } catch {
                    // A slice has other indices and the same bytes.
                    let again = Result { try Envelope(parsing: (Data([0]) + data).dropFirst()) }
                    if case .success = again { throw FuzzViolation("a slice reads where the whole does not") }
                    throw error
                }
                var header = Data(count: envelope.headerLength)
                header.withUnsafeMutableBytes { envelope.header.write(ciphertextLength: envelope.ciphertextLength, to: $0) }
                try FuzzViolation.unless(header == data.prefix(envelope.headerLength), "a header reads as another than it is written")
            },
            FuzzTarget("sealed-value", seeds: sealed, words: words, share: 40, make: forged, promises: isOfReading) { bytes in
                let data = Data(bytes)
                // Iterations of up to ten millions are believed, and take their time.
                if case .pbkdf2(_, let iterations)? = (try? Envelope(parsing: data))?.header.derivation, iterations > 4_000 { return }
                let former = SecurityPolicy.EncryptionPolicy.external(source: KeyMaterialSource(id: "server"), keyDerivation: .hkdf())
                _ = try await helper.decrypt(data, policy: .recommended, formerPolicies: [former], identity: "record")
                try FuzzViolation.unless(known.contains(bytes), "an envelope opens that was never sealed")
            },
        ]
    }

    private static func isOfReading(_ error: any Error) -> Bool {
        let codes: Set<StorageError.Code> = [
            .corrupt, .unsupportedFormat, .superseded, .decryptionFailed, .keyMissing, .providerMissing, .undeclaredPolicy,
        ]
        return (error as? StorageError).map { codes.contains($0.code) } ?? false
    }

    private static let words: [[UInt8]] = [
        EnvelopeFormat.magic, EnvelopeFormat.magic + [1, 2, 1, 1, 0, 0, 0, 0], [0, 0, 0x03, 0xE8], [0xFF, 0xFF],
    ]

    /// Fields of any values, with lengths that mostly fit.
    private static func forged(_ random: inout FuzzGenerator) -> [UInt8] {
        func length(_ limits: [Int]) -> Int { random.below(5) == 0 ? random.element(of: limits) : random.below(24) }
        let (id, salt, info) = (length([0, 1, 254, 255]), length([0, 254, 255]), length([0, 1_023, 1_024, 1_025]))
        let ciphertext = length([0, 1, 0xFFFF])
        var bytes = EnvelopeFormat.magic
        bytes += [
            random.below(6) == 0 ? UInt8(random.below(256)) : 1, UInt8(random.below(4)), UInt8(random.below(4)), UInt8(random.below(4)),
        ]
        let iterations = random.element(of: [0, 0, 999, 1_000, 10_000_000, 10_000_001, Int(UInt32.max)])
        bytes += number(iterations, 4) + [UInt8(id), UInt8(salt)] + number(info, 2) + number(ciphertext, 4)
        bytes += random.below(3) == 0 ? random.bytes(id) : Array(repeating: 0x61, count: id)
        return bytes + random.bytes(salt + info + 12 + ciphertext + 16)
    }

    private static func number(_ number: Int, _ size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: number >> (8 * (size - 1 - $0))) }
    }
}
