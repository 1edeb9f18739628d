import Foundation
import Testing

@testable import LocalData

/// Two devices that follow the rules of sending, without storage or session: they must agree, and they must come to rest.
@Suite struct SyncPlanTests {
    /// One device: what it holds, and what it has sent and heard.
    struct Device {
        let name: String
        let epoch: String
        /// Names that its app knows; others are ignored when they arrive.
        let known: Set<String>
        var entries: [String: SyncEntry] = [:]
        /// Names of values that are too large to travel.
        var withheld: Set<String> = []
        var accepted: SyncSnapshot?
        var counterpart: SyncSnapshot?
        var acknowledgement: SyncSnapshot.Acknowledgement?
        var answered: Set<String> = []
        var sequence: UInt64 = 0
        var sends = 0

        mutating func write(_ value: String?, to key: String) {
            let counter = (entries[key]?.stamp.counter ?? 0) + 1
            entries[key] = SyncEntry(stamp: SyncStamp(counter: counter, device: name), value: value.map { Data($0.utf8) })
        }

        /// Sends if the rules say so, and returns the context.
        mutating func send(_ trigger: SyncPlan.Trigger) -> SyncSnapshot? {
            let told = entries.filter { !withheld.contains($0.key) }
            let omitted = entries.filter { withheld.contains($0.key) }.mapValues(\.omittedVersion)
            let facts = SyncPlan.Facts(
                entries: told, omitted: omitted, accepted: accepted, counterpart: counterpart, acknowledgement: acknowledgement)
            let isDue = SyncPlan.sends(trigger, facts)
            if let counterpart { answered.insert(counterpart.epoch) }
            guard isDue else { return nil }
            sequence += 1
            sends += 1
            var snapshot = SyncSnapshot(
                device: name, epoch: epoch, sequence: sequence, content: sequence, acknowledged: acknowledgement, entries: told,
                omitted: omitted.keys.sorted(), omittedVersions: omitted)
            if let accepted, accepted.saysTheSame(as: snapshot) { snapshot.content = accepted.content }
            accepted = snapshot
            return accepted
        }

        mutating func receive(_ snapshot: SyncSnapshot) -> SyncSnapshot? {
            if let counterpart, counterpart.epoch == snapshot.epoch, snapshot.sequence < counterpart.sequence { return nil }
            for (key, entry) in snapshot.entries where known.contains(key) {
                entries[key] = SyncMerge.merged(entries[key], entry)
            }
            counterpart = snapshot
            acknowledgement = snapshot.acknowledgement
            return send(.applied(meets: !answered.contains(snapshot.epoch)))
        }
    }

    /// Delivers until nothing is under way; latest wins, as in the session. Fails where that does not end.
    static func settle(_ devices: inout [Device], _ underWay: inout [SyncSnapshot?], limit: Int = 20) {
        for _ in 0..<limit {
            guard let target = underWay.firstIndex(where: { $0 != nil }), let snapshot = underWay[target] else { return }
            underWay[target] = nil
            if let answer = devices[target].receive(snapshot) { underWay[1 - target] = answer }
        }
        Issue.record("the devices answer each other for ever")
    }

    static func pair(_ phoneKeys: Set<String> = ["a", "b"], _ watchKeys: Set<String> = ["a", "b"]) -> [Device] {
        [Device(name: "phone", epoch: "P", known: phoneKeys), Device(name: "watch", epoch: "W", known: watchKeys)]
    }

    @Test func aChangeArrivesOnceAndIsNotEchoed() {
        var devices = Self.pair()
        devices[0].write("dark", to: "a")
        var underWay: [SyncSnapshot?] = [nil, devices[0].send(.change)]
        Self.settle(&devices, &underWay)
        #expect(devices[1].entries == devices[0].entries)
        #expect(devices.map(\.sends) == [1, 0])
    }

