import DeviceSim
import Foundation
import Testing
import WatchConnectivity

@testable import DeviceSimCore

@Suite struct TransferTests {
    private static func received(_ host: TestHost) -> [String] { host.log.filter { $0.hasPrefix("userInfo") } }
    private static func finished(_ host: TestHost) -> [String] { host.log.filter { $0.hasPrefix("finished") } }

    @Test("W80 W83 W84 user infos arrive in order, and the sender is told of each", arguments: bothSides, readyOrders)
    func order(from device: DeviceID, order: ReadyOrder) throws {
        let world = TestWorld.activated(order: order)
        let sender = world.host(device)
        let transfers = (1...4).map { sender.session.transferUserInfo(["n": $0]) }
        #expect(sender.session.outstandingUserInfoTransfers.map { text($0.userInfo) } == ["n=1", "n=2", "n=3", "n=4"])
        #expect(zip(sender.session.outstandingUserInfoTransfers, transfers).allSatisfy { $0 === $1 }, "the same objects within a process")
        world.wait(.milliseconds(10))
        #expect(transfers.map(\.isTransferring) == [true, false, false, false])
        world.settle()
        #expect(Self.received(world.peer(of: device)) == (1...4).map { "userInfo n=\($0)" })
        #expect(Self.finished(sender) == (1...4).map { "finished n=\($0) -" })
        let delegate = try #require(sender.delegate as? RecordingDelegate)
        #expect(zip(delegate.finished, transfers).allSatisfy { $0 === $1 })
        #expect(sender.session.outstandingUserInfoTransfers.isEmpty)
        #expect(transfers.allSatisfy { !$0.isTransferring })
    }

    @Test("W81 W83 W84 the queue outlives the process; didFinish comes once, with new objects", arguments: bothSides, readyOrders)
    func relaunch(from device: DeviceID, order: ReadyOrder) throws {
        let world = TestWorld.activated(order: order)
        let sender = world.host(device)
        world.network.setLink(up: false)
        let old = [sender.session.transferUserInfo(["n": 1]), sender.session.transferUserInfo(["n": 2])]
        sender.relaunch()
        #expect(sender.session.outstandingUserInfoTransfers.isEmpty, "W6: not before activation")
        world.settle()
        let restored = sender.session.outstandingUserInfoTransfers
        #expect(restored.map { text($0.userInfo) } == ["n=1", "n=2"])
        #expect(restored.allSatisfy { new in old.allSatisfy { $0 !== new } })
        old[0].cancel()
        #expect(sender.session.outstandingUserInfoTransfers.count == 2, "an object of an ended process does nothing")
        sender.terminate()
        world.network.setLink(up: true)
        world.settle()
        sender.launch()
        world.settle()
        #expect(Self.finished(sender) == ["finished n=1 -", "finished n=2 -"])
        sender.relaunch()
        world.settle()
        #expect(Self.finished(sender).isEmpty)
    }

    @Test("W80 W83 with the knob, what the sender does not know to have arrived is delivered again", arguments: [true, false])
    func lostAcknowledgement(isLost: Bool) {
        var knobs = Knobs()
        knobs.losesAcknowledgements = isLost
        let world = TestWorld.activated(knobs: knobs)
        for number in 1...2 { world.phone.session.transferUserInfo(["n": number]) }
        world.wait(.milliseconds(30))
        #expect(Self.received(world.watch) == ["userInfo n=1"])
        #expect(world.phone.session.outstandingUserInfoTransfers.count == (isLost ? 2 : 1))
        world.network.setLink(up: false)
        world.network.setLink(up: true)
        world.settle()
        #expect(Self.received(world.watch) == (isLost ? [1, 1, 2] : [1, 2]).map { "userInfo n=\($0)" })
        #expect(Self.finished(world.phone) == (1...2).map { "finished n=\($0) -" }, "didFinish comes once all the same")
        #expect(world.phone.session.outstandingUserInfoTransfers.isEmpty)
    }

    @Test("W84 W86 with the knob, what the link's end interrupts stays outstanding until it is cancelled", arguments: [true, false])
    func stuck(sticks: Bool) {
        var knobs = Knobs()
        knobs.interruptionSticks = sticks
        let world = TestWorld.activated(knobs: knobs)
        for number in 1...2 { world.phone.session.transferUserInfo(["n": number]) }
        world.wait(.milliseconds(10))
        world.network.setLink(up: false)
        world.network.setLink(up: true)
        world.settle()
        #expect(Self.received(world.watch) == (sticks ? [] : ["userInfo n=1", "userInfo n=2"]))
        let outstanding = world.phone.session.outstandingUserInfoTransfers
        #expect(outstanding.map { text($0.userInfo) } == (sticks ? ["n=1", "n=2"] : []))
        outstanding.first?.cancel()
        world.settle()
        #expect(Self.received(world.watch) == (sticks ? ["userInfo n=2"] : ["userInfo n=1", "userInfo n=2"]))
    }

    @Test("W87 the process ends in the receive callback", arguments: [true, false])
    func crash(redelivers: Bool) {
        var knobs = Knobs.withoutWaking
        knobs.redeliversAfterCrash = redelivers
        let world = TestWorld.activated(knobs: knobs)
        world.watch.delegate.inCallback = { _ in world.watch.terminate() }
        for number in 1...3 { world.phone.session.transferUserInfo(["n": number]) }
        world.settle()
        #expect(world.watch.process == nil)
        world.watch.launch()
        world.settle()
        #expect(Self.received(world.watch) == (redelivers ? 1...3 : 2...3).map { "userInfo n=\($0)" })
    }

