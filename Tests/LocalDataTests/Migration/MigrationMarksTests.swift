import Foundation
import Testing

@testable import LocalData

/// Marks by themselves: files in LocalData's folder, and what a process remembers of them. No router, no key.
@Suite struct MigrationMarksTests {
    private let device = TestDevice()
    private let place = StorageLocation(physical: "defaults/app/theme", identity: "defaults/app/theme")
    private let other = StorageLocation(physical: "defaults/app/note", identity: "defaults/app/note")

    /// Those of a process that begins now.
    private func marks() -> MigrationMarks {
        MigrationMarks(environment: device.environment, files: FileStorageHelper(environment: device.environment))
    }

    @Test func aMarkIsOfItsPlaceAndKind() throws {
        let marks = marks()
        try marks.write(.removed, at: place)
        #expect(try marks.exists(.removed, at: place))
        #expect(try !marks.exists(.removed, at: other))
        #expect(try !marks.exists(.completing, at: place))
        try marks.remove(.removed, at: place)
        #expect(try !marks.exists(.removed, at: place))
        try marks.remove(.removed, at: place)
    }

    /// One look at the folder tells of all places; what the process writes itself it adds.
    @Test func whatThereMayBeIsListedOnce() throws {
        try marks().write(.removed, at: place)
        let marks = marks()
        #expect(marks.mayExist(.removed, at: place))
        #expect(!marks.mayExist(.removed, at: other))
        #expect(!marks.mayExist(.moved))
        try marks.write(.moved, at: other)
        #expect(marks.mayExist(.moved))
        #expect(marks.mayExist(.moved, at: other))
        // It is gone, and looking for it costs a look.
        try marks.remove(.removed, at: place)
        #expect(marks.mayExist(.removed, at: place))
        #expect(try !marks.exists(.removed, at: place))
    }

    @Test func theSameMarkTwiceIsOneWrite() throws {
        let marks = marks()
        try marks.write(.removed, at: place)
        let contents = try marks.contents(.removed, at: place)
        try marks.write(.removed, at: place)
        #expect(try marks.contents(.removed, at: place) == contents)
        #expect(contents != nil)
    }

    /// Where the folder cannot be listed, the mark itself is looked for: nothing is taken for absent.
    @Test func whatCannotBeListedMayExist() throws {
        try marks().write(.removed, at: place)
        device.files.plan = .crash(before: 0)
        let marks = marks()
        #expect(marks.mayExist(.removed, at: other))
        #expect(throws: (any Error).self) { try marks.exists(.removed, at: place) }
        device.files.plan = .none
        #expect(try marks.exists(.removed, at: place))
        #expect(!marks.mayExist(.removed, at: other))
    }
}
