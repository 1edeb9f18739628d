import Foundation
import Testing

@testable import LocalData

/// The tests' own tools do what the tests believe of them.
@Suite struct TestDeviceTests {
    @Test func aPowerLossKeepsOnlyWhatWasSynchronized() throws {
        let disk = MemoryFileSystem()
        let path = "/app/Documents/a"
        let file = try disk.createFile(at: path, protection: .none)
        try file.write(Data("abcd".utf8))
        #expect(disk.afterPowerLoss(keepingPending: false).peek(path) == nil)
        #expect(disk.afterPowerLoss(keepingPending: true).peek(path) == Data("ab".utf8))
        try disk.synchronizeDirectory(at: "/app/Documents")
        #expect(disk.afterPowerLoss(keepingPending: false).peek(path) == Data())
        try file.synchronize()
        #expect(disk.afterPowerLoss(keepingPending: false).peek(path) == Data("abcd".utf8))
        try disk.rename(path, to: path + "2")
        #expect(disk.afterPowerLoss(keepingPending: false).paths == [path])
        #expect(disk.afterPowerLoss(keepingPending: true).paths == [path + "2"])
    }

    @Test func aPlannedOperationFailsAloneAndACrashLasts() throws {
        let disk = MemoryFileSystem()
        disk.plan = .fail(operation: 2, errno: ENOSPC)
        _ = try disk.list("/app/Documents")
        #expect(throws: FileSystemError(errno: ENOSPC, operation: "list", path: "/app/Documents")) { try disk.list("/app/Documents") }
        _ = try disk.list("/app/Documents")
        disk.plan = .crash(before: 5)
        _ = try disk.list("/app/Documents")
        #expect(throws: FileSystemError.self) { try disk.list("/app/Documents") }
        #expect(throws: FileSystemError.self) { try disk.list("/app/Documents") }
    }

    @Test func protectionFollowsTheLock() throws {
        let device = TestDevice()
        device.files.put(Data([1]), at: "/app/Documents/a", protection: .complete)
        device.lockState = .locked
        #expect(throws: FileSystemError(errno: EPERM, operation: "open", path: "/app/Documents/a")) {
            try device.files.contents(of: "/app/Documents/a")
        }
        #expect(try device.files.attributes(of: "/app/Documents/a")?.size == 1)
        device.lockState = .unlocked
        #expect(try device.files.contents(of: "/app/Documents/a") == Data([1]))
    }

    @Test func theKeychainAnswersLikeSecItem() {
        let device = TestDevice()
        let item = KeychainItem(service: "s", account: "a", data: Data([1]), accessControl: .biometryAny)
        let query = KeychainQuery(service: "s", account: "a")
        #expect(device.keychain.copyMatching(query).status == .itemNotFound)
        #expect(device.keychain.add(item) == .success)
        #expect(device.keychain.add(item) == .duplicateItem)
        device.keychain.answer = .cancels
        #expect(device.keychain.copyMatching(query).status == .userCanceled)
        device.keychain.answer = .succeeds
        #expect(device.keychain.copyMatching(query).items == [item])
        device.lockState = .locked
        #expect(device.keychain.update(query, to: KeychainChange(data: Data([2]))) == .interactionNotAllowed)
        #expect(device.keychain.delete(query) == .success)
    }
}
