import Foundation
import WatchConnectivity

/// Sends merged snapshots of the synced values to the counterpart, and keeps the ledger of their versions.
///
/// The app owns the session: it activates it and receives its callbacks. What it passes on goes through ``StorageRouter``.
public actor SyncHelper {
    /// The helper of the current device (see ``StorageRouter/shared``).
    public static var shared: SyncHelper { StorageRouter.shared.sync }

    let environment: StorageEnvironment
    nonisolated let ledger: SyncLedger

    private(set) var outbox = SyncOutbox()
    var conversation = SyncConversation()
    /// What the next snapshot may be a change of.
    private(set) var sent: SentContext?
    /// The names of the removals that were said back.
    private var repeated: Set<String> = []
    /// Whether what an earlier process sent was looked at, for what this device has lost since.
    private(set) var hasLookedBack = false
    /// Of what an earlier process sent, what no key of this one takes yet; `nil`: nothing.
    private var sentAndUnknown: SyncSnapshot?
    /// How much less than assumed the session has turned out to take.
    private var shortage = 0
    private(set) var didNotFit: [String] = []
    private(set) var unknownKeys: [String] = []
    /// The code of `WCError` with which the session refused the last snapshot.
    private(set) var refusal: Int?
    private(set) var lastError: StorageError?

    /// - Parameter needsNote: As ``SyncLedger/needsNote``.
    init(environment: StorageEnvironment, files: FileStorageHelper, needsNote: @escaping @Sendable (any StorageKey) -> Bool) {
        self.environment = environment
        ledger = SyncLedger(environment: environment, files: files, needsNote: needsNote)
    }

    /// What keeps this device from sending right now.
    var obstacle: SyncObstacle? { WCSession.syncObstacle(for: environment.device.role) }

    /// Whether there is no use in trying. What a session says of the counterpart's app may be wrong, and is what the session itself checks when it is
    /// handed something (W25).
    var isBarred: Bool { obstacle.map { $0 != .counterpartAppNotInstalled } ?? false }
}

// MARK: What the device holds

extension SyncHelper {
    /// Takes over what a key holds now, under the policy in force now: another may have been chosen while the value was read.
    func hold(_ entry: SyncEntry?, reduced: SyncEntry? = nil, of key: any StorageKey, isShared: Bool) {
        let policy = ledger.policy(of: key)
        guard policy != .never else { return setAside(key) }
        outbox.hold(entry, reduced: reduced, of: key.name, policy: policy, isShared: isShared)
    }

    /// Says a removal back under a name that no key of this process has.
    func repeatRemoval(_ stamp: SyncStamp, of key: any StorageKey) {
        repeated.insert(key.name)
        hold(SyncEntry(stamp: stamp, value: nil, isSettled: true), of: key, isShared: true)
    }

    /// Forgets the removals that were said back and that the counterpart does not mention any more.
    private func forgetRepeatedRemovals(missingFrom snapshot: SyncSnapshot) {
        guard !repeated.isEmpty else { return }
        // A key of such a name that the process uses by now is read for itself.
        repeated = repeated.filter { ledger.receivingKey($0) == nil }
        for name in repeated.sorted() where snapshot.isSilent(about: name) {
            repeated.remove(name)
            outbox.drop(name)
        }
    }

    /// Notes that a key cannot be read, likewise under the policy in force now.
    func withhold(_ key: any StorageKey, because code: StorageError.Code, isBeyondReading: Bool = false) {
        let policy = ledger.policy(of: key)
        guard policy != .never else { return setAside(key) }
        outbox.withhold(key.name, policy: policy, because: code, isBeyondReading: isBeyondReading)
    }

    /// Takes out a key that does not travel. As long as a locked device does not tell what was chosen, one that declares that it syncs waits.
    func setAside(_ key: any StorageKey) {
        do {
            _ = try ledger.overrides()
        } catch let error as StorageError where error.code.isTemporary && key.syncPolicy != .never {
            return outbox.withhold(key.name, policy: key.syncPolicy, because: error.code)
        } catch {}
        drop(key.name)
    }

    func drop(_ name: String) { outbox.drop(name) }

    func isLoaded(_ name: String) -> Bool { outbox.isLoaded(name) }

    var hasKeys: Bool { !outbox.items.isEmpty }

