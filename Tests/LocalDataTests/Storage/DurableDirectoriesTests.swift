import Foundation
import Testing

@testable import LocalData

/// A directory counts as durable only once its entry, and those of the directories above it, were synchronized.
@Suite struct DurableDirectoriesTests {
    /// Each operation of the first write fails once, in a process that has looked for the value or not, and that tries again. What the second try
    /// acknowledged outlives a power loss.
    @Test(arguments: ["/app/Documents/one", "/app/Documents/one/two"], [EIO, EACCES])
    func whatASecondTryAcknowledgesIsDurable(_ directory: String, _ code: Int32) async throws {
        for readsFirst in [false, true] {
            var failures = 0
            for operation in 1...20 {
                let device = TestDevice(role: .phone)
                let files = FileStorageHelper(environment: device.environment)
                let place = FilePath(directory: directory, name: "note")
                if readsFirst { _ = try files.contents(of: place) }
                device.files.plan = .fail(operation: device.files.operationCount + operation, errno: code)
                if (try? files.write(Data([1]), to: place, protection: .complete)) == nil { failures += 1 }
                device.files.plan = .none
                try files.write(Data([2]), to: place, protection: .complete)
                let left = device.files.afterPowerLoss(keepingPending: false).peek(place.path)
                #expect(left == Data([2]), "operation \(operation)")
            }
            #expect(failures > 3)
        }
    }

    /// After a restore the folder above is there, and this one is not: what is done with it before anything is written must find it.
    @Test func aFolderThatWasLookedForIsMade() throws {
        let device = TestDevice(role: .phone)
        let directories = DurableDirectories(environment: device.environment)
        try device.files.createDirectory(at: "/app/Documents/one")
        let place = FilePath(directory: "/app/Documents/one/two", name: "note")
        directories.collectLeftovers(in: place)
        try directories.prepareForWriting(place)
        #expect(try device.files.attributes(of: place.directory)?.isDirectory == true)
    }

    /// A removal in a folder that other processes use, too, collects what they left, and not what another thread of this one is writing.
    @Test func whatIsBeingWrittenIsNoLeftover() throws {
        let device = TestDevice(role: .phone)
        let directories = DurableDirectories(environment: device.environment)
        let place = FilePath(directory: "/app/Documents", name: "note")
        let names = try (0..<2).map { _ in try TemporaryFile.name(from: device.environment.entropy) }
        let (own, foreign) = ("\(place.directory)/\(names[0])", "\(place.directory)/\(names[1])")
        // Looked at more than once before: what was used last is remembered.
        for _ in 0..<3 { directories.collectLeftovers(in: place) }
        directories.begin(own)
        for path in [own, foreign] { try device.files.createFile(at: path, protection: .complete).close() }
        directories.collectLeftovers(inShared: place)
        #expect(device.files.peek(own) != nil && device.files.peek(foreign) == nil)
        // It could not be removed: the next use of the folder does.
        directories.end(own, isGone: false)
        directories.collectLeftovers(in: place)
        #expect(device.files.peek(own) == nil)
    }

    /// Names that are equal as text and differ in their bytes are those of two files.
    @Test func digestsAreOfBytes() {
        let names = DigestedNames(in: "folder/")
        let texts = ["a", "caf\u{E9}", "cafe\u{301}", "b"]
        let files = (texts + texts).map(names.file)
        #expect(Set(files).count == texts.count && Array(files.prefix(texts.count)) == Array(files.suffix(texts.count)))
        #expect(files.prefix(texts.count).elementsEqual(texts.map { "folder/" + DigestedNames.file(of: $0) }))
        // And one that was asked for first is not the other's.
        #expect(DigestedNames().file(of: texts[2]) == DigestedNames.file(of: texts[2]))
    }
}
