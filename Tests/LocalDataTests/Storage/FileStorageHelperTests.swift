import Foundation
import Testing

@testable import LocalData

@Suite struct FileStorageHelperTests {
    private let device = TestDevice()
    private var files: FileStorageHelper { device.router().files }
    private let bytes = Data("bytes".utf8)

    @Test func aFileIsWrittenReadListedAndDeleted() async throws {
        let files = files
        #expect(try await files.read("a", in: .documents) == nil)
        #expect(try await files.size(of: "a", in: .documents) == nil)
        try await files.write(bytes, to: "a", in: .documents)
        try await files.write(Data(), to: "b", in: .documents)
        #expect(try await files.read("a", in: .documents) == bytes)
        #expect(try await files.read("b", in: .documents) == Data())
        #expect(try await files.size(of: "a", in: .documents) == 5)
        #expect(try await files.exists("b", in: .documents))
        #expect(try await files.list(.documents) == ["a", "b"])
        try await files.delete("a", in: .documents)
        try await files.delete("a", in: .documents)
        #expect(try await files.exists("a", in: .documents) == false)
        #expect(try await files.list(.documents) == ["b"])
    }

    @Test func directoriesAndGroupsAreApart() async throws {
        let files = files
        let custom = FileDirectory.custom(URL(fileURLWithPath: "/elsewhere/deep/down"))
        try await files.write(Data([1]), to: "n", in: .documents)
        try await files.write(Data([2]), to: "n", in: .caches)
        try await files.write(Data([3]), to: "n", in: custom)
        try await files.write(Data([4]), to: "n", in: .documents, group: "group.x")
        try await files.write(Data([5]), to: "n", in: .caches, group: "group.x")
        #expect(
            device.files.paths == [
                "/app/Documents/n", "/app/Library/Caches/n", "/elsewhere/deep/down/n", "/groups/group.x/Documents/n",
                "/groups/group.x/Library/Caches/n",
            ])
        #expect(try await files.read("n", in: custom) == Data([3]))
        #expect(try await files.list(.documents, group: "group.y") == [])
    }

    @Test func aGroupsCustomDirectoryLiesInItsContainer() async throws {
        let inside = FileDirectory.custom(URL(fileURLWithPath: "/groups/group.x/shared"))
        try await files.write(bytes, to: "n", in: inside, group: "group.x")
        #expect(device.files.peek("/groups/group.x/shared/n") == bytes)
        for path in ["/groups/group.y", "/groups/group.xy", "/groups/group.x/../group.y"] {
            let outside = FileDirectory.custom(URL(fileURLWithPath: path))
            #expect(await storageError { try await files.write(bytes, to: "n", in: outside, group: "group.x") }?.code == .invalidKey)
        }
    }

    @Test func localDatasOwnDirectoryIsNobodyElses() async {
        let own = FileDirectory.custom(URL(fileURLWithPath: "/app/Library/Application Support/LocalData/Sync"))
        #expect(await storageError { try await files.write(bytes, to: "n", in: own) }?.code == .invalidKey)
    }

    @Test func namesAreChecked() async {
        #expect(await storageError { try await files.write(bytes, to: "../n", in: .documents) }?.code == .invalidKey)
        #expect(await storageError { _ = try await files.read("a/b", in: .documents) }?.code == .invalidKey)
        #expect(device.files.operationCount == 0)
    }

    @Test func aWriteTakesTheStepsThatMakeItDurable() async throws {
        let files = files
        try await files.write(bytes, to: "first", in: .documents)
        let before = device.files.operationCount
        try await files.write(bytes, to: "a", in: .documents)
        let steps = device.files.operations.dropFirst(before).map { $0.split(separator: "/")[0].trimmingCharacters(in: .whitespaces) }
        #expect(steps == ["open", "write", "fsync", "close", "rename", "fsync directory"])
        let temporary = try #require(device.files.operations.dropFirst(before).first?.split(separator: "/").last)
        #expect(TemporaryFile.isName(String(temporary)))
    }

    @Test func theProtectionIsThatOfTheNewFile() async throws {
        try await files.write(bytes, to: "a", in: .documents)
        #expect(device.files.protection(of: "/app/Documents/a") == .completeUntilFirstUserAuthentication)
        try await files.write(bytes, to: "a", in: .documents, protection: .complete)
        #expect(device.files.protection(of: "/app/Documents/a") == .complete)
    }

    @Test func leftoversAreCollectedAtTheFirstUseAndNothingElseIs() async throws {
        let leftover = "/app/Documents/" + (try TemporaryFile.name(from: SeededEntropy(seed: 5)))
        let foreign = ["/app/Documents/.localdata-x.tmp", "/app/Documents/x.tmp", "/app/Documents/.DS_Store"]
        for path in foreign + [leftover] { device.files.put(bytes, at: path) }
        _ = try await files.read("a", in: .documents)
        #expect(device.files.paths == foreign.sorted())
        // The next use of the same process does not look again.
        let files = files
        _ = try await files.read("a", in: .documents)
        let count = device.files.operationCount
        _ = try await files.read("a", in: .documents)
        #expect(device.files.operationCount == count + 1)
    }

    @Test func unfinishedFilesAreNotListed() async throws {
        device.files.put(bytes, at: "/app/Documents/" + (try TemporaryFile.name(from: SeededEntropy(seed: 5))))
        device.files.put(bytes, at: "/app/Documents/a")
        #expect(try await files.list(.documents) == ["a"])
    }

    /// An app extension that starts takes the app's unfinished file for a leftover.
    @Test func aWriteSurvivesTheCollectionOfItsTemporaryFile() async throws {
        let files = files
        try await files.write(Data("old".utf8), to: "a", in: .documents, group: "g")
        let disk = device.files
        let raced = Flag()
        disk.observe { operation, path in
            guard operation == "rename", raced.raise() else { return }
            for path in disk.paths where path.contains(".localdata-") { try? disk.removeFile(at: path) }
        }
        try await files.write(bytes, to: "a", in: .documents, group: "g")
        disk.observe(nil)
        #expect(raced.isRaised)
        #expect(try await files.read("a", in: .documents, group: "g") == bytes)
        #expect(disk.paths == ["/groups/g/Documents/a"])
    }

    @Test(arguments: [
        (DeviceLockState.locked, FileProtection.complete, StorageError.Code.locked),
        (.beforeFirstUnlock, .complete, .lockedBeforeFirstUnlock),
        (.beforeFirstUnlock, .completeUntilFirstUserAuthentication, .lockedBeforeFirstUnlock),
    ]) func lockedIsNotAbsent(_ state: DeviceLockState, _ protection: FileProtection, _ code: StorageError.Code) async throws {
        device.files.put(bytes, at: "/app/Documents/a", protection: protection)
        device.lockState = state
        #expect(await storageError { _ = try await files.read("a", in: .documents) }?.code == code)
        #expect(await storageError { try await files.write(Data(), to: "a", in: .documents, protection: protection) }?.code == code)
        #expect(try await files.exists("a", in: .documents))
        #expect(try await files.size(of: "a", in: .documents) == 5)
        #expect(try await files.read("b", in: .documents) == nil)
        #expect(device.files.peek("/app/Documents/a") == bytes)
    }

    @Test func internalFilesLieApartAndAreCreatedOnDemand() throws {
        let files = files
        #expect(try files.readInternal(name: "Sync/Records/a.json") == nil)
        #expect(try files.listInternal("Sync/Records") == [])
        try files.removeInternal(name: "Sync/Records/a.json")
        try files.writeInternal(bytes, name: "Sync/Records/a.json")
        try files.writeInternal(bytes, name: "Sync/b.json")
        #expect(try files.readInternal(name: "Sync/Records/a.json") == bytes)
        #expect(try files.listInternal("Sync/Records") == ["a.json"])
        let path = "/app/Library/Application Support/LocalData/Sync/Records/a.json"
        #expect(device.files.protection(of: path) == .completeUntilFirstUserAuthentication)
        // The new directories are durable too.
        #expect(device.afterPowerLoss().files.peek(path) == bytes)
        try files.removeInternal(name: "Sync/Records/a.json")
        #expect(device.afterPowerLoss().files.peek(path) == nil)
    }

    /// Listing may be all the use that a folder of marks gets.
    @Test func listingCollectsWhatACrashLeftAmongInternalFiles() throws {
        let folder = "/app/Library/Application Support/LocalData/Migration"
        let leftover = try folder + "/" + TemporaryFile.name(from: SeededEntropy(seed: 5))
        for path in [folder + "/a.json", leftover] { device.files.put(bytes, at: path) }
        #expect(try files.listInternal("Migration") == ["a.json"])
        #expect(device.files.paths == [folder + "/a.json"])
    }
}

/// Something that happens once.
final class Flag: @unchecked Sendable {
    private let lock = NSLock()
    private var raised = false

    var isRaised: Bool { lock.withLock { raised } }

    /// - Returns: True the first time.
    func raise() -> Bool {
        lock.withLock {
            defer { raised = true }
            return !raised
        }
    }
}