    /// Whether the session holds something that may not leave the device any more: its sync was switched off, or an update declares that it stays.
    var holdsWhatStays: Bool {
        guard !isBarred, let epoch = try? ledger.installation().epoch,
            let accepted = acceptedSnapshot(in: WCSession.default.applicationContext, epoch: epoch)
        else { return false }
        let role = environment.device.role
        return accepted.entries.keys.contains { ledger.keepsBack($0, on: role) }
    }

    /// Puts a context without what stays on this device in the place of one that has it, as long as the system has not delivered that.
    func takeBackWhatStays() throws {
        if holdsWhatStays { try send(.change) }
    }

    func publishManual() { outbox.publishManual() }
}

// MARK: Sending

extension SyncHelper {
    /// Sends one snapshot of everything, if there is a counterpart and ``SyncPlan`` says so.
    /// - Parameter isForced: Sends although nothing is new. The snapshot then differs by its sequence, since an equal context is not delivered (W48).
    /// - Returns: Whether a snapshot was handed to the session.
    /// - Throws: What the session or the ledger refused. It is also remembered for ``StorageRouter/syncStatus()``.
    @discardableResult
    func send(_ trigger: SyncPlan.Trigger, isForced: Bool = false) throws -> Bool {
        guard !isBarred else { return false }
        do {
            let installation = try ledger.installation()
            try requireKnownPolicies()
            let session = WCSession.default
            var context = session.applicationContext
            let held = context[SyncSnapshot.entryKey]
            context[SyncSnapshot.entryKey] = nil
            let assumed = SyncSnapshot.maximumContextByteCount - PayloadSize.envelope - PayloadSize.dictionary(context)
            let room = assumed - shortage
            guard var draft = try dueDraft(trigger, isForced: isForced, for: installation, holding: held, room: room) else { return false }
            let sequence = try ledger.takeSequence()
            var limit = room
            for attempt in 1... {
                draft.snapshot.sequence = sequence
                if draft.snapshot.content == 0 { draft.snapshot.content = sequence }
                let entries = draft.entries
                context[SyncSnapshot.entryKey] = draft.snapshot.payload(ofEntries: entries)
                do {
                    try session.updateApplicationContext(context)
                } catch WCError.payloadTooLarge where attempt < 8 && draft.canBeSmaller {
                    // The limit is not published; this session's is lower (W100).
                    limit = limit / 4 * 3
                    draft = wholeDraft(for: installation, accepted: acceptedSnapshot(held, epoch: installation.epoch), room: limit)
                    continue
                } catch let error as WCError where meansNobodyIsThere(error.code) {
                    if obstacle == nil { refusal = error.code.rawValue }
                    return false
                }
                // Else each snapshot would have news that the session then does not take, and be sent without end.
                shortage = assumed - limit
                wasSent(draft, entries, to: receiver(of: installation))
                break
            }
            refusal = nil
            lastError = nil
            return true
        } catch {
            throw remember(error)
        }
    }

    /// What to send, if anything.
    /// - Parameter held: What the session holds under LocalData's name.
    private func dueDraft(
        _ trigger: SyncPlan.Trigger, isForced: Bool, for installation: SyncInstallation, holding held: Any?, room: Int
    ) throws -> SyncDraft? {
        if trigger == .change, !isForced, holdsAccepted(held, epoch: installation.epoch),
            let draft = changedDraft(for: installation, fitting: room)
        {
            conversation.haveAnswered()
            return draft
        }
        let accepted = acceptedSnapshot(held, epoch: installation.epoch)
        let draft = wholeDraft(for: installation, accepted: accepted, room: room)
        let isDue = SyncPlan.sends(trigger, facts(draft.snapshot, accepted: accepted, installation))
        // What it left out it may lack: it has its answer when it has said so.
        if isDue || conversation.counterpart?.omitted.isEmpty == true { conversation.haveAnswered() }
        guard isDue || isForced || conversation.isTakenForOutdated else {
            didNotFit = draft.didNotFit
            return nil
        }
        return draft
    }

    /// The session took a draft.
    private func wasSent(_ draft: SyncDraft, _ entries: [String: Any], to receiver: String?) {
        if draft.basis == nil { conversation.wasSent(draft.snapshot) } else { conversation.wasSent(draft.snapshot, takingOut: draft.gone) }
        environment.tell(.sent(.init(conversation.accepted ?? draft.snapshot)))
        didNotFit = draft.didNotFit
        outbox.wasSent()
        sent =
            draft.canBeChanged
            ? SentContext(
                sequence: draft.snapshot.sequence, epoch: draft.snapshot.epoch, receiver: receiver, byteCount: draft.byteCount,
                room: draft.room, didNotFit: draft.didNotFit, cut: draft.cut, omissions: draft.snapshot.omissions,
                entries: entries) : nil
    }

