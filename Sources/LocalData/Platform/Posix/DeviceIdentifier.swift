import Foundation

/// The random name of this installation, kept in a file of its own.
struct DeviceIdentifier: Sendable {
    /// 32 lower-case hexadecimal digits.
    let text: String

    /// Reads the name, or draws one and keeps it. Where it cannot be read or kept, a drawn one holds for this process: version stamps stay right, and the
    /// device counts as another one until the next launch. Only what is no name, or not there, is replaced: one that cannot be read for a moment is still the
    /// device's.
    init(file path: String, fileSystem: PosixFileSystem, entropy: any EntropySource) {
        let file = AtomicFile(path: path)
        if let stored = try? Self.stored(in: file) {
            text = stored
            return
        }
        let drawn = Self.digits(of: entropy)
        text =
            (try? file.withLock {
                // Another process may have been faster.
                if let stored = try Self.stored(in: file) { return stored }
                try file.replace(with: Data(drawn.utf8), isDurable: true, protection: .none)
                // A restored backup is another device.
                try? fileSystem.setExcludedFromBackup(true, at: path)
                return drawn
            }) ?? drawn
    }

    /// - Throws: Why it cannot be told whether there is one.
    private static func stored(in file: AtomicFile) throws -> String? {
        guard let data = try file.read(), data.count == 32 else { return nil }
        let text = String(decoding: data, as: UTF8.self)
        return text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0 }
            ? text : nil
    }

    private static func digits(of entropy: any EntropySource) -> String {
        // Without entropy nothing can be sealed either; the name only has to differ from the counterpart's.
        let bytes = (try? entropy.exactly(16)) ?? Data((0..<16).map { _ in UInt8.random(in: .min ... .max) })
        return bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
