import Foundation
import Testing

@testable import LocalData

/// Replicas that know only of stamps and merging. Whatever is lost, repeated or late on the way, they agree once they have heard each other.
@Suite struct SyncReplicaTests {
    struct Replica {
        let device: String
        var entries: [String: SyncEntry] = [:]
        var highest: [String: UInt64] = [:]

        mutating func write(_ value: String?, to key: String) {
            let counter = (highest[key] ?? 0) + 1
            highest[key] = counter
            entries[key] = SyncEntry(stamp: SyncStamp(counter: counter, device: device), value: value.map { Data($0.utf8) })
        }

        mutating func apply(_ incoming: [String: SyncEntry]) {
            for (key, entry) in incoming {
                highest[key] = max(highest[key] ?? 0, entry.stamp.counter)
                entries[key] = SyncMerge.merged(entries[key], entry)
            }
        }
    }

    @Test(arguments: 0..<40) func agreeOnTheHighestStamp(seed: UInt64) {
        var random = TestGenerator(seed: seed)
        var replicas = ["phone", "watch", "watch2"].prefix(Int.random(in: 2...3, using: &random)).map { Replica(device: $0) }
        let keys = ["a", "b", "c", "d"]
        var written: [String: [SyncEntry]] = [:]
        var network: [(to: Int, entries: [String: SyncEntry])] = []

        for step in 0..<200 {
            let index = Int.random(in: replicas.indices, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                let key = keys.randomElement(using: &random) ?? "a"
                replicas[index].write(Int.random(in: 0..<4, using: &random) == 0 ? nil : "\(step)", to: key)
                replicas[index].entries[key].map { written[key, default: []].append($0) }
            case 5..<7:
                for other in replicas.indices where other != index { network.append((other, replicas[index].entries)) }
            default:
                guard let pick = network.indices.randomElement(using: &random) else { continue }
                // Delivered in any order; sometimes kept, to come again; sometimes lost.
                let delivery = network[pick]
                switch Int.random(in: 0..<4, using: &random) {
                case 0: network.remove(at: pick)
                case 1: replicas[delivery.to].apply(delivery.entries)
                default:
                    replicas[delivery.to].apply(delivery.entries)
                    network.remove(at: pick)
                }
            }
        }
        // Healed: old deliveries come first, then everybody hears everybody.
        for delivery in network { replicas[delivery.to].apply(delivery.entries) }
        for index in replicas.indices {
            for other in replicas.indices where other != index { replicas[other].apply(replicas[index].entries) }
        }
        for index in replicas.indices {
            for other in replicas.indices where other != index { replicas[other].apply(replicas[index].entries) }
        }
        for replica in replicas {
            #expect(replica.entries == replicas[0].entries)
            for key in keys {
                let winner = written[key]?.max { $0.stamp < $1.stamp }
                #expect(replica.entries[key] == winner, "\(key): a deleted value may have come back")
            }
        }
    }
}