    /// While it cannot be told for a moment what was switched off, the context stays as it is: it was put together when that was known.
    /// - Throws: Why it cannot be told. A list that is damaged, or of a newer format, is no such moment: nothing leaves the device then.
    private func requireKnownPolicies() throws {
        do {
            _ = try ledger.overrides()
        } catch let error as StorageError where !error.code.mayPass {}
    }

    /// Whether a refusal says what the session's properties said before. A watch cannot tell a phone without the app from one that it is not paired with;
    /// of an app that depends on that of the phone the property says nothing (W121), and the refusal alone tells.
    private func meansNobodyIsThere(_ code: WCError.Code) -> Bool {
        switch code {
        case .companionAppNotInstalled: true
        case .watchAppNotInstalled, .deviceNotPaired: obstacle == .counterpartAppNotInstalled
        default: false
        }
    }

    /// A snapshot to answer a request with, of what the device holds now. Not remembered as sent: nobody says whether the answer arrives.
    func answer(maximumByteCount: Int) throws -> SyncSnapshot {
        let installation = try ledger.installation()
        try requireKnownPolicies()
        let held = obstacle == .sessionNotSupported ? [:] : WCSession.default.applicationContext
        let accepted = acceptedSnapshot(held[SyncSnapshot.entryKey], epoch: installation.epoch)
        let draft = wholeDraft(for: installation, accepted: accepted, room: max(0, maximumByteCount) - PayloadSize.envelope)
        var snapshot = draft.snapshot
        snapshot.sequence = try ledger.takeSequence()
        if snapshot.content == 0 { snapshot.content = snapshot.sequence }
        return snapshot
    }

    /// Takes out what was held before it was switched off, be it by a choice for the key that the value came from.
    private func dropWhatIsSwitchedOff() {
        for name in outbox.items.keys {
            if let key = ledger.knownKey(name), ledger.policy(of: key) == .never { outbox.drop(name) }
        }
    }

    /// Everything that there is to say.
    func wholeDraft(for installation: SyncInstallation, accepted: SyncSnapshot?, room: Int) -> SyncDraft {
        dropWhatIsSwitchedOff()
        var snapshot = emptySnapshot(for: installation)
        let known = accepted?.entries ?? [:]
        let isDelivered = SyncPlan.isAcknowledged(facts(snapshot, accepted: accepted, installation))
        let passedOn = versionsToPassOn(installation, fitting: room / 16)
        snapshot.omittedVersions = passedOn
        let remaining = room - snapshot.maximumHeaderByteCount
        let selection = outbox.selection(
            fitting: remaining, accepted: known, leftOut: accepted?.omittedVersions ?? [:], leftOutCounter: accepted?.omittedCounter ?? 0,
            isDelivered: { isDelivered && !isLacking($1, of: $0) },
            keepsBack: { ledger.keepsBack($0, on: environment.device.role) })
        snapshot.entries = selection.entries
        snapshot.omitted = selection.omitted
        (snapshot.omittedCounter, snapshot.omitsMore) = (selection.omittedCounter, selection.omitsMore)
        if !selection.omittedVersions.isEmpty { snapshot.omittedVersions.merge(selection.omittedVersions) { $1 } }
        // Settled is what this counterpart has, not what another one has, or an earlier installation. Said too seldom it only costs a round.
        let epoch = receiver(of: installation)
        var hasSettled = false
        for (name, entry) in selection.entries where entry.isSettled {
            hasSettled = true
            if !ledger.isHeld(name, by: epoch) { snapshot.entries[name]?.isSettled = false }
        }
        if let accepted, accepted.saysTheSame(as: snapshot) { snapshot.content = accepted.content }
        return SyncDraft(
            snapshot: snapshot, didNotFit: selection.didNotFit, cut: selection.cut, byteCount: selection.byteCount,
            room: remaining, canBeChanged: selection.isWhole && !hasSettled)
    }

    /// Whether the counterpart has acknowledged a version without having taken it, since its process did not know the name.
    private func isLacking(_ entry: SyncEntry, of name: String) -> Bool {
        guard let counterpart = conversation.counterpart, counterpart.acknowledged?.lacksNames == true else { return false }
        return !SyncMerge.covers(counterpart.entries, name, entry)
    }

