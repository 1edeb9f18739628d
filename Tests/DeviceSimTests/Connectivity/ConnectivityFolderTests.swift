import DeviceSim
import Foundation
import LocalData
import Testing
import WatchConnectivity

@testable import DeviceSimCore

/// What the connectivity daemons hold lies beside the devices' files after a run, as property lists.
@Suite struct ConnectivityFolderTests {
    @Test func whatIsUnderWayIsThereToLookInto() throws {
        let scratch = try ScratchFolder()
        var options = SimulationOptions()
        options.root = scratch.url
        let simulation = Simulation(options: options)
        try simulation.launchBoth()
        try simulation.run(on: simulation.phone) {
            try WCSession.default.updateApplicationContext(["n": 1])
            WCSession.default.transferUserInfo(["n": 1])
        }
        try simulation.settle()
        simulation.watch.terminate()
        try simulation.run(on: simulation.phone) { try WCSession.default.updateApplicationContext(["n": 2]) }
        try simulation.wait(.milliseconds(25))
        simulation.watch.terminate()
        try simulation.run(on: simulation.phone) { _ = WCSession.default.transferUserInfo(["n": 2]) }
        try simulation.wait(.milliseconds(25))
        simulation.watch.terminate()
        simulation.phone.terminate()
        simulation.setLink(up: false)
        try simulation.settle()
        _ = try simulation.phone.launch()
        try simulation.settle()
        try simulation.run(on: simulation.phone) {
            try WCSession.default.updateApplicationContext(["n": 3])
            WCSession.default.transferUserInfo(["n": 3, "at": Date(timeIntervalSince1970: 0)])
            let path = try StorageRouter.shared.environment.fileSystem.path(of: .documents) + "/photo"
            try SystemShims.write(Data("pixels".utf8), to: URL(fileURLWithPath: path))
            WCSession.default.transferFile(URL(fileURLWithPath: path), metadata: ["kind": "photo"])
        }
        simulation.shutDown()

        let phone = scratch.url.appendingPathComponent("phone/Connectivity/watch")
        let watch = scratch.url.appendingPathComponent("watch/Connectivity/phone")
        #expect(try list(phone.appendingPathComponent("ApplicationContext/sent.plist"))["n"] as? Int == 3)
        #expect(try list(phone.appendingPathComponent("ApplicationContext/underway.plist"))["n"] as? Int == 3)
        #expect(try list(watch.appendingPathComponent("ApplicationContext/received.plist"))["n"] as? Int == 2)
        #expect(try list(watch.appendingPathComponent("ApplicationContext/undelivered-1.plist"))["n"] as? Int == 2)
        #expect(
            try names(phone.appendingPathComponent("Outgoing")) == ["0001-file", "0001-file.plist", "0003-userInfo.plist"])
        let info = try list(phone.appendingPathComponent("Outgoing/0003-userInfo.plist"))
        #expect((info["userInfo"] as? [String: Any])?["at"] as? Date == Date(timeIntervalSince1970: 0))
        #expect(info["isTransferring"] as? Bool == false)
        let file = try list(phone.appendingPathComponent("Outgoing/0001-file.plist"))
        #expect(file["bytes"] as? Int == 6 && (file["metadata"] as? [String: Any])?["kind"] as? String == "photo")
        #expect(try String(contentsOf: phone.appendingPathComponent("Outgoing/0001-file/photo"), encoding: .utf8) == "pixels")
        #expect(try list(watch.appendingPathComponent("Incoming/1-userInfo.plist"))["number"] as? Int == 2)

        // It is to look into, and does not come back.
        let second = Simulation(options: options)
        try second.launchBoth()
        try second.run(on: second.phone) { #expect(WCSession.default.outstandingUserInfoTransfers.isEmpty) }
        second.shutDown()
        #expect(try !names(scratch.url.appendingPathComponent("phone")).contains("Connectivity"))
    }

    @Test func howATransferEndedIsThereUntilTheAppIsTold() throws {
        let scratch = try ScratchFolder()
        var options = SimulationOptions()
        options.root = scratch.url
        let simulation = Simulation(options: options)
        try simulation.launchBoth()
        try simulation.run(on: simulation.phone) { _ = WCSession.default.transferUserInfo(["n": 1]) }
        simulation.phone.terminate()
        try simulation.settle()
        simulation.shutDown()
        let finished = scratch.url.appendingPathComponent("phone/Connectivity/watch/Finished")
        #expect(try names(finished) == ["1-userInfo.plist"])
        #expect(try list(finished.appendingPathComponent("1-userInfo.plist"))["error"] == nil)
    }

    private func list(_ url: URL) throws -> [String: Any] {
        let data = try Data(contentsOf: url)
        #expect(data.starts(with: Data("<?xml".utf8)), "\(url.lastPathComponent) can be read by a person")
        return try #require(PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
    }

    private func names(_ url: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
    }
}
