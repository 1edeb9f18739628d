import Foundation

/// When a value in preferences is safe enough for its migration to delete what it was made of.
///
/// Preferences are written to the disk by the system, in its own time. `synchronize` waits for pending updates; nowhere does Apple say that they survive a
/// power loss then. So the sources go only when a later process has seen the value, and a minute after an earlier one, or a restart: by then the system
/// has written it. Until that the plan says `interrupted`, and everything that is there is there twice.
extension StorageRouter {
    /// In seconds. What is published of the system's writing speaks of less than ten.
    private static let settlingTime: Int64 = 60

    /// Whether the destination's value outlives a power loss, as far as its sources are concerned. Notes that it was seen, where that is not so yet.
    /// - Parameters:
    ///   - held: The sources that hold a value.
    ///   - isNew: Whether it was stored just now.
    nonisolated func isSettled(
        _ destination: any StorageKey, copiedFrom held: [any StorageKey], isNew: Bool, at location: StorageLocation
    ) throws -> Bool {
        guard case .defaults = destination.place else { return true }
        // A power loss takes the last sets of a suite, in their order: the deletion before the copy. With several sources a mark is in the play, a file.
        if held.count == 1, held.allSatisfy({ $0.place == destination.place }) { return true }
        let uptime = environment.clock.uptime.map { Int64($0) }
        if !isNew, let data = try readMark(.seen, at: location), let mark = try? Coders.jsonDecoder.decode(MigrationMark.self, from: data) {
            guard mark.process != processName.text else { return false }
            guard let uptime, let then = mark.uptime else { return true }
            return uptime < then || uptime - then >= Self.settlingTime
        }
        let identity = try location.recordIdentity(in: environment)
        var mark = MigrationMark(.seen, location: identity)
        mark.process = try processName.drawn(from: environment.entropy)
        mark.uptime = uptime
        try writeMark(mark, at: identity)
        return false
    }

    /// Deletes what sources in preferences were made of, as parts of a chain: it waited for them to settle, and the chain's end has the value now.
    nonisolated func discardWhatWaited(behind sources: [AnyStorageKey], context: MigrationContext) async throws {
        for source in sources.map(\.base) {
            guard case .defaults = source.place, let migration = source.migration?.base else { continue }
            let location = try StorageLocation(of: source)
            guard !isMigrating(into: location), mayHaveMark(.seen, at: location), try hasMark(.seen, at: location) else { continue }
            let waiting = (migration as? any PlannedMigration)?.clearableSources(in: context) ?? []
            for key in waiting.map(\.base) {
                let place = try StorageLocation(of: key)
                try await run(at: place) {
                    guard try self.isStored(key) else { return }
                    try self.markMoved(place, to: location)
                    try self.takeAway(key, origin: .migration)
                    self.sync.ledger.noteMovedAway(key, to: source)
                }
            }
            try forgetSeen(source, at: location)
            try await discardWhatWaited(behind: waiting, context: context)
        }
    }

    /// The migration is done, or its value was removed: what was seen before says nothing of a later one.
    nonisolated func forgetSeen(_ destination: any StorageKey, at location: StorageLocation) throws {
        guard case .defaults = destination.place, mayHaveMark(.seen, at: location) else { return }
        try removeMark(.seen, at: location)
    }
}

/// Tells this process from earlier ones. Drawn when it is needed.
/// - Note: `@unchecked Sendable`: the state is only touched under the lock.
final class ProcessName: @unchecked Sendable {
    private let lock = NSLock()
    private var name: String?

    /// `nil` where none was drawn yet: then nothing is named so.
    var text: String? { lock.withLock { name } }

    func drawn(from entropy: any EntropySource) throws -> String {
        if let text { return text }
        let drawn = TemporaryFile.hexadecimal(try entropy.bytes(8))
        return lock.withLock {
            name = name ?? drawn
            return name ?? drawn
        }
    }
}