    /// A version that is told without its value is news once, is sent to whoever begins anew, and is asked for by nobody.
    @Test func aVersionWithoutItsValueIsToldOnce() {
        var devices = Self.pair()
        devices[0].withheld = ["a"]
        var hello: [SyncSnapshot?] = [devices[1].send(.request), nil]
        Self.settle(&devices, &hello)
        for count in 1...2 {
            devices[0].write("large \(count)", to: "a")
            var underWay: [SyncSnapshot?] = [nil, devices[0].send(.change)]
            #expect(underWay[1]?.omittedVersions["a"]?.stamp.counter == UInt64(count))
            Self.settle(&devices, &underWay)
        }
        #expect(devices.map(\.sends) == [2, 1])
        #expect(devices[0].send(.change) == nil)
        // The watch says once that it has heard of it, and the phone has its answer.
        var underWay: [SyncSnapshot?] = [devices[1].send(.request), nil]
        #expect(underWay[0]?.acknowledged?.isSameContent(as: devices[0].accepted?.acknowledgement) == true)
        Self.settle(&devices, &underWay)
        for device in 0...1 { #expect(devices[device].send(.request) == nil) }
        let sends = devices[0].sends
        devices[1] = Device(name: "watch", epoch: "W2", known: ["a", "b"])
        underWay = [devices[1].send(.request), nil]
        Self.settle(&devices, &underWay)
        #expect(devices[0].sends == sends + 1)
        #expect(devices[1].counterpart?.omittedVersions["a"]?.stamp.counter == 2)
    }

    /// Whoever has a later version than the one that is told sends it.
    @Test func aLaterVersionThanTheOneThatIsToldIsMissing() {
        let stamp = SyncStamp(counter: 5, device: "phone")
        for (counter, isMissing) in [(UInt64(4), false), (6, true)] {
            let entry = SyncEntry(stamp: SyncStamp(counter: counter, device: "watch"), value: Data([1]))
            let counterpart = SyncSnapshot(
                device: "phone", epoch: "P", sequence: 1, content: 1, entries: [:], omitted: ["a"],
                omittedVersions: ["a": .init(stamp: stamp)])
            let facts = SyncPlan.Facts(entries: ["a": entry], counterpart: counterpart)
            #expect(SyncPlan.namesMissing(facts) == (isMissing ? ["a"] : []))
        }
    }

    /// A version that is told beside an earlier value, or beside nothing, is one that the counterpart knows of and lacks.
    @Test func whatTheCounterpartHasIsWhatItShowsAndNotWhatItHasHeardOf() {
        let deletion = SyncEntry(stamp: SyncStamp(counter: 4, device: "phone~removed"), value: nil)
        let shown = SyncEntry(stamp: SyncStamp(counter: 4, device: "phone"), value: Data([1]))
        let heardOf = SyncSnapshot.OmittedVersion(stamp: SyncStamp(counter: 5, device: ""))
        for (omitted, entries, isMissing) in [(["a"], [:], false), ([], ["a": shown], true), ([], [:], true)] {
            let counterpart = SyncSnapshot(
                device: "phone", epoch: "P", sequence: 1, content: 1, entries: entries, omitted: omitted, omittedVersions: ["a": heardOf])
            #expect(SyncPlan.namesMissing(SyncPlan.Facts(entries: ["a": deletion], counterpart: counterpart)) == (isMissing ? ["a"] : []))
        }
    }

    @Test func editsOnBothSidesMeet() {
        var devices = Self.pair()
        devices[0].write("p", to: "a")
        devices[1].write("w", to: "b")
        var underWay: [SyncSnapshot?] = [devices[1].send(.change), devices[0].send(.change)]
        Self.settle(&devices, &underWay)
        #expect(devices[0].entries == devices[1].entries)
        #expect(devices[0].entries.count == 2)
        // The one that is met while its first snapshot is under way may hear of the other's once more than needed, as a new installation would.
        #expect(devices.map(\.sends).reduce(0, +) <= 3)
    }

    @Test func askingAgainAndAgainComesToRest() {
        var devices = Self.pair()
        devices[0].write("dark", to: "a")
        var underWay: [SyncSnapshot?] = [nil, nil]
        for _ in 0..<6 {
            for index in devices.indices {
                if let snapshot = devices[index].send(.request) { underWay[1 - index] = snapshot }
                Self.settle(&devices, &underWay)
            }
        }
        let before = devices.map(\.sends)
        for index in devices.indices { #expect(devices[index].send(.request) == nil) }
        #expect(before.allSatisfy { $0 <= 3 })
    }

    /// Each side has a key that the other's version of the app does not know.
    @Test func keysThatTheOtherDoesNotKnowComeToRest() {
        var devices = Self.pair(["a", "phoneNew"], ["a", "watchNew"])
        devices[0].write("p", to: "phoneNew")
        devices[1].write("w", to: "watchNew")
        var underWay: [SyncSnapshot?] = [devices[1].send(.change), devices[0].send(.change)]
        Self.settle(&devices, &underWay)
        for _ in 0..<6 {
            for index in devices.indices {
                if let snapshot = devices[index].send(.request) { underWay[1 - index] = snapshot }
                Self.settle(&devices, &underWay)
            }
        }
        for index in devices.indices { #expect(devices[index].send(.request) == nil) }
    }

    @Test func aReinstalledCounterpartGetsEverythingAgain() {
        var devices = Self.pair()
        devices[0].write("dark", to: "a")
        var underWay: [SyncSnapshot?] = [nil, devices[0].send(.change)]
        Self.settle(&devices, &underWay)
        if let snapshot = devices[1].send(.request) { underWay[0] = snapshot }
        Self.settle(&devices, &underWay)
        devices[1] = Device(name: "watch", epoch: "W2", known: ["a", "b"])
        let hello = devices[1].send(.request)
        #expect(hello?.entries == [:], "a new installation says hello with nothing to tell")
        underWay = [hello, nil]
        Self.settle(&devices, &underWay)
        #expect(devices[1].entries == devices[0].entries)
    }

    @Test func aRefusedOrLostSnapshotIsSentAgainWhenAsked() {
        var devices = Self.pair()
        devices[0].write("dark", to: "a")
        _ = devices[0].send(.change)
        let again = devices[0].send(.request)
        #expect(again?.sequence == 2, "an equal context would not be delivered (W48)")
        #expect(again?.content == 1)
        var underWay: [SyncSnapshot?] = [nil, again]
        Self.settle(&devices, &underWay)
        #expect(devices[1].entries == devices[0].entries)
    }

    /// A context outlived the installation that sent it, and arrived after the next one's.
    @Test func whatAnotherInstallationOfTheDeviceLacksIsSentOnce() {
        let entries = ["a": SyncEntry(stamp: SyncStamp(counter: 1, device: "watch.old"), value: Data("dark".utf8))]
        let earlier = SyncSnapshot(device: "watch", epoch: "old", sequence: 2, content: 2, entries: entries)
        let present = SyncSnapshot(device: "watch", epoch: "new", sequence: 1, content: 1, entries: [:])
        var facts = SyncPlan.Facts(entries: entries, accepted: nil, counterpart: earlier, acknowledgement: earlier.acknowledgement)
        #expect(!SyncPlan.sends(.applied(meets: false), facts))
        facts.displaced = [present]
        #expect(SyncPlan.sends(.applied(meets: false), facts))
        facts.accepted = SyncSnapshot(device: "phone", epoch: "phone", sequence: 1, content: 1, entries: entries)
        #expect(!SyncPlan.sends(.applied(meets: false), facts))
    }

    /// The counterpart has acknowledged a version, and shows one before it: it could not take it just then, or lost it to a power loss.
    @Test func whatTheCounterpartHasAnEarlierVersionOfIsSentWhenAsked() {
        func entry(_ counter: UInt64) -> SyncEntry {
            SyncEntry(stamp: SyncStamp(counter: counter, device: "phone"), value: Data("v\(counter)".utf8))
        }
        let accepted = SyncSnapshot(device: "phone", epoch: "phone", sequence: 3, content: 3, entries: ["a": entry(2)])
        let cases: [(shown: [String: SyncEntry], isSent: Bool)] = [(["a": entry(1)], true), (["a": entry(2)], false), ([:], false)]
        for (shown, isSent) in cases {
            let counterpart = SyncSnapshot(
                device: "watch", epoch: "watch", sequence: 1, content: 1, acknowledged: accepted.acknowledgement, entries: shown)
            let facts = SyncPlan.Facts(entries: ["a": entry(2)], accepted: accepted, counterpart: counterpart, acknowledgement: nil)
            #expect(SyncPlan.sends(.request, facts) == isSent)
            #expect(!SyncPlan.sends(.applied(meets: false), facts), "or two devices would answer each other for ever")
        }
    }

    @Test func nothingIsSentWhereNothingDiffers() {
        var devices = Self.pair()
        devices[0].write("dark", to: "a")
        #expect(devices[0].send(.change) != nil)
        #expect(devices[0].send(.change) == nil)
    }

    /// Random writes, requests, losses and repeats; then two rounds of requests over a working link.
    @Test(arguments: 0..<60) func agreeAndComeToRest(seed: UInt64) {
        var random = TestGenerator(seed: seed)
        var devices = Self.pair(["a", "b", "c"], seed.isMultiple(of: 3) ? ["a", "b", "d"] : ["a", "b", "c"])
        var underWay: [SyncSnapshot?] = [nil, nil]
        var delivered: [[SyncSnapshot]] = [[], []]
        for step in 0..<80 {
            let index = Int.random(in: 0...1, using: &random)
            switch Int.random(in: 0..<8, using: &random) {
            case 0..<3:
                guard let key = devices[index].known.sorted().randomElement(using: &random) else { continue }
                devices[index].write(Int.random(in: 0..<5, using: &random) == 0 ? nil : "\(step)", to: key)
                if let sent = devices[index].send(.change) { underWay[1 - index] = sent }
            case 3:
                if let sent = devices[index].send(.request) { underWay[1 - index] = sent }
            case 4:
                underWay[index] = nil
            case 5:
                // Came twice, or late (W43).
                guard let old = delivered[index].randomElement(using: &random) else { continue }
                if let answer = devices[index].receive(old) { underWay[1 - index] = answer }
            default:
                guard let snapshot = underWay[index] else { continue }
                underWay[index] = nil
                delivered[index].append(snapshot)
                if let answer = devices[index].receive(snapshot) { underWay[1 - index] = answer }
            }
        }
        for _ in 0..<3 {
            for index in devices.indices {
                if let sent = devices[index].send(.request) { underWay[1 - index] = sent }
                Self.settle(&devices, &underWay)
            }
        }
        for key in devices[0].known.intersection(devices[1].known) {
            #expect(devices[0].entries[key] == devices[1].entries[key])
        }
        for index in devices.indices { #expect(devices[index].send(.request) == nil, "\(devices[index].name) does not come to rest") }
    }

    /// Of many deletions that a counterpart goes on telling of it is told that they are here, once; of few there is nothing to say, unless values lack room.
    @Test(arguments: [(1, false, false), (63, false, false), (64, false, true), (1, true, true)])
    func manyDeletionsAreAnswered(count: Int, lacksRoom: Bool, isAnswered: Bool) {
        let told = Dictionary(
            uniqueKeysWithValues: (0..<count).map { ("d\($0)", SyncEntry(stamp: SyncStamp(counter: 2, device: "phone"), value: nil)) })
        var counterpart = SyncSnapshot(device: "phone", epoch: "p", sequence: 9, content: 9, entries: told)
        if lacksRoom { counterpart.omitted = ["theme"] }
        var facts = SyncPlan.Facts(entries: told.mapValues { SyncEntry(stamp: $0.stamp, value: nil, isSettled: true) })
        facts.counterpart = counterpart
        #expect(SyncPlan.sends(.applied(meets: false), facts) == isAnswered)
        // Said once.
        facts.accepted = SyncSnapshot(device: "watch", epoch: "w", sequence: 3, content: 3, entries: facts.entries)
        #expect(!SyncPlan.sends(.applied(meets: false), facts))
    }

    /// A hello with nothing to tell is said once, whoever comes into range; with something left out, or something to tell, until it is answered.
    @Test func aHelloWithNothingToTellIsSaidOnce() {
        var facts = SyncPlan.Facts(entries: [:])
        #expect(SyncPlan.sends(.request, facts))
        facts.accepted = SyncSnapshot(device: "watch", epoch: "w", sequence: 1, content: 1, entries: [:])
        #expect(!SyncPlan.sends(.request, facts))
        facts.accepted?.omitted = ["theme"]
        #expect(SyncPlan.sends(.request, facts))
        facts.entries = ["theme": SyncEntry(stamp: SyncStamp(counter: 1, device: "watch"), value: Data("x".utf8))]
        facts.accepted = SyncSnapshot(device: "watch", epoch: "w", sequence: 2, content: 2, entries: facts.entries)
        #expect(SyncPlan.sends(.request, facts))
    }
}
