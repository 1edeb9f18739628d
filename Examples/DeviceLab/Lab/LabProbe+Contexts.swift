import Foundation
import WatchConnectivity

extension LabProbe {
    /// Activation and application contexts.
    static let contexts = [
        LabProbe("activation", "Activates the session again", rules: ["W1", "W2", "W3", "W5", "W7", "W145"]) { lab in
            let told = lab.link.received("activation").count
            lab.recorder.activate()
            await lab.pause(2)
            lab.saw("W5", lab.link.received("activation").count == told, "activated again, and nothing came of it")
        },
        LabProbe("context", "Sends contexts", rules: ["W40", "W42", "W44", "W45", "W47", "W50", "W51"]) { lab in
            try await lab.needReachable()
            let session = WCSession.default
            let received = session.receivedApplicationContext.count
            let first = lab.nextID("c")
            try lab.recorder.updateApplicationContext(["id": first, "more": 1])
            lab.saw("W47", session.applicationContext["id"] as? String == first, "an accepted context reads back")
            lab.saw("W45", if: session.receivedApplicationContext.count == received, "sending leaves what was received")
            _ = await lab.untilCounterpartHas(first, "context")
            let second = lab.nextID("c")
            try lab.recorder.updateApplicationContext(["id": second])
            if await lab.untilCounterpartHas(second, "context") != nil, case .success(let reply) = await lab.ask(counterpart: "keys"),
                let keys = reply["keys"] as? [String]
            {
                lab.saw("W40", keys == ["id"], "the keys of the context before are gone")
            }
            do {
                try lab.recorder.updateApplicationContext(["id": NSNull()])
                lab.saw("W51", false, "a context that no property list can hold was taken")
            } catch {
                lab.saw("W51", true, "refused at once")
                lab.saw("W47", session.applicationContext["id"] as? String == second, "a refused context leaves the one before")
            }
            for _ in 0..<3 {
                try lab.recorder.updateApplicationContext(["id": lab.nextID("c")])
            }
            if let last = session.applicationContext["id"] as? String, let ids = await lab.untilCounterpartHas(last, "context") {
                lab.saw("W42", ids.last == last, "the last of three came last")
            }
            try lab.recorder.updateApplicationContext([:])
            lab.saw("W50", if: await lab.untilCounterpartHas("empty", "context") != nil, "an empty context came")
        },
        LabProbe("equal-context", "Sends the same context twice", rules: ["W43", "W48"]) { lab in
            try await lab.needReachable()
            let id = lab.nextID("c")
            try lab.recorder.updateApplicationContext(["id": id])
            _ = await lab.untilCounterpartHas(id, "context")
            try lab.recorder.updateApplicationContext(["id": id])
            await lab.pause(10)
            // More than one may be W43 as well.
            if let ids = await lab.counterpartInbox("context") { lab.saw("W48", if: ids.count { $0 == id } == 1, "it was delivered once") }
        },
        LabProbe("fast-contexts", "Sends ten contexts in two seconds, then a message", rules: ["W52"]) { lab in
            try await lab.needReachable()
            for _ in 0..<10 {
                try lab.recorder.updateApplicationContext(["id": lab.nextID("c")])
                await lab.pause(0.2)
            }
            _ = await lab.ask(counterpart: "reply")
            await lab.pause(5)
        },
        LabProbe("no-delegate", "Takes the delegate away for a moment", rules: ["W8"]) { lab in
            try await lab.needReachable()
            WCSession.default.delegate = nil
            let code = await lab.tell(counterpart: "reply")
            WCSession.default.delegate = lab.recorder
            lab.saw("W8", if: code == 7003, "sent without a delegate: \(code ?? 0)")
        },
    ]
}
