import Foundation
import Observation
import WatchConnectivity

/// Runs the probes, one after the other, and asks for what only a hand can do. The view observes it.
@MainActor
@Observable
final class LabModel {
    static let shared = LabModel()

    enum State: String {
        case waiting = "not run"
        case running
        case done
        case failed
    }

    private(set) var states: [String: State] = [:]
    /// What the person is asked to do, until it is said that it is done.
    private(set) var request: String?
    /// What the last probe could not do.
    private(set) var problem: String?
    @ObservationIgnored private var confirmation: CheckedContinuation<Void, Never>?
    @ObservationIgnored let link = LabLink()
    @ObservationIgnored private(set) var recorder: SessionRecorder
    @ObservationIgnored private var sent = 0

    private init() {
        // Both devices must have the same, and nobody else need know it.
        recorder = SessionRecorder(before: link, salt: "DeviceLab")
    }

    /// What the recorder has written so far, for sending it.
    var logText: String { (try? String(contentsOf: recorder.log, encoding: .utf8)) ?? "" }

    /// The probes of this device.
    var probes: [LabProbe] { LabProbe.all.filter { $0.side == .either || $0.side == LabProbe.thisSide } }

    // MARK: The launch

    /// To be called once, when the app was launched. What a session is like before it is activated can be seen only now.
    func start(inBackground: Bool) {
        guard WCSession.isSupported() else { return }
        recorder.note(inBackground ? "app.launchInBackground" : "app.launch")
        let session = WCSession.default
        saw("W1", session.activationState == .notActivated, "the state in a new process")
        session.delegate = recorder
        link.onActivation = { [weak self, link] state, error in
            let holds = error != nil || state == session.activationState
            let (told, wasReachable) = (link.changeCount, session.isReachable)
            Task { @MainActor in
                self?.saw("W3", holds, "the state when the callback runs")
                if wasReachable { await self?.lookAfterActivation(told) }
            }
        }
        link.recorder = recorder
        try? recorder.updateApplicationContext(["id": "too early"])
        recorder.activate()
    }

    /// W145: that the counterpart was reachable already when the session was activated is told of afterwards, or not.
    private func lookAfterActivation(_ told: Int) async {
        await pause(1)
        if WCSession.default.isReachable {
            saw("W145", if: link.changeCount == told, "nothing was told of a counterpart that was reachable before")
        }
    }

    // MARK: Running

    func run(_ name: String) {
        guard request == nil, !states.values.contains(.running), let probe = probes.first(where: { $0.name == name }) else { return }
        states[name] = .running
        problem = nil
        recorder.note("lab.probe", ["name": name, "rules": probe.rules.joined(separator: " ")])
        Task { @MainActor in
            do {
                try await probe.run(self)
                saw("W11", !link.wasOnMain && !link.hasOverlapped, "callbacks: never on main, never two at once")
                states[name] = .done
            } catch {
                problem = "\(name): \(error)"
                states[name] = .failed
            }
            recorder.note("lab.end", ["name": name])
        }
    }

    /// The person has done what was asked for.
    func confirm() {
        request = nil
        confirmation?.resume()
        confirmation = nil
    }

    // MARK: What probes are made of

    /// Asks for something that only a hand can do, and waits until it is done.
    /// - Parameter step: The same as a step of a scenario, so that a log can be run again.
    func ask(_ what: String, step: String? = nil) async {
        await withCheckedContinuation { continuation in
            confirmation = continuation
            request = what
        }
        recorder.note("lab.done", step.map { ["step": $0] } ?? [:])
    }

    /// What the probe has seen by itself, where no line would show it.
    func saw(_ rule: String, _ holds: Bool, _ what: String) {
        recorder.note("lab.saw", ["rule": rule, "holds": holds, "what": what])
    }

    /// Likewise, where it proves nothing if it is not so: somebody may be slow, the link may be lost, or the system take its time.
    func saw(_ rule: String, if holds: Bool, _ what: String) {
        if holds { saw(rule, true, what) } else { recorder.note("lab.unclear", ["rule": rule, "what": what]) }
    }

    /// What a payload was refused with. Any other error is about something else.
    func sawRefusal(_ rule: String, _ error: any Error, as code: Int, _ what: String) {
        let found = (error as NSError).code
        if found == 7009 || found == 7010 { saw(rule, found == code, "\(what): \(found)") }
    }

    /// Waits until the counterpart's app was given that; two minutes at most.
    func untilCounterpartHas(_ id: String, _ kind: String) async -> [String]? {
        for _ in 0..<24 {
            if let ids = await counterpartInbox(kind), ids.contains(id) { return ids }
            await pause(5)
        }
        return nil
    }

    func pause(_ seconds: Double) async {
        try? await Task.sleep(nanoseconds: UInt64(seconds * 1_000_000_000))
    }

    /// Waits until something is so, and no longer than that.
    func until(_ seconds: Double, _ condition: () -> Bool) async -> Bool {
        var left = seconds
        while !condition() {
            guard left > 0 else { return false }
            await pause(0.25)
            left -= 0.25
        }
        return true
    }

    /// A name for what is sent, which no other has, also of other runs of the app: two equal payloads look like one that came twice.
    func nextID(_ kind: String) -> String {
        sent += 1
        return "\(kind)\(sent) of \(recorder.run)"
    }

    /// Sends a message that the counterpart's lab understands, and waits for the answer.
    func ask(counterpart command: String, _ more: [String: Any] = [:]) async -> Result<[String: Any], any Error> {
        var message = more
        message["lab"] = command
        if message["id"] == nil { message["id"] = nextID("m") }
        return await withCheckedContinuation { continuation in
            recorder.sendMessage(message) { reply in
                continuation.resume(returning: .success(reply))
            } errorHandler: { error in
                continuation.resume(returning: .failure(error))
            }
        }
    }

    /// Sends a message that wants no reply.
    /// - Returns: the code of the error, if one came within a second.
    func tell(counterpart command: String, _ more: [String: Any] = [:]) async -> Int? {
        var message = more
        message["lab"] = command
        message["id"] = nextID("m")
        var code: Int?
        recorder.sendMessage(message, replyHandler: nil) { error in
            let found = (error as NSError).code
            Task { @MainActor in code = found }
        }
        await pause(1)
        return code
    }

    /// What the counterpart's app was given of a kind, by names; `nil` where it does not answer.
    func counterpartInbox(_ kind: String) async -> [String]? {
        guard case .success(let reply) = await ask(counterpart: "inbox", ["kind": kind]) else { return nil }
        return reply["ids"] as? [String]
    }

    /// Where a probe begins that needs the counterpart.
    func needReachable() async throws {
        guard await until(30, { WCSession.default.isReachable }) else { throw LabProblem.notReachable }
    }
}

enum LabProblem: Error {
    case notReachable
    case noAnswer
}
