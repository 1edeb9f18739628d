import DeviceSim
import Foundation
import LocalData
import WatchConnectivity

/// An app without LocalData: it keeps its values in one file, and sends all of them in the application context.
///
/// As it stands it keeps every invariant that its world asks of it; with a ``HandmadeMistake`` it breaks one.
final class HandmadeApp: NSObject, ValueKeeping, WCSessionDelegate, @unchecked Sendable {
    /// What an earlier version of the app called the value of `profile`, in preferences.
    static let oldNames = ["profile": "oldProfile"]

    let mistake: HandmadeMistake?
    /// For the mistake that keeps values in memory.
    private var cache: HandmadeStore.Records = [:]

    init(_ mistake: HandmadeMistake?) {
        self.mistake = mistake
    }

    var store: HandmadeStore { HandmadeStore(environment: StorageRouter.shared.environment, mistake: mistake) }
    private var deviceName: String { StorageRouter.shared.environment.device.identifier }

    func didFinishLaunching(inBackground: Bool) async {
        for name in Self.oldNames.keys.sorted() { try? await migrate(name) }
        if mistake == .restampsAtLaunch, let records = try? store.read() {
            for (name, record) in records.sorted(by: { $0.key < $1.key }) where record.value != nil {
                try? write(record.value, name, syncs: record.syncs)
            }
        }
        WCSession.default.delegate = self
        WCSession.default.activate()
    }

    func didEnterForeground() async { catchUp() }
    func protectedDataDidBecomeAvailable() async { catchUp() }
    func handleBackgroundTask(_ task: ConnectivityRefreshTask) async { TaskCompletion.complete(task) }

    /// What could not be stored when it came is in the session's received context.
    private func catchUp() {
        guard WCSession.default.activationState == .activated else { return }
        receive(mistake == .readsSentContext ? WCSession.default.applicationContext : WCSession.default.receivedApplicationContext)
        resend()
    }

    // MARK: Values

    func set(_ value: ScenarioValue, for key: AppKey) async throws {
        try await migrate(key.name)
        let kept: HandmadeStore.Record.Value =
            switch value {
            case .string(let text): .text(text)
            case .integer(let number): .number(Int(number))
            default: throw StorageError(.encodingFailed)
            }
        if mistake == .lostUpdate {
            var records = try store.read()
            await letOthersRun()
            records[key.name] = try next(kept, key.name, &records, syncs: key.syncs)
            try store.write(records)
            send(records, changed: key.name)
        } else {
            try write(kept, key.name, syncs: key.syncs)
        }
    }

    func value(of key: AppKey) async throws -> ScenarioValue {
        try await migrate(key.name)
        let kept: HandmadeStore.Record.Value?
        if Self.oldNames.values.contains(key.name) {
            // Nobody asks for it but to look whether it is still there.
            guard let old = try store.oldValue(key.name) else { throw StorageError(.superseded, key: key.name) }
            kept = old
        } else if mistake == .staleCache, let cached = cache[key.name] {
            kept = cached.value
        } else {
            let record = try store.read()[key.name]
            if mistake == .staleCache { cache[key.name] = record }
            kept = record?.value
        }
        switch kept {
        case .text(let text)?: return .string(text)
        case .number(let number)?: return .integer(Int64(number))
        case nil: throw StorageError(.notFound, key: key.name)
        }
    }

    func exists(_ key: AppKey) async throws -> Bool { try store.read()[key.name]?.value != nil }

    func remove(_ key: AppKey) async throws {
        // What an earlier version left must not come back.
        try await migrate(key.name)
        guard try store.read()[key.name]?.value != nil else { return }
        try write(nil, key.name, syncs: key.syncs)
    }

    func migrate(_ key: AppKey) async throws { try await migrate(key.name) }
    func sync() async throws { resend() }

    private func write(_ value: HandmadeStore.Record.Value?, _ name: String, syncs: Bool) throws {
        var records = try store.read()
        records[name] = try next(value, name, &records, syncs: syncs)
        if mistake == .forgetsDeletions, value == nil { records[name] = nil }
        try store.write(records)
        if mistake == .staleCache { cache[name] = records[name] }
        send(records, changed: name)
        if mistake == .prunesDeletionsEarly, value == nil {
            records[name] = nil
            try store.write(records)
        }
    }

    private func next(
        _ value: HandmadeStore.Record.Value?, _ name: String, _ records: inout HandmadeStore.Records, syncs: Bool
    ) throws -> HandmadeStore.Record {
        let counter =
            mistake == .wallClockVersions
            ? Int(StorageRouter.shared.environment.clock.now.timeIntervalSince1970 * 1000)
            : (records[name]?.counter ?? (mistake == .wideVersions ? 1_700_000_000_000 : 0)) + 1
        return HandmadeStore.Record(counter: counter, device: try writer(&records), value: value, syncs: syncs)
    }

    /// This installation of the app: another one counts from the beginning, and must not give a number of this one to another value.
    private func writer(_ records: inout HandmadeStore.Records) throws -> String {
        if case .text(let mark)? = records["installation"]?.value { return "\(deviceName).\(mark)" }
        let mark = try StorageRouter.shared.environment.entropy.bytes(4).map { String($0) }.joined(separator: "-")
        records["installation"] = HandmadeStore.Record(counter: 0, device: deviceName, value: .text(mark), syncs: false)
        return "\(deviceName).\(mark)"
    }

    private func letOthersRun() async { await Task {}.value }

    // MARK: What an earlier version left

