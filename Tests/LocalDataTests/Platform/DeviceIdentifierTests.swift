import Foundation
import Testing

@testable import LocalData

/// The name of an installation, on real files.
@Suite struct DeviceIdentifierTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/device-identifier" }

    init() throws { folder = try TemporaryFolder() }

    private func identifier() -> String {
        DeviceIdentifier(file: path, fileSystem: PosixFileSystem(roots: Self.roots(folder.path)), entropy: SystemEntropy()).text
    }

    private static func roots(_ path: String) -> PosixFileSystem.Roots {
        .init(documents: path, caches: path, applicationSupport: path, temporary: path, appGroup: { _ in nil })
    }

    @Test func itIsDrawnOnceAndKept() throws {
        let first = identifier()
        #expect(first.count == 32)
        #expect(identifier() == first)
        // What is no name is replaced.
        try Data("damaged".utf8).write(to: URL(fileURLWithPath: path))
        let second = identifier()
        #expect(second.count == 32 && second != first && identifier() == second)
    }

    /// One that cannot be read for a moment is still the device's: another one, kept in its place, would be another device to the counterpart for good.
    @Test func whatCannotBeReadIsNotReplaced() throws {
        let first = identifier()
        // A link, which is not followed.
        let aside = folder.path + "/aside"
        try FileManager.default.moveItem(atPath: path, toPath: aside)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: aside)
        #expect(identifier().count == 32)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == aside)
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: aside, toPath: path)
        #expect(identifier() == first)
    }
}
