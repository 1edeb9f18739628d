/// Makes inputs out of others.
struct FuzzMutator: Sendable {
    let target: FuzzTarget
    /// No input becomes longer.
    static let maximumLength = 1 << 16

    func input(_ random: inout FuzzGenerator) -> [UInt8] {
        if random.below(100) == 0 { return random.bytes(random.below(64)) }
        var bytes: [UInt8]
        if let make = target.make, random.below(2) == 0 {
            bytes = make(&random)
            // As it is made, as often as not: what it is about should not drown in noise.
            if random.below(2) == 0 { return bytes }
        } else {
            bytes = target.seeds.isEmpty ? random.bytes(16) : random.element(of: target.seeds)
        }
        for _ in 0...random.below(4) + random.below(4) { mutate(&bytes, &random) }
        return bytes.count > Self.maximumLength ? Array(bytes.prefix(Self.maximumLength)) : bytes
    }

    private func mutate(_ bytes: inout [UInt8], _ random: inout FuzzGenerator) {
        guard !bytes.isEmpty else { return bytes = random.bytes(1 + random.below(8)) }
        let place = random.below(bytes.count)
        let span = place..<min(bytes.count, place + 1 + random.below(random.below(4) == 0 ? 200 : 12))
        switch random.below(13) {
        case 0: bytes[place] ^= 1 << UInt8(random.below(8))
        case 1: bytes[place] = UInt8(truncatingIfNeeded: random.next())
        case 2: bytes[place] = random.element(of: [0, 1, 0x7F, 0x80, 0xFF, 0x20, 0x22, 0x5C, 0x0A])
        case 3: bytes.removeSubrange(span)
        case 4: bytes.insert(contentsOf: bytes[span], at: random.below(bytes.count + 1))
        case 5: bytes.insert(contentsOf: random.bytes(1 + random.below(16)), at: place)
        case 6: bytes.insert(contentsOf: word(&random), at: place)
        case 7: overwrite(&bytes, at: place, with: word(&random))
        case 8: overwrite(&bytes, at: place, with: number(&random))
        case 9: replaceDigits(&bytes, from: place, &random)
        case 10: bytes.removeSubrange(place...)
        case 11:
            let other = random.element(of: target.seeds.isEmpty ? [bytes] : target.seeds)
            bytes = Array(bytes[..<place] + other.dropFirst(random.below(other.count)))
        default:
            let piece = Array(bytes[span])
            for _ in 0..<random.below(40) where bytes.count < Self.maximumLength { bytes.insert(contentsOf: piece, at: place) }
        }
    }

    private func word(_ random: inout FuzzGenerator) -> [UInt8] {
        target.words.isEmpty ? random.bytes(4) : random.element(of: target.words)
    }

    private func overwrite(_ bytes: inout [UInt8], at place: Int, with piece: [UInt8]) {
        bytes.replaceSubrange(place..<min(bytes.count, place + piece.count), with: piece)
    }

    /// A number at a limit of its size, big-endian.
    private func number(_ random: inout FuzzGenerator) -> [UInt8] {
        let size = random.element(of: [1, 2, 4, 8])
        let numbers: [UInt64] = [
            0, 1, 0x7F, 0x80, 0xFF, 0x100, 0x7FFF, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 1 << 62, .max >> 1, .max,
        ]
        let number = random.element(of: numbers)
        return (0..<size).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * (size - 1 - $0))) }
    }

    /// Puts a number at a limit in the place of one that is written in digits.
    private func replaceDigits(_ bytes: inout [UInt8], from place: Int, _ random: inout FuzzGenerator) {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard let start = bytes[place...].firstIndex(where: digits.contains) else { return }
        let end = bytes[start...].firstIndex { !digits.contains($0) } ?? bytes.count
        let numbers = [
            "0", "-1", "1", "2", "255", "9223372036854775806", "9223372036854775807", "9223372036854775808", "18446744073709551615",
            "18446744073709551616", "1e400", "0.5", "-0", "00", String(repeating: "9", count: 400),
        ]
        bytes.replaceSubrange(start..<end, with: random.element(of: numbers).utf8)
    }
}