    /// The versions that another device has and this one does not: a third one is to count above them as well. As many as have room.
    func versionsToPassOn(_ installation: SyncInstallation, fitting byteCount: Int) -> [String: SyncSnapshot.OmittedVersion] {
        var versions: [String: SyncSnapshot.OmittedVersion] = [:]
        guard !installation.missed.isEmpty else { return versions }
        var remaining = byteCount
        for (name, counter) in installation.missed.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            guard let item = outbox.items[name], item.outgoing?.stamp.isBefore(counter) ?? true else { continue }
            let version = SyncSnapshot.OmittedVersion(
                stamp: SyncStamp(counter: counter, device: ""), schemaVersion: installation.awaitedForm(of: name) ?? 1)
            remaining -= version.maximumByteCount(under: name)
            if remaining >= 0 { versions[name] = version }
        }
        return versions
    }

    func emptySnapshot(for installation: SyncInstallation) -> SyncSnapshot {
        SyncSnapshot(
            device: environment.device.identifier, epoch: installation.epoch, sequence: 0, content: 0,
            acknowledged: installation.acknowledgement, entries: [:])
    }

    /// The installation of the counterpart that a snapshot is for, as far as is known.
    func receiver(of installation: SyncInstallation) -> String? {
        conversation.counterpart?.epoch ?? installation.acknowledgement?.epoch
    }

    private func facts(
        _ snapshot: SyncSnapshot, accepted: SyncSnapshot?, _ installation: SyncInstallation
    ) -> SyncPlan.Facts {
        SyncPlan.Facts(
            entries: snapshot.entries, omitted: snapshot.omittedVersions, accepted: accepted, counterpart: conversation.counterpart,
            acknowledgement: installation.acknowledgement,
            isCounterpartNew: conversation.isCounterpartNew, displaced: conversation.displaced)
    }

    /// What the session holds of this installation. Read again where the app put another context in its place.
    func acceptedSnapshot(in context: [String: Any], epoch: String) -> SyncSnapshot? {
        acceptedSnapshot(context[SyncSnapshot.entryKey], epoch: epoch)
    }

    /// - Parameter entry: What the session holds under LocalData's name.
    private func acceptedSnapshot(_ entry: Any?, epoch: String) -> SyncSnapshot? {
        if holdsAccepted(entry, epoch: epoch) { return conversation.accepted }
        guard let entry, let snapshot = try? SyncSnapshot(in: [SyncSnapshot.entryKey: entry]), snapshot.epoch == epoch else { return nil }
        conversation.remember(accepted: snapshot)
        return snapshot
    }

    /// Whether the session still holds what this process remembers.
    private func holdsAccepted(_ entry: Any?, epoch: String) -> Bool {
        guard let entry = entry as? [String: Any], let sequence = entry["sequence"],
            case .integer(let held)? = PropertyListValue(propertyList: sequence), let known = UInt64(exactly: held)
        else { return false }
        return entry["epoch"] as? String == epoch && conversation.isAccepted(epoch: epoch, sequence: known)
    }

    /// What the session holds of this installation, as long as this process has not taken back from it what was lost.
    /// - Returns: Also whether this process has not looked at it before.
    func sentByEarlierProcess() throws -> (sent: SyncSnapshot, isFirstLook: Bool)? {
        guard !hasLookedBack else { return takeSentAndKnownByNow().map { ($0, false) } }
        guard obstacle != .sessionNotSupported, WCSession.default.activationState == .activated else { return nil }
        let sent = acceptedSnapshot(in: WCSession.default.applicationContext, epoch: try ledger.installation().epoch)
        if sent == nil {
            hasLookedBack = true
            ledger.endRemovedUnseen()
        }
        return sent.map { ($0, true) }
    }

    /// Whether it was not looked yet at what an earlier process sent of a key.
    func isYetToLookBack(at name: String) -> Bool { !hasLookedBack || sentAndUnknown?.entries[name] != nil }

    /// What an earlier process sent was taken back where it was lost.
    func lookedBack(at sent: SyncSnapshot) {
        hasLookedBack = true
        var rest = sent
        rest.entries = sent.entries.filter { ledger.receivingKey($0.key) == nil }
        sentAndUnknown = rest.entries.isEmpty ? nil : rest
    }

    /// What an earlier process sent under names that this one has come to know since it looked back.
    private func takeSentAndKnownByNow() -> SyncSnapshot? {
        guard let rest = sentAndUnknown else { return nil }
        var known = rest
        known.entries = rest.entries.filter { ledger.receivingKey($0.key) != nil }
        guard !known.entries.isEmpty else { return nil }
        lookedBack(at: rest)
        return known
    }

    private func remember(_ error: any Error) -> StorageError {
        var problem = SyncLedger.storageError(error).at(operation: "sync")
        if let refused = error as? WCError {
            let code = refused.code.rawValue
            refusal = code
            problem = StorageError(.inputOutput, operation: "sync", facts: ["WCError \(code): \(refused.localizedDescription)"])
        }
        lastError = problem
        return problem
    }
}

