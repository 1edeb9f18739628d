import Foundation
import WatchConnectivity

extension LabProbe {
    /// Messages, and what payloads may be.
    static let messages = [
        LabProbe("messages", "Sends messages with and without a reply", rules: ["W11", "W61", "W64", "W65"]) { lab in
            try await lab.needReachable()
            var ids: [String] = []
            for number in 0..<5 {
                let id = lab.nextID("m")
                ids.append(id)
                lab.recorder.sendMessage(["id": id, "lab": "note", "number": number], replyHandler: nil)
            }
            guard case .success = await lab.ask(counterpart: "reply") else { throw LabProblem.noAnswer }
            if let came = await lab.counterpartInbox("message") {
                // One that failed is missing, and changes no order.
                let kept = came.filter(ids.contains)
                lab.saw("W61", kept == ids.filter(kept.contains), "messages in their order")
            }
            var outcomes = 0
            lab.recorder.sendMessageData(Data([1, 2, 3])) { _ in
                Task { @MainActor in outcomes += 1 }
            } errorHandler: { _ in
                Task { @MainActor in outcomes += 1 }
            }
            await lab.pause(5)
            if outcomes > 0 { lab.saw("W65", outcomes == 1, "\(outcomes) outcomes of one message") }
        },
        LabProbe("late-reply", "Waits for a reply that comes after three seconds", rules: ["W64", "W65", "W71"]) { lab in
            try await lab.needReachable()
            _ = await lab.ask(counterpart: "late", ["seconds": 3.0])
        },
        LabProbe("never-replies", "Waits for a reply that never comes: up to ten minutes", rules: ["W67"]) { lab in
            try await lab.needReachable()
            if case .failure(let error) = await lab.ask(counterpart: "never") {
                let code = (error as NSError).code
                lab.saw("W67", if: code == 7012, "no reply: \(code)")
            }
        },
        LabProbe("bad-reply", "Asks for replies that no message can carry", rules: ["W73", "W141"]) { lab in
            try await lab.needReachable()
            _ = await lab.ask(counterpart: "bad")
            _ = await lab.ask(counterpart: "large")
        },
        LabProbe("payloads", "Sends what is too large, and what is of no type that travels", rules: ["W100", "W101", "W102", "W103"]) {
            lab in
            try await lab.needReachable()
            for size in [60_000, 70_000] {
                if case .failure(let error) = await lab.ask(counterpart: "reply", ["data": Data(count: size)]) {
                    lab.sawRefusal("W101", error, as: 7009, "a message of \(size) bytes")
                }
            }
            if case .failure(let error) = await lab.ask(counterpart: "reply", ["bad": NSNull()]) {
                lab.sawRefusal("W102", error, as: 7010, "a message with null")
            }
            if case .failure(let error) = await lab.ask(counterpart: "reply", ["bad": NSNull(), "data": Data(count: 70_000)]) {
                lab.sawRefusal("W103", error, as: 7010, "null and too large")
            }
            try? lab.recorder.updateApplicationContext(["id": lab.nextID("c"), "data": Data(count: 250_000)])
            try? lab.recorder.updateApplicationContext(["id": lab.nextID("c"), "data": Data(count: 300_000)])
            await lab.pause(5)
        },
    ]
}
