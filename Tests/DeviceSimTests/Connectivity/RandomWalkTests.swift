import DeviceSim
import Foundation
import Testing
import WatchConnectivity

@testable import DeviceSimCore

/// What holds whatever happens: random changes of everything, then checks that name a rule.
@Suite struct RandomWalkTests {
    @Test("Same seed and same order give the same trace", arguments: 1...20 as ClosedRange<UInt64>)
    func deterministic(seed: UInt64) {
        let order = ReadyOrder.seeded(seed &* 31)
        let first = Walk(seed: seed, order: order)
        let second = Walk(seed: seed, order: order)
        #expect(first.world.recorder.trace.events == second.world.recorder.trace.events)
        #expect(first.world.recorder.trace.events.count > 50)
    }

    @Test(
        "W80 W81 W82 W83 W84 W88: each user info arrives once, in order, and its sender is told once",
        arguments: 1...120 as ClosedRange<UInt64>)
    func transfers(seed: UInt64) {
        let walk = Walk(seed: seed, order: seed.isMultiple(of: 3) ? .firstInFirstOut : .seeded(seed))
        let events = walk.world.recorder.trace.events
        for device in bothSides {
            let peer: DeviceID = device.isPhone ? .watch : .phone
            func numbers(_ kind: TraceEvent.Kind, on device: DeviceID) -> [Int] {
                events.filter { $0.kind == kind && $0.device == device }.compactMap(Self.number)
            }
            let queued = numbers(.userInfoQueued, on: device)
            #expect(queued == queued.sorted())
            #expect(numbers(.userInfoDelivered, on: peer) == queued, "from \(device)")
            #expect(numbers(.userInfoFinished, on: device) == queued, "on \(device)")
            #expect(walk.world.host(device).session.outstandingUserInfoTransfers.isEmpty)
        }
    }

    @Test("W9 W11 W40 W42 W47 W61 W65 hold on every walk", arguments: 1...120 as ClosedRange<UInt64>)
    func rules(seed: UInt64) {
        let walk = Walk(seed: seed, order: seed.isMultiple(of: 3) ? .firstInFirstOut : .seeded(seed))
        let events = walk.world.recorder.trace.events

        // W65: exactly one handler, once; a process that ended counts as an error.
        for (number, outcomes) in walk.outcomes.sorted(by: { $0.key < $1.key }) {
            #expect(outcomes.count == 1, "message \(number): \(outcomes)")
        }
        #expect(walk.outcomes.count == walk.sentCount)

        for device in bothSides {
            let peer: DeviceID = device.isPhone ? .watch : .phone
            // W61: messages are delivered in the order of sending, W40 contexts as well, each at most once.
            for kind in [TraceEvent.Kind.messageDelivered, .contextDelivered] {
                let numbers = events.filter { $0.kind == kind && $0.device == device }.compactMap(Self.number)
                #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }, "\(kind) on \(device): \(numbers)")
            }
            // W9: nothing is delivered to a process before its session is activated.
            var activated: Set<Int> = []
            for event in events where event.device == device {
                guard let process = event.process else { continue }
                if event.kind == .activated { activated.insert(process) }
                if [.messageDelivered, .contextDelivered, .reachabilityChanged].contains(event.kind) {
                    #expect(activated.contains(process))
                }
            }
            // W42 W47: in the end the counterpart holds what was accepted last, and it was delivered.
            let sent = walk.world.host(device).session.applicationContext
            let received = walk.world.host(peer).session.receivedApplicationContext
            #expect(text(sent) == text(received))
        }
    }

    @Test("The walks reach what the rules speak of")
    func coverage() {
        var counts: [TraceEvent.Kind: Int] = [:]
        for seed in 1...60 as ClosedRange<UInt64> {
            for event in Walk(seed: seed, order: .seeded(seed)).world.recorder.trace.events { counts[event.kind, default: 0] += 1 }
        }
        let kinds: [TraceEvent.Kind] = [
            .activated, .reachabilityChanged, .contextUpdated, .contextUnchanged, .contextRefused, .contextReplaced, .contextDelivered,
            .messageSent, .messageArrived, .messageDelivered, .messageReplied, .messageReplyDelivered, .messageReplyIgnored, .messageFailed,
            .messageLost, .userInfoQueued, .userInfoDelivered, .userInfoFinished, .userInfoFailed,
        ]
        for kind in kinds { #expect(counts[kind, default: 0] >= 20, "\(kind)") }
    }

    static func number(_ event: TraceEvent) -> Int? {
        if case .number(let number) = event["sequence"] { number } else { nil }
    }
}

/// A random sequence of what devices, link and apps can do, and then rest with all well.
private final class Walk {
    let world: TestWorld
    private(set) var outcomes: [Int: [String]] = [:]
    private(set) var sentCount = 0
    private var transferCount = 0
    private var random: SeededGenerator
    private var kept: [([String: Any]) -> Void] = []

    init(seed: UInt64, order: ReadyOrder) {
        random = SeededGenerator(seed: seed)
        var knobs = Knobs()
        knobs.messageReplyTimeout = .seconds(5)
        world = TestWorld(order: order, knobs: knobs)
        for host in [world.phone, world.watch] {
            host.makeDelegate = { [unowned self] in makeDelegate() }
        }
        for host in [world.phone, world.watch] { host.launch() }
        world.settle()
        for _ in 0..<200 { step() }
        finish()
    }

    private func makeDelegate() -> any LoggingDelegate {
        let delegate = RecordingDelegate()
        delegate.onRequest = { [unowned self] message, reply in
            switch random.below(4) {
            case 0: break
            case 1: kept.append(reply)
            case 2:
                reply(message)
                reply(message)
            default: reply(message)
            }
        }
        return delegate
    }

    private func step() {
        let host = random.below(2) == 0 ? world.phone : world.watch
        switch random.below(24) {
        case 0: world.network.setLink(up: false)
        case 1, 2: world.network.setLink(up: true)
        case 3: host.terminate()
        case 4, 5: host.launch(in: random.below(4) == 0 ? .background : .foreground, activate: random.below(8) != 0)
        case 6: host.change(to: [.foreground, .background, .suspended][random.below(3)])
        case 7, 8: host.change(to: .foreground)
        case 9, 10, 11, 12: send(from: host)
        case 13, 14, 15: try? host.session.updateApplicationContext(["n": random.below(6)])
        case 16: kept.isEmpty ? () : kept.removeFirst()(["late": true])
        case 17: world.scheduler.runReady()
        case 18: world.network.latency = .milliseconds(Int64(1 + random.below(60)))
        case 19: world.wait(.seconds(1))
        case 20, 21: transfer(from: host)
        default: world.wait(.milliseconds(Int64(random.below(80))))
        }
    }

    private func transfer(from host: TestHost) {
        guard host.process != nil, host.appState != .suspended else { return }
        transferCount += 1
        host.session.transferUserInfo(["n": transferCount])
    }

    private func send(from host: TestHost) {
        let number = sentCount
        guard host.process != nil, host.appState != .suspended else { return }
        sentCount += 1
        outcomes[number] = []
        host.session.sendMessage(
            ["n": number],
            replyHandler: { [unowned self] _ in outcomes[number]?.append("reply") },
            errorHandler: { [unowned self] in outcomes[number]?.append(code($0)) })
    }

    private func finish() {
        world.network.setLink(up: true)
        for host in [world.phone, world.watch] {
            host.terminate()
            host.launch()
        }
        world.settle()
    }
}