// MARK: Receiving

extension SyncHelper {
    /// Whether a snapshot is older than what was already applied, and to be ignored.
    /// - Throws: ``StorageError/Code/invalidSnapshot`` for what this device sent itself: then the app mixed up two contexts (W45).
    func isOutdated(_ snapshot: SyncSnapshot) throws -> Bool {
        let installation = try ledger.installation()
        guard snapshot.epoch != installation.epoch else {
            throw StorageError(
                .invalidSnapshot, operation: "sync",
                facts: ["it is this device's own; pass on receivedApplicationContext, not applicationContext"])
        }
        if let seen = snapshot.acknowledged, seen.epoch == installation.epoch, try ledger.skipSequences(through: seen.sequence) {
            conversation.isBehind()
        }
        return installation.isOutdated(snapshot)
    }

    /// Remembers what the counterpart holds. Only a snapshot of which nothing had to be put off is acknowledged.
    func finishApplying(_ snapshot: SyncSnapshot, isComplete: Bool, unknownKeys: [String]) throws {
        conversation.heard(snapshot)
        forgetRepeatedRemovals(missingFrom: snapshot)
        self.unknownKeys = unknownKeys
        if isComplete { try ledger.updateInstallation { $0.note(snapshot, lacksNames: !unknownKeys.isEmpty) } }
    }

    /// What an outdated snapshot holds of the names that the later one had to leave out: nothing newer was said of them. Sorted by name.
    func leftOut(by snapshot: SyncSnapshot) -> [(name: String, entry: SyncEntry)] {
        guard let counterpart = conversation.counterpart, counterpart.epoch == snapshot.epoch, counterpart.sequence > snapshot.sequence
        else { return [] }
        return counterpart.omitted.compactMap { name in snapshot.entries[name].map { (name, $0) } }
    }

    /// Whether a later snapshot of the same counterpart, which overtook this one, has told that the value was removed there.
    func hasHeardRemoval(of entry: SyncEntry, named name: String, after snapshot: SyncSnapshot) -> Bool {
        guard let counterpart = conversation.counterpart, counterpart.epoch == snapshot.epoch, counterpart.sequence > snapshot.sequence,
            let later = counterpart.entries[name]
        else { return false }
        return later.isDeletion && entry.stamp < later.stamp
    }

    /// The counterpart is known to hold a version that its latest snapshot left out.
    func noteLeftOut(_ entry: SyncEntry, of name: String) {
        conversation.has(entry, of: name)
    }

    /// Sends what the counterpart lacks, once. Whether that succeeds is no matter of the snapshot that was applied.
    func answer(to snapshot: SyncSnapshot) {
        _ = try? send(.applied(meets: !conversation.hasAnswered(snapshot.epoch)))
    }

    /// Tells the counterpart that its snapshots count as outdated although one has something newer than this device: its numbers went back, or
    /// somebody claimed a later one in its name. It then goes on above that. Sent where the session does not say so yet.
    func answerOutdated(_ snapshot: SyncSnapshot) throws {
        let hasNews = snapshot.entries.contains { name, entry in outbox.current(name).map { $0.stamp < entry.stamp } ?? false }
        guard hasNews, let due = try ledger.installation().counterpart(snapshot.epoch) else { return }
        // Another may have been heard since: a context that an installation before this one left in the session is read again.
        try ledger.updateInstallation { installation in
            installation.counterparts.removeAll { $0.epoch == due.epoch }
            installation.counterparts.append(due)
        }
        if conversation.accepted?.acknowledged != due { _ = try? send(.request, isForced: true) }
    }

    func note(_ error: StorageError) { lastError = error }

    /// The session is with another counterpart from its next activation on.
    func forgetCounterpart() {
        conversation.forgetCounterpart()
    }
}
