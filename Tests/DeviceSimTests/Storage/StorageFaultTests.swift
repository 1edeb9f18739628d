import DeviceSim
import Foundation
import LocalData
import Testing

@testable import DeviceSimCore

@Suite struct StorageFaultTests {
    @Test(arguments: [1, 2, 3]) func theNthMatchingOperationFailsOnce(_ number: Int) throws {
        let rig = StorageRig()
        rig.storage.faults.add(StorageFault([.create], occurrence: number, failure: .errno(EIO)))
        let codes = try (1...4).map { index in
            try errnoOf { _ = try rig.files.createFile(at: rig.documents + "/\(index)", protection: .none) }
        }
        #expect(codes == (1...4).map { $0 == number ? EIO : nil })
        #expect(try rig.files.list(rig.documents).count == 3, "what failed changed nothing")
        #expect(rig.storage.faults.isEmpty)
    }

    @Test func aPermanentFaultStaysUntilItIsTakenBack() throws {
        let rig = StorageRig()
        let file = try rig.files.createFile(at: rig.documents + "/a", protection: .none)
        rig.storage.faults.add(StorageFault([.synchronize], occurrence: 2, isPermanent: true, failure: .errno(ENOSPC)))
        let codes = try (1...4).map { _ in try errnoOf { try file.synchronize() } }
        #expect(codes == [nil, ENOSPC, ENOSPC, ENOSPC])
        rig.storage.faults.remove(of: [.synchronize])
        try file.synchronize()
    }

    @Test func aFaultCanBeAboutAPlace() throws {
        let rig = StorageRig()
        rig.storage.faults.add(StorageFault([.create], at: "/b", failure: .errno(EACCES)))
        try rig.files.put(Data(), at: rig.documents + "/a")
        #expect(try errnoOf { try rig.files.put(Data(), at: rig.documents + "/b") } == EACCES)
    }

    @Test func aFailedSynchronizeMakesNothingDurable() throws {
        let rig = StorageRig()
        rig.storage.faults.add(StorageFault([.synchronize, .synchronizeDirectory], failure: .errno(EIO)))
        let file = try rig.files.createFile(at: rig.documents + "/a", protection: .none)
        try file.write(Data("x".utf8))
        #expect(try errnoOf { try file.synchronize() } == EIO)
        try rig.files.synchronizeDirectory(at: rig.documents)
        rig.losePower()
        #expect(try rig.files.contents(of: rig.documents + "/a") == Data())
    }

    @Test func theKeychainAnswersWithStatuses() {
        let rig = StorageRig()
        let item = KeychainItem(service: "s", account: "a", data: Data("x".utf8))
        rig.storage.faults.add(StorageFault([.keychainAdd], failure: .status(.notAvailable)))
        rig.storage.faults.add(StorageFault([.keychainAdd], occurrence: 2, failure: .errno(ENOSPC)))
        rig.storage.faults.add(StorageFault([.keychainAdd], at: "s/a", occurrence: 3, failure: .errno(EIO)))
        #expect((1...4).map { _ in rig.keychain.add(item) } == [.notAvailable, .diskFull, .inputOutput, .success])
    }

    @Test func preferencesFailWithErrno() throws {
        let rig = StorageRig()
        rig.storage.faults.add(StorageFault([.defaultsSet], failure: .status(.notAvailable)))
        #expect(try errnoOf { try rig.defaults.set(.integer(1), forKey: "a", in: .standard) } == EIO)
        #expect(try rig.defaults.keys(in: .standard) == [])
        rig.storage.faults.add(StorageFault([.defaultsRead], at: "com.example.app", failure: .errno(EIO)))
        #expect(try errnoOf { _ = try rig.defaults.value(forKey: "a", in: .standard) } == EIO)
    }

    @Test func everyOperationIsNumbered() throws {
        let rig = StorageRig()
        try rig.files.replaceDurably(rig.documents + "/a", with: Data("x".utf8))
        #expect(rig.storage.operationCount == 7, "attributes, create, write, synchronize, close, rename, synchronize the directory")
        _ = rig.keychain.copyMatching(KeychainQuery())
        try rig.defaults.set(.integer(1), forKey: "a", in: .standard)
        #expect(rig.storage.operationCount == 9)
        _ = try? rig.files.contents(of: "/nowhere")
        #expect(rig.storage.operationCount == 10, "also what fails")
    }

    @Test func anInterruptionComesBeforeItsOperation() throws {
        let rig = StorageRig()
        rig.storage.faults.interrupt(beforeOperation: 3) { [unowned rig] in rig.end(.crash) }
        #expect(throws: ProcessEnded.self) { try rig.files.put(Data("abc".utf8), at: rig.documents + "/a") }
        #expect(rig.storage.operationCount == 3)
        #expect(rig.storage.faults.isEmpty)
        rig.start()
        #expect(try rig.files.contents(of: rig.documents + "/a") == Data("abc".utf8), "create and write had happened, close had not")
    }

    @Test func whatIsInjectedIsTraced() throws {
        let rig = StorageRig()
        rig.storage.faults.add(StorageFault([.create], failure: .errno(ENOSPC)))
        _ = try? rig.files.createFile(at: rig.documents + "/a", protection: .none)
        let event = try #require(rig.recorder.trace.events.last)
        #expect(rig.recorder.trace.events.count == 1)
        #expect(event.kind == .fault)
        #expect(event.device == .phone && event.process == 1)
        #expect(event["operation"] == .text("file.create"))
        #expect(event["number"] == .number(1))
        #expect(event["effect"] == .text("ENOSPC"))
    }
}
