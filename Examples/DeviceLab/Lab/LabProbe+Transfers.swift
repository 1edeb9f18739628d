import Foundation
import WatchConnectivity

extension LabProbe {
    /// User infos and files.
    static let transfers = [
        LabProbe("user-infos", "Queues five user infos", rules: ["W80", "W83", "W84", "W85"]) { lab in
            try await lab.needReachable()
            let ids = (0..<5).map { _ in lab.nextID("u") }
            for id in ids { lab.recorder.transferUserInfo(["id": id]) }
            let isDone = await lab.until(120) { ids.allSatisfy { !lab.link.endings(of: $0).isEmpty } }
            await lab.pause(2)
            if isDone {
                lab.saw("W83", ids.allSatisfy { lab.link.endings(of: $0).count == 1 }, "`didFinish` once for each")
                let outstanding = WCSession.default.outstandingUserInfoTransfers.compactMap { $0.userInfo["id"] as? String }
                lab.saw("W84", !ids.contains(where: outstanding.contains), "what has ended is not outstanding")
            }
            if let came = await lab.untilCounterpartHas(ids[4], "userInfo") {
                let kept = came.filter(ids.contains)
                lab.saw("W80", kept == ids.filter(kept.contains), "user infos in their order")
            }
            let bad = lab.nextID("bad")
            lab.recorder.transferUserInfo(["id": bad, "null": NSNull()])
            _ = await lab.until(10) { !lab.link.endings(of: bad).isEmpty }
            lab.saw("W85", if: lab.link.endings(of: bad).last ?? 0 != 0, "a transfer that fails is told through `didFinish`")
        },
        LabProbe("cancel", "Queues two user infos and takes the second back", rules: ["W86"]) { lab in
            try await lab.needReachable()
            let (kept, taken) = (lab.nextID("u"), lab.nextID("u"))
            lab.recorder.transferUserInfo(["id": kept])
            let transfer = lab.recorder.transferUserInfo(["id": taken])
            lab.recorder.cancel(transfer)
            await lab.pause(10)
            lab.saw("W86", !WCSession.default.outstandingUserInfoTransfers.contains(transfer), "it is not outstanding")
        },
        LabProbe("files", "Transfers a file and overwrites it at once; then what is no file", rules: ["W90", "W91", "W146"]) { lab in
            try await lab.needReachable()
            let folder = FileManager.default.temporaryDirectory
            let file = folder.appendingPathComponent("lab.txt")
            let id = lab.nextID("f")
            try Data(repeating: UInt8(ascii: "a"), count: 50_000).write(to: file)
            lab.recorder.transferFile(file, metadata: ["id": id])
            try Data(repeating: UInt8(ascii: "b"), count: 50_000).write(to: file)
            _ = await lab.until(120) { !lab.link.endings(of: id).isEmpty }
            await lab.pause(5)
            if let came = await lab.counterpartInbox("file"), let version = came.last(where: { $0.hasPrefix("\(id).") }) {
                // Others are what a knob is for: read when it left.
                lab.saw("W146", if: version == "\(id).a", "the bytes are those of the call")
            }
            for (name, url) in [("missing", folder.appendingPathComponent("missing.txt")), ("folder", folder)] {
                let id = lab.nextID(name)
                lab.recorder.transferFile(url, metadata: ["id": id])
                _ = await lab.until(10) { !lab.link.endings(of: id).isEmpty }
                if let code = lab.link.endings(of: id).last { lab.saw("W91", code == (name == "folder" ? 7008 : 7013), "\(name): \(code)") }
            }
        },
    ]
}
