import Foundation
import Testing

@testable import LocalData

/// The app's own suite and service have a name. Marks are about the place, however a key gives it.
@Suite struct OwnPlaceMarksTests {
    private static func location(_ domain: StorageDomain) throws -> StorageLocation {
        try StorageLocation(name: "pin", domain: domain, security: .none)
    }

    /// The place as what it is, and by its name.
    private static func spellings(_ bundleIdentifier: String) -> [(own: StorageDomain, named: StorageDomain)] {
        [
            (.userDefaults(suite: nil), .userDefaults(suite: bundleIdentifier)),
            (.keychain(service: nil), .keychain(service: bundleIdentifier)),
        ]
    }

    @Test func aMarkUnderOneNameCountsUnderTheOther() throws {
        let environment = TestDevice().environment
        let marks = MigrationMarks(environment: environment, files: FileStorageHelper(environment: environment))
        for (own, named) in Self.spellings(environment.device.bundleIdentifier) {
            try marks.write(.moved, at: Self.location(named))
            #expect(try marks.exists(.moved, at: Self.location(own)))
            try marks.write(.removed, at: Self.location(own))
            #expect(try marks.exists(.removed, at: Self.location(named)))
            #expect(try !marks.exists(.removed, at: Self.location(.userDefaults(suite: "other"))))
        }
    }

    /// An earlier version of LocalData named it by how the key gave the place, and so did envelopes, which still do.
    @Test func aMarkOfAnEarlierVersionOfLocalDataStillCounts() throws {
        let environment = TestDevice().environment
        let marks = MigrationMarks(environment: environment, files: FileStorageHelper(environment: environment))
        for (_, named) in Self.spellings(environment.device.bundleIdentifier) {
            let location = try Self.location(named)
            let earlier = RecordIdentity(original: location.identity)
            try marks.write(MigrationMark(.cleared, location: earlier), at: earlier)
            #expect(try marks.exists(.cleared, at: location))
            #expect(try location.recordIdentity(in: environment).text(for: .original) == location.identity)
        }
    }
}
