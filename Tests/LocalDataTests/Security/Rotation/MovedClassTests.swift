import Foundation
import Testing

@testable import LocalData

/// A file is not given another class of data protection where nothing tells whether a version lies beside it, which would be lost.
@Suite struct MovedClassTests {
    @Test func whereTheVersionCannotBeReadTheFileStays() async throws {
        let device = TestDevice()
        try await device.router().set("dear", for: ValueKey("letter", of: String.self, in: .documents, security: .recommended))
        let strict = ValueKey("letter", of: String.self, in: .encryptedFileSystem(directory: .documents), security: .recommended)
        let path = "/app/Documents/letter"
        func reseal(failingWith failure: Int32?) async throws -> String {
            device.files.attributeFailure = failure
            return try await device.router().resealValue(of: strict).summary
        }
        #expect(try await reseal(failingWith: EIO) == "letter in encryptedFileSystem: failed inputOutput")
        #expect(device.files.protection(of: path) == .completeUntilFirstUserAuthentication)
        #expect(try await reseal(failingWith: nil) == "letter in encryptedFileSystem: resealed protection")
        #expect(device.files.protection(of: path) == .complete)
    }
}