    private func migrate(_ name: String) async throws {
        guard let oldName = Self.oldNames[name], let old = try store.oldValue(oldName) else { return }
        if mistake == .migratesByDeletingFirst { try store.removeOldValue(oldName) }
        var records = try store.read()
        if records[name] == nil || mistake == .migratesOverNewer {
            if mistake == .migratesInTwoTurns { await letOthersRun() }
            // What is found is older than anything ever written here.
            let found = HandmadeStore.Record(counter: 0, device: try writer(&records), value: old, syncs: true)
            if mistake == .migratesInTwoTurns { records = try store.read() }
            records[name] = found
            try store.write(records)
            send(records, changed: name)
        }
        if mistake != .leavesMigrationSource { try store.removeOldValue(oldName) }
    }

    // MARK: Sending

    private func send(_ records: HandmadeStore.Records, changed name: String) {
        let sent = records.filter { mistake == .sendsEverything || $0.value.syncs }
        guard sent[name] != nil || mistake == .forgetsDeletions else { return }
        switch mistake {
        case .sendsByMessageAlone:
            guard WCSession.default.isReachable else { return }
            WCSession.default.sendMessage(payload(of: sent), replyHandler: nil, errorHandler: nil)
        case .queuesChanges: WCSession.default.transferUserInfo(payload(of: sent.filter { $0.key == name }))
        case .contextForEachKey: update(payload(of: sent.filter { $0.key == name }))
        default: update(payload(of: sent))
        }
    }

    /// The same again, told from the last time by a number, since an equal context is not delivered (W48).
    private func resend() {
        guard mistake != .neverResends, mistake != .sendsByMessageAlone, mistake != .queuesChanges, mistake != .contextForEachKey,
            let records = try? store.read(), let number = try? StorageRouter.shared.environment.entropy.bytes(6)
        else { return }
        var payload = payload(of: records.filter { mistake == .sendsEverything || $0.value.syncs })
        payload["again"] = number
        update(payload)
    }

    private func payload(of records: HandmadeStore.Records) -> [String: Any] {
        var entries = HandmadeStore.dictionary(of: records)
        for (name, record) in records {
            guard var entry = entries[name] as? [String: Any] else { continue }
            if mistake == .sendsPictures { entry["picture"] = Data(repeating: name.utf8.first ?? 0, count: 100_000) }
            if mistake == .sendsNull, record.value == nil { entry["text"] = NSNull() }
            entries[name] = entry
        }
        return ["values": entries]
    }

    private func update(_ payload: [String: Any]) { try? WCSession.default.updateApplicationContext(payload) }

    // MARK: WCSessionDelegate

    func session(_ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?) {
        guard error == nil else { return }
        receive(mistake == .readsSentContext ? session.applicationContext : session.receivedApplicationContext)
        resend()
    }

    func sessionDidBecomeInactive(_ session: WCSession) {}
    func sessionDidDeactivate(_ session: WCSession) { session.activate() }
    func sessionWatchStateDidChange(_ session: WCSession) { resend() }
    func sessionCompanionAppInstalledDidChange(_ session: WCSession) { resend() }
    func sessionReachabilityDidChange(_ session: WCSession) {}

    func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        guard mistake != .readsSentContext else { return }
        receive(applicationContext)
        if mistake == .answersContexts || lacksValues(applicationContext) { resend() }
    }

    /// Whether the counterpart does not have all that this device has: it was installed anew, and kept its session's last context perhaps, which is not
    /// delivered again (W48).
    private func lacksValues(_ payload: [String: Any]) -> Bool {
        guard let entries = payload["values"] as? [String: Any], let records = try? store.read() else { return false }
        return records.contains { $0.value.syncs && entries[$0.key] == nil }
    }

    func session(_ session: WCSession, didReceiveMessage message: [String: Any]) { receive(message) }
    func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any]) { receive(userInfo) }
    func session(_ session: WCSession, didFinish userInfoTransfer: WCSessionUserInfoTransfer, error: (any Error)?) {}

    /// Takes over what is newer. What cannot be stored now is in the session's received context when the app is launched again.
    private func receive(_ payload: [String: Any]) {
        guard let entries = payload["values"] as? [String: Any], var records = try? store.read() else { return }
        let incoming = HandmadeStore.records(in: entries)
        let before = records
        if mistake == .notesBeforeStoring || mistake == .storesHalf {
            let note = note(of: incoming)
            guard records[Self.noteName] != note else { return }
            records[Self.noteName] = note
            if mistake == .notesBeforeStoring { try? store.write(records) }
        }
        for (name, record) in incoming.sorted(by: { $0.key < $1.key }) where isNewer(record, than: records[name]) {
            records[name] = record
            if mistake == .storesHalf { try? store.write(records) }
        }
        if mistake == .absentIsDeleted { records = records.filter { !$0.value.syncs || incoming[$0.key] != nil } }
        guard records != before else { return }
        try? store.write(records)
    }

    private static let noteName = "last context"

    /// Tells contexts apart, for the mistakes that note which one was seen last.
    private func note(of incoming: HandmadeStore.Records) -> HandmadeStore.Record {
        let versions = incoming.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.counter) \($0.value.device)" }
        return HandmadeStore.Record(counter: 0, device: deviceName, value: .text(versions.joined(separator: ",")), syncs: false)
    }

    private func isNewer(_ record: HandmadeStore.Record, than other: HandmadeStore.Record?) -> Bool {
        mistake == .lastArrivalWins || mistake == .queuesChanges || record.isNewer(than: other)
    }
}

extension AppKey {
    fileprivate var syncs: Bool { key.availability.allowsSync && key.syncPolicy != .never }
}
