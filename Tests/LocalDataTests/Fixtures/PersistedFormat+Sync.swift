import Foundation

@testable import LocalData

extension PersistedFormat {
    static let sync: [PersistedFormat] = [
        PersistedFormat(file: "sync-record.json", meaning: "value 4 phone, announced 7 watch, highest 9, location file/documents/notes") {
            let revision = Data(0..<32)
            var record = SyncRecord(
                keyName: "notes", location: "file/documents/notes",
                committed: SyncVersion(stamp: SyncStamp(counter: 4, device: "phone"), content: .value(revision: revision)),
                pending: SyncVersion(stamp: SyncStamp(counter: 7, device: "watch"), content: .value(revision: Data(32..<64))))
            record.highestCounter = 9
            return Data(record.encoded.utf8)
        } read: { fixture in
            let record = try SyncRecord(encoded: String(decoding: fixture, as: UTF8.self), keyName: "notes")
            let pending = record.pending.map { "announced \($0.stamp.counter) \($0.stamp.device), " } ?? ""
            return "value \(record.committed.stamp.counter) \(record.committed.stamp.device), \(pending)highest \(record.highestCounter), "
                + "location \(record.location)"
        },
        PersistedFormat(file: "sync-record-deleted.json", meaning: "deleted 5, settled true") {
            var record = SyncRecord(
                keyName: "notes", location: "file/documents/notes",
                committed: SyncVersion(stamp: SyncStamp(counter: 5, device: "phone"), content: .deleted))
            record.isSettled = true
            return Data(record.encoded.utf8)
        } read: { fixture in
            let record = try SyncRecord(encoded: String(decoding: fixture, as: UTF8.self), keyName: "notes")
            return "\(record.committed.content) \(record.committed.stamp.counter), settled \(record.isSettled)"
        },
        PersistedFormat(file: "sync-installation.json", meaning: "epoch 00ff, floor 12, reserved 65, heard 1 of ee at 3/2") {
            var installation = SyncInstallation(epoch: "00ff")
            (installation.floor, installation.reservedSequence) = (12, 65)
            installation.counterparts = [SyncSnapshot.Acknowledgement(epoch: "ee", sequence: 3, content: 2)]
            return Data(installation.encoded.utf8)
        } read: { fixture in
            let stored = try SyncInstallation(encoded: fixture)
            let heard = stored.counterparts.map { "\($0.epoch) at \($0.sequence)/\($0.content)" }.joined()
            return
                "epoch \(stored.epoch), floor \(stored.floor), reserved \(stored.reservedSequence), heard \(stored.counterparts.count) of \(heard)"
        },
        PersistedFormat(file: "sync-policies.json", meaning: "manual") {
            let device = TestDevice()
            try await device.router().setSyncPolicyOverride(.manual, for: ThemeKey())
            return device.files.peek(policies) ?? Data()
        } read: { fixture in
            let device = TestDevice()
            device.files.put(fixture, at: policies)
            return device.router().syncPolicy(of: ThemeKey()).rawValue
        },
        PersistedFormat(file: "sync-snapshot.plist", meaning: "from phone #3, theme = dark @2, old deleted @1, without [big]") {
            var snapshot = SyncSnapshot(
                device: "phone", epoch: "00ff", sequence: 3, content: 2,
                acknowledged: SyncSnapshot.Acknowledgement(epoch: "ee", sequence: 1, content: 1),
                entries: [
                    "theme": SyncEntry(stamp: SyncStamp(counter: 2, device: "phone"), value: Data("\"dark\"".utf8)),
                    "old": SyncEntry(stamp: SyncStamp(counter: 1, device: "watch"), value: nil, isSettled: true),
                ])
            snapshot.omitted = ["big"]
            return try PropertyListSerialization.data(fromPropertyList: snapshot.payload, format: .xml, options: 0)
        } read: { fixture in
            let payload = try PropertyListSerialization.propertyList(from: fixture, format: nil) as? [String: Any]
            let snapshot = try SyncSnapshot(payload ?? [:])
            let (theme, old) = (snapshot.entries["theme"], snapshot.entries["old"])
            let value = try theme?.value.map { try ThemeKey().decoded($0, width: Int.bitWidth) } ?? "nothing"
            let deleted = old?.isDeletion == true && old?.isSettled == true ? "deleted" : "there"
            return "from \(snapshot.device) #\(snapshot.sequence), theme = \(value) @\(theme?.stamp.counter ?? 0), "
                + "old \(deleted) @\(old?.stamp.counter ?? 0), without [\(snapshot.omitted.joined())]"
        },
    ]

    private static let policies = "/app/Library/Application Support/LocalData/Sync/policies.json"
}