    @Test("W85 W8 refused at the call: the object is there, didFinish brings the error")
    func refused() {
        let world = TestWorld.activated()
        let phone = world.phone
        let transfer = phone.session.transferUserInfo(["x": NSNull(), "n": 1])
        #expect(transfer.userInfo.count == 2)
        #expect(phone.log.isEmpty, "not within the call")
        world.settle()
        #expect(Self.finished(phone).count == 1 && Self.finished(phone)[0].hasSuffix(" 7010"))
        phone.session.delegate = nil
        phone.session.transferUserInfo(["n": 1])
        world.settle()
        #expect(world.recorder.trace.unobservedFailures.map(\.error) == ["sessionMissingDelegate"])
    }

    @Test("W90 W91 a file is copied at the call, lies there in the callback, and is gone after it", arguments: bothSides)
    func file(from device: DeviceID) throws {
        let world = TestWorld.activated()
        let sender = world.host(device)
        let receiver = world.peer(of: device)
        let storage = try #require(sender.storage)
        let target = try #require(receiver.storage)
        let bytes = Data((0..<200).map { UInt8($0) })
        let path = try storage.place(received: bytes, name: "photo", folder: "own")
        let transfer = sender.session.transferFile(URL(fileURLWithPath: path), metadata: ["n": 1])
        storage.removeReceivedFile(folder: "own")
        #expect(sender.session.outstandingFileTransfers.first === transfer)
        let delegate = try #require(receiver.delegate as? RecordingDelegate)
        var found: Data?
        delegate.onFile = { file in found = try? target.stage(fileAt: file.fileURL.path) }
        world.settle()
        #expect(found == bytes)
        #expect(receiver.log == ["file photo n=1"])
        #expect(sender.log == ["finished photo -"])
        #expect(try target.storedFiles().isEmpty)
        #expect(transfer.progress.fractionCompleted == 1)
    }

    @Test("W90 progress goes on for who looks, by the bandwidth")
    func progress() throws {
        var knobs = Knobs()
        knobs.fileBandwidth = 1_000
        let world = TestWorld.activated(knobs: knobs)
        let path = try #require(world.phone.storage).place(received: Data(count: 10_000), name: "f", folder: "own")
        let transfer = world.phone.session.transferFile(URL(fileURLWithPath: path), metadata: nil)
        let progress = transfer.progress
        #expect(progress.totalUnitCount == 10_000 && progress.completedUnitCount == 0)
        world.wait(.milliseconds(5_020))
        #expect(progress.completedUnitCount == 5_000, "the object is kept up to date")
        world.network.setLink(up: false)
        #expect(transfer.progress.completedUnitCount == 0, "a broken transfer starts again")
        world.network.setLink(up: true)
        world.settle()
        #expect(progress.completedUnitCount == 10_000)
    }

    @Test("Members of the other side say so, once, and give the value that says nothing")
    func misuse() {
        let world = TestWorld.activated()
        for _ in 0..<2 {
            #expect(!world.watch.session.isPaired && !world.watch.session.isWatchAppInstalled)
            #expect(!world.watch.session.isComplicationEnabled && world.watch.session.watchDirectoryURL == nil)
            #expect(world.watch.session.remainingComplicationUserInfoTransfers == 0)
            #expect(!world.phone.session.isCompanionAppInstalled)
            #expect(!world.phone.session.iOSDeviceNeedsUnlockAfterRebootForReachability)
        }
        #expect(world.count(.misuse, on: .watch) == 5)
        #expect(world.count(.misuse, on: .phone) == 2)
        #expect(world.phone.session.watchDirectoryURL?.path.hasSuffix("/watch") == true)
    }

    @Test("W52 the knob holds up contexts and messages")
    func congestion() {
        var congestion = Congestion()
        congestion.contextWasUpdated(by: .phone, at: .start, delay: .seconds(3))
        congestion.contextWasUpdated(by: .watch, at: .start + .seconds(1), delay: .seconds(3))
        #expect(congestion.end == .start, "each device by itself")
        congestion.contextWasUpdated(by: .phone, at: .start + .seconds(1), delay: .seconds(3))
        #expect(congestion.end == .start + .seconds(4))
    }

    @Test("A host without a simulation takes transfers and does nothing with them")
    func unsupported() {
        let session = WCSession(backend: nil)
        #expect(session.transferUserInfo(["n": 1]).userInfo.isEmpty)
        #expect(session.outstandingUserInfoTransfers.isEmpty && session.outstandingFileTransfers.isEmpty)
        #expect(session.transferFile(URL(fileURLWithPath: "/x"), metadata: nil).file.fileURL.path == "/x")
        #expect(session.watchDirectoryURL == nil && session.remainingComplicationUserInfoTransfers == 0)
    }

    @Test("10,000 queued transfers take ten times the work of 1,000")
    func linear() {
        func work(_ count: Int) -> Int {
            let world = TestWorld.activated()
            world.network.setLink(up: false)
            for number in 1...count { world.phone.session.transferUserInfo(["n": number]) }
            world.network.setLink(up: true)
            let before = world.scheduler.executedCount
            world.settle()
            #expect(world.count(.userInfoFinished) == count)
            return world.scheduler.executedCount - before
        }
        let (few, many) = (work(100), work(1_000))
        #expect(many < few * 11, "\(few) pieces of work for 100, \(many) for 1,000")
    }
}
