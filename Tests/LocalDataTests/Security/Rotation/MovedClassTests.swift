import Foundation
import Testing

@testable import LocalData

/// A file is not given another class of data protection where nothing tells whether a version lies beside it, which would be lost.
@Suite struct MovedClassTests {
    /// Files without a note, of which that can be kept from being told.
    private struct NotedFiles: FileSystem {
        let base: MemoryFileSystem
        let failure: Int32?

        func extendedAttribute(_ name: String, of path: String) throws -> Data? {
            if let failure { throw FileSystemError(errno: failure, operation: "getxattr", path: path) }
            return nil
        }

        func path(of directory: ContainerDirectory) throws -> String { try base.path(of: directory) }
        func createFile(at path: String, protection: FileProtection) throws -> any WritableFile {
            try base.createFile(at: path, protection: protection)
        }
        func contents(of path: String) throws -> Data { try base.contents(of: path) }
        func contents(of path: String, upTo count: Int) throws -> Data { try base.contents(of: path, upTo: count) }
        func rename(_ source: String, to destination: String) throws { try base.rename(source, to: destination) }
        func rename(_ source: String, toNew destination: String) throws { try base.rename(source, toNew: destination) }
        func removeFile(at path: String) throws { try base.removeFile(at: path) }
        func synchronizeDirectory(at path: String) throws { try base.synchronizeDirectory(at: path) }
        func createDirectory(at path: String) throws { try base.createDirectory(at: path) }
        func list(_ path: String) throws -> [String] { try base.list(path) }
        func attributes(of path: String) throws -> FileAttributes? { try base.attributes(of: path) }
        func canonicalDirectory(at path: String) throws -> CanonicalDirectory { try base.canonicalDirectory(at: path) }
        func setExcludedFromBackup(_ excluded: Bool, at path: String) throws { try base.setExcludedFromBackup(excluded, at: path) }
    }

    @Test func whereTheVersionCannotBeReadTheFileStays() async throws {
        let device = TestDevice()
        try await device.router().set("dear", for: ValueKey("letter", of: String.self, in: .documents, security: .recommended))
        let strict = ValueKey("letter", of: String.self, in: .encryptedFileSystem(directory: .documents), security: .recommended)
        let path = "/app/Documents/letter"
        func reseal(failingWith failure: Int32?) async throws -> String {
            var environment = device.environment
            environment.fileSystem = NotedFiles(base: device.files, failure: failure)
            return try await StorageRouter(environment: environment).resealValue(of: strict).summary
        }
        #expect(try await reseal(failingWith: EIO) == "letter in encryptedFileSystem: failed inputOutput")
        #expect(device.files.protection(of: path) == .completeUntilFirstUserAuthentication)
        #expect(try await reseal(failingWith: nil) == "letter in encryptedFileSystem: resealed protection")
        #expect(device.files.protection(of: path) == .complete)
    }
}
