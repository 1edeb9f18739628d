import Foundation
import LocalData

/// Makes a false context of a real one. Names the members of LocalData's snapshots, as they travel.
struct ContextForgery {
    /// What the counterpart said last, and first.
    let said: [String: PropertyListValue]
    let saidFirst: [String: PropertyListValue]
    /// What the device itself said last.
    let own: [String: PropertyListValue]

    private typealias Members = [String: PropertyListValue]

    /// - Returns: `nil` where the counterpart has not said anything yet.
    func forged(_ lie: CounterpartLie) -> [String: PropertyListValue]? {
        guard var root = Self.snapshot(said) else { return nil }
        if lie == .repeat { return Self.snapshot(saidFirst) == nil ? nil : saidFirst }
        if lie == .additions { return withAdditions(root) }
        let mine = Self.snapshot(own) ?? [:]
        var sequence = (Self.number(root["sequence"]) ?? 0) + 1
        // It can speak of all that it has heard of, too.
        var entries = Self.entries(mine).merging(Self.entries(root)) { $1 }
        switch lie {
        case .counters: entries = Self.changed(entries) { $0["counter"] = .integer(.max - 1) }
        case .lineages:
            entries = Self.changed(entries) {
                $0["counter"] = .integer(.max - 1)
                $0["device"] = .string("^ffffffffffffffff.liar")
            }
        case .sequence: sequence = 1 << 56
        case .numbers: sequence = .max
        case .acknowledgement:
            root["acknowledged"] = .dictionary([
                "epoch": mine["epoch"] ?? .string(""), "sequence": .integer(.max - 1), "content": .integer(.max - 1),
            ])
        case .deletions:
            entries = Self.changed(entries) {
                $0["counter"] = .integer((Self.number($0["counter"]) ?? 0) + 1 << 40)
                $0["value"] = nil
                $0["reduced"] = nil
                $0["deleted"] = .bool(true)
                $0["settled"] = .bool(true)
            }
        case .values: entries = Self.overwritten(entries, with: Data("{".utf8))
        case .forms:
            entries = Self.changed(entries) {
                guard $0["value"] != nil else { return }
                $0["counter"] = .integer((Self.number($0["counter"]) ?? 0) + 1_000)
                $0["schema"] = .integer(Int64(Int32.max))
            }
        case .omissions:
            let names = entries.keys.sorted()
            root["omitted"] = .array(names.map { .string($0) })
            root["omittedVersions"] = .dictionary(
                Dictionary(
                    uniqueKeysWithValues: names.enumerated().map { place, name in
                        (name, .dictionary(["counter": .integer(1 << 56 - Int64(place % 2)), "device": .string("liar")]))
                    }))
            entries = [:]
        case .size: entries = Self.overwritten(entries, with: Data(repeating: 0x20, count: 300_000))
        case .shape:
            for name in Self.everySecond(entries) { entries[name] = .dictionary(["counter": .string("1"), "value": .integer(1)]) }
        case .part: for name in Self.everySecond(entries) { entries[name] = nil }
        case .names:
            let sample = entries.min { $0.key < $1.key }?.value ?? .dictionary([:])
            for letter in "ab".utf8 { entries[String(decoding: [UInt8](repeating: letter, count: 100_000), as: UTF8.self)] = sample }
        case .repeat, .additions: break
        }
        root["sequence"] = .integer(sequence)
        root["content"] = .integer(sequence)
        root["entries"] = .dictionary(entries)
        var context = said
        context[SyncSnapshot.entryKey] = .dictionary(root)
        return context
    }

    /// What the counterpart said last, with more beside it: of every kind that a context can hold.
    private func withAdditions(_ root: Members) -> Members {
        let addition: Members = [
            "later": .dictionary(["form": .integer(2), "parts": .array([.bool(true), .data(Data([0])), .string("of it")])])
        ]
        func extended(_ value: PropertyListValue?) -> PropertyListValue? {
            guard case .dictionary(let members)? = value else { return value }
            return .dictionary(members.merging(addition) { own, _ in own })
        }
        var root = root.merging(addition) { own, _ in own }
        root["acknowledged"] = extended(root["acknowledged"])
        for named in ["entries", "omittedVersions"] {
            guard case .dictionary(let members)? = root[named] else { continue }
            root[named] = .dictionary(members.compactMapValues(extended))
        }
        var context = said.merging(addition) { own, _ in own }
        context[SyncSnapshot.entryKey] = .dictionary(root)
        return context
    }

    private static func overwritten(_ entries: Members, with bytes: Data) -> Members {
        changed(entries) {
            $0["counter"] = .integer((number($0["counter"]) ?? 0) + 1_000)
            $0["deleted"] = nil
            $0["settled"] = nil
            $0["value"] = .data(bytes)
        }
    }

    private static func changed(_ entries: Members, _ change: (inout Members) -> Void) -> Members {
        entries.mapValues { entry in
            guard case .dictionary(var members) = entry else { return entry }
            change(&members)
            return .dictionary(members)
        }
    }

    private static func everySecond(_ entries: Members) -> [String] {
        entries.keys.sorted().enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
    }

    private static func snapshot(_ context: Members) -> Members? {
        guard case .dictionary(let root)? = context[SyncSnapshot.entryKey] else { return nil }
        return root
    }

    private static func entries(_ root: Members) -> Members {
        guard case .dictionary(let entries)? = root["entries"] else { return [:] }
        return entries
    }

    /// Small enough to be added to.
    private static func number(_ value: PropertyListValue?) -> Int64? {
        guard case .integer(let number)? = value else { return nil }
        return min(number, .max >> 1)
    }
}

extension ConnectivityDaemon {
    /// A false snapshot arrives, as if the counterpart had sent it.
    /// - Parameter onReply: Called when one stands in the place of the next reply.
    /// - Returns: False where the counterpart has not said anything that could be falsified.
    package func receiveLie(_ lie: CounterpartLie, by carrier: LieCarrier, onReply: @escaping () -> Void = {}) -> Bool {
        guard let payload = forged(lie) else { return false }
        switch carrier {
        case .context: contextArrived(ContextUpdate(sequence: 0, payload: payload))
        case .message: messageArrived(MessageEnvelope(sequence: 0, payload: payload, wantsReply: false))
        case .userInfo: _ = transferArrived(Transfer(number: 0, content: .userInfo(payload, isUrgent: false)))
        case .nextReply: lieForNextReply = (lie, onReply)
        }
        return true
    }

    /// What arrives in the place of an honest answer.
    func falsified(_ response: MessageResponse) -> MessageResponse {
        guard let (lie, onTelling) = lieForNextReply, case .success = response.result else { return response }
        lieForNextReply = nil
        guard let payload = forged(lie) else { return response }
        onTelling()
        return MessageResponse(sequence: response.sequence, result: .success(payload))
    }

    private func forged(_ lie: CounterpartLie) -> Payload? {
        guard let pairing, let theirs = pairing.peer?.pairing, theirs.peer === self else { return nil }
        let forgery = ContextForgery(
            said: theirs.contexts.outbox.current, saidFirst: theirs.contexts.outbox.first, own: pairing.contexts.outbox.current)
        return forgery.forged(lie).map { Payload(forged: $0) }
    }
}
