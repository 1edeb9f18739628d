import Foundation

extension EnvelopeHeader {
    /// The count of ``write(ciphertextLength:to:)``'s bytes.
    var encodedLength: Int {
        let parameters =
            switch derivation {
            case .hkdf(let salt, let info): salt.count + info.count
            case .pbkdf2(let salt, _): salt.count
            }
        return EnvelopeFormat.fixedLength + keySource.id.utf8.count + parameters + nonce.count
    }

    /// Writes the header to the front of `output`, which has room for ``encodedLength`` bytes. The header has passed ``check()``.
    func write(ciphertextLength: Int, to output: UnsafeMutableRawBufferPointer) {
        let derivationNumber: EnvelopeFormat.Derivation
        let iterations: UInt32
        let salt: Data
        let info: Data
        switch derivation {
        case .hkdf(let hkdfSalt, let hkdfInfo): (derivationNumber, iterations, salt, info) = (.hkdf, 0, hkdfSalt, hkdfInfo)
        case .pbkdf2(let pbkdf2Salt, let count): (derivationNumber, iterations, salt, info) = (.pbkdf2, count, pbkdf2Salt, Data())
        }
        let source: EnvelopeFormat.KeySource =
            switch keySource {
            case .master: .master
            case .external: .external
            }

        var offset = 0
        func put(_ bytes: some Collection<UInt8>) {
            UnsafeMutableRawBufferPointer(rebasing: output[offset..<offset + bytes.count]).copyBytes(from: bytes)
            offset += bytes.count
        }
        func put(_ integer: some FixedWidthInteger) {
            output.storeBytes(of: integer.bigEndian, toByteOffset: offset, as: type(of: integer))
            offset += integer.bitWidth / 8
        }
        put(EnvelopeFormat.magic)
        put(version.rawValue)
        put(cipher.rawValue)
        put(derivationNumber.rawValue)
        put(source.rawValue)
        put(iterations)
        put(UInt8(truncatingIfNeeded: keySource.id.utf8.count))
        put(UInt8(truncatingIfNeeded: salt.count))
        put(UInt16(truncatingIfNeeded: info.count))
        put(UInt32(truncatingIfNeeded: ciphertextLength))
        put(keySource.id.utf8)
        put(salt)
        put(info)
        put(nonce)
    }
}
