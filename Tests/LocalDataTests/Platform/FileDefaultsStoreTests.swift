import Foundation
import Testing

@testable import LocalData

@Suite struct FileDefaultsStoreTests {
    let folder: TemporaryFolder
    let store: FileDefaultsStore

    init() throws {
        folder = try TemporaryFolder()
        store = FileDefaultsStore(directory: folder.path, standardName: "com.example.app")
    }

    /// What another process sees.
    private var other: FileDefaultsStore { FileDefaultsStore(directory: folder.path, standardName: "com.example.app") }

    @Test func whatIsSetIsSeenByEveryProcess() throws {
        let value = PropertyListValue.array([.bool(true), .integer(1), .date(Date(timeIntervalSinceReferenceDate: 0.5))])
        try store.set(value, forKey: "key", in: .standard)
        #expect(try store.value(forKey: "key", in: .standard) == value)
        #expect(try other.value(forKey: "key", in: .standard) == value)
        #expect(folder.names.contains("com.example.app.plist"))
    }

    @Test func suitesAreFilesOfTheirOwn() throws {
        try store.set(.integer(1), forKey: "key", in: .standard)
        try store.set(.integer(2), forKey: "key", in: .named("suite"))
        try store.set(.integer(3), forKey: "key", in: .appGroup("group.example"))
        #expect(try store.value(forKey: "key", in: .standard) == .integer(1))
        #expect(try store.value(forKey: "key", in: .named("suite")) == .integer(2))
        #expect(try store.value(forKey: "key", in: .appGroup("group.example")) == .integer(3))
        #expect(folder.names.filter { $0.hasSuffix(".plist") } == ["com.example.app.plist", "group.example.plist", "suite.plist"])
    }

    @Test func appGroupsLieWhereTheyAreSharedOrNowhere() throws {
        let folder = folder
        let store = FileDefaultsStore(directory: folder("own"), standardName: "app") { $0 == "group.mine" ? folder("shared") : nil }
        try store.set(.integer(1), forKey: "key", in: .appGroup("group.mine"))
        #expect(FileManager.default.fileExists(atPath: folder("shared/group.mine.plist")))
        #expect(storageErrorCode { try store.set(.integer(1), forKey: "key", in: .appGroup("group.other")) } == .unsupported)
        #expect(storageErrorCode { _ = try store.value(forKey: "key", in: .appGroup("group.other")) } == .unsupported)
    }

    @Test(arguments: ["", ".", "..", "../outside", "a/b", "nul\u{0}"])
    func suiteNamesDoNotLeaveTheDirectory(_ name: String) {
        #expect(storageErrorCode { try store.set(.integer(1), forKey: "key", in: .named(name)) } == .unsupported)
        #expect(folder.names == [])
    }

    @Test func keysAreSortedAndRemovedOnesGone() throws {
        for key in ["b", "é", "a", "Z"] { try store.set(.string(key), forKey: key, in: .standard) }
        try store.set(nil, forKey: "a", in: .standard)
        #expect(try other.keys(in: .standard) == ["Z", "b", "é"])
        #expect(try store.value(forKey: "a", in: .standard) == nil)
    }

    @Test func whatIsAbsentIsNil() throws {
        #expect(try store.value(forKey: "key", in: .standard) == nil)
        #expect(try store.keys(in: .standard) == [])
        try store.set(nil, forKey: "key", in: .standard)
        try store.synchronize(.standard)
        #expect(store.isReadable(.standard))
    }

    @Test func processesLoseNothingToEachOther() async throws {
        let stores = [store, other, other]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (process, store) in stores.enumerated() {
                group.addTask {
                    for number in 0..<40 { try store.set(.integer(Int64(number)), forKey: "\(process)-\(number)", in: .standard) }
                }
            }
            try await group.waitForAll()
        }
        for store in stores { #expect(try store.keys(in: .standard).count == 120) }
    }

    @Test(arguments: [
        "", "bplist00", "(old, style)", "<?xml version=\"1.0\"?><plist version=\"1.0\"><array/></plist>", "garbage", "{\"a\": 1}",
    ])
    func aFileThatIsNoPreferencesIsAnErrorAndStays(_ text: String) throws {
        try folder.write(Data(text.utf8), to: "com.example.app.plist")
        #expect(storageErrorCode { _ = try store.value(forKey: "key", in: .standard) } == .corrupt)
        #expect(storageErrorCode { _ = try store.keys(in: .standard) } == .corrupt)
        #expect(storageErrorCode { try store.set(.integer(1), forKey: "key", in: .standard) } == .corrupt)
        #expect(storageErrorCode { try store.set(nil, forKey: "key", in: .standard) } == .corrupt)
        #expect(try folder.read("com.example.app.plist") == Data(text.utf8))
    }

    @Test func everyTruncationIsAnErrorAndLosesNothing() throws {
        for number in 0..<5 { try store.set(.string("value \(number)"), forKey: "key \(number)", in: .standard) }
        let whole = try folder.read("com.example.app.plist")
        for length in 0..<whole.count {
            try folder.write(whole.prefix(length), to: "com.example.app.plist")
            #expect(storageErrorCode { try other.set(.integer(1), forKey: "new", in: .standard) } == .corrupt, "\(length) bytes")
            #expect(try folder.read("com.example.app.plist") == whole.prefix(length))
        }
    }

    @Test func xmlOfAnotherProgramIsRead() throws {
        let value = PropertyListValue.dictionary(["key": .integer(5)])
        try folder.write(try value.encoded(as: .xml), to: "com.example.app.plist")
        #expect(try store.value(forKey: "key", in: .standard) == .integer(5))
        try store.set(.integer(6), forKey: "other", in: .standard)
        #expect(try other.keys(in: .standard) == ["key", "other"])
    }

    @Test func aChangeFromOutsideIsSeen() throws {
        try store.set(.integer(1), forKey: "key", in: .standard)
        try other.set(.string("changed and longer"), forKey: "key", in: .standard)
        #expect(try store.value(forKey: "key", in: .standard) == .string("changed and longer"))
        try FileManager.default.removeItem(atPath: folder("com.example.app.plist"))
        #expect(try store.value(forKey: "key", in: .standard) == nil)
    }

    @Test func whatACrashLeftBehindIsReplaced() throws {
        try folder.write(Data("half".utf8), to: "com.example.app.plist.new")
        try store.set(.integer(1), forKey: "key", in: .standard)
        #expect(folder.names == ["com.example.app.plist", "com.example.app.plist.lock"])
    }
}
