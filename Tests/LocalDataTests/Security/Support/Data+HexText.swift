import Foundation

extension Data {
    /// The bytes as lower-case hexadecimal digits.
    var hexText: String {
        map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }

    /// The bytes that pairs of hexadecimal digits stand for; white space is skipped. Empty if anything else is in the text.
    init(hexText: String) {
        let digits = hexText.filter { !$0.isWhitespace }.compactMap { $0.hexDigitValue.map(UInt8.init) }
        self = Data(stride(from: 0, to: digits.count - digits.count % 2, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
    }
}
