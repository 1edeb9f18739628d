import Foundation

/// Old master keys that a retirement found unneeded, and that wait until the system has written the preferences.
///
/// Preferences are written to the disk in the system's own time; nowhere does Apple say that they survive a power loss after `synchronize`. What was
/// sealed anew there may so be sealed by the old key again, and a deleted key does not come back. So a key is noted first, and goes when a later process
/// finds no need of it either, a minute after that or after a restart, as ``MovedValues/isSettled(_:copiedFrom:isNew:at:)`` has it. A process that
/// replaces an envelope of the key in preferences takes the note away: a power loss may bring that envelope back. It says so in the suite as well, where the app
/// sees what its extension has done, and where there is room when the disk is full. A power loss takes that mark with what replaced the envelope, and no other
/// way.
/// - Note: `@unchecked Sendable`: the state, and the file, are only touched under the lock.
final class UnneededKeys: @unchecked Sendable {
    /// In LocalData's folder. A stored format.
    static let file = "Keys/Unneeded.json"
    /// In a suite. The same format.
    static let mark = KeyRules.reservedPrefix + "replaced"
    /// In seconds. What is published of the system's writing speaks of less than ten.
    static let settlingTime: Int64 = 60

    private let environment: StorageEnvironment
    private let files: FileStorageHelper
    private let process: ProcessName
    private let lock = NSLock()
    /// The keys whose envelopes this process has replaced in preferences since it last noted them.
    private var replaced: Set<String> = []

    init(environment: StorageEnvironment, files: FileStorageHelper, process: ProcessName) {
        self.environment = environment
        self.files = files
        self.process = process
    }

    /// An envelope of the key is about to be replaced or removed in preferences. Never in the way of that: where the note cannot be taken away, this
    /// process still knows.
    /// - Parameter suite: Where that is, if the key may be an old one.
    func willReplaceEnvelope(of id: String, leavingMarkIn suite: DefaultsSuite?) {
        lock.withLock {
            if let suite { try? mark(id, in: suite) }
            guard replaced.insert(id).inserted, var notes = try? stored(), notes.keys.removeValue(forKey: id) != nil else { return }
            try? store(notes)
        }
    }

    private func mark(_ id: String, in suite: DefaultsSuite) throws {
        var marks = try marks(in: suite)
        marks.keys[id] = UnneededKeyNotes.Note(process: try process.drawn(from: environment.entropy), uptime: uptime)
        try setMarks(marks, in: suite)
    }

    private func marks(in suite: DefaultsSuite) throws -> UnneededKeyNotes {
        guard case .string(let text)? = try environment.defaults.value(forKey: Self.mark, in: suite) else {
            return UnneededKeyNotes(keys: [:])
        }
        return UnneededKeyNotes(encoded: Data(text.utf8)) ?? UnneededKeyNotes(keys: [:])
    }

    private func setMarks(_ marks: UnneededKeyNotes, in suite: DefaultsSuite) throws {
        let text = marks.keys.isEmpty ? nil : String(decoding: try Coders.jsonEncoder.encode(marks), as: UTF8.self)
        try environment.defaults.set(text.map { .string($0) }, forKey: Self.mark, in: suite)
    }

    /// Which of the keys may go. Notes the others, and forgets all that are not among them.
    /// - Parameters:
    ///   - ids: The old keys that nothing needs.
    ///   - mayBeInPreferences: Whether what they sealed may have been in preferences.
    ///   - suites: Where that may have been.
    func settled(_ ids: [String], mayBeInPreferences: Bool, suites: [DefaultsSuite]) throws -> Set<String> {
        try lock.withLock {
            let notes = try stored()
            var kept = UnneededKeyNotes(keys: notes.keys.filter { ids.contains($0.key) })
            var settled: Set<String> = []
            for id in ids {
                if try isSettled(id, in: notes, mayBeInPreferences: mayBeInPreferences, suites: suites) {
                    settled.insert(id)
                } else if replaced.contains(id) || kept.keys[id] == nil {
                    let name = try process.drawn(from: environment.entropy)
                    kept.keys[id] = UnneededKeyNotes.Note(process: name, uptime: uptime)
                }
            }
            try store(kept, insteadOf: notes)
            replaced.subtract(ids)
            return settled
        }
    }

    /// As ``settled(_:mayBeInPreferences:suites:)``, for one key, and notes nothing.
    func isSettled(_ id: String, mayBeInPreferences: Bool, suites: [DefaultsSuite]) throws -> Bool {
        try lock.withLock { try isSettled(id, in: try stored(), mayBeInPreferences: mayBeInPreferences, suites: suites) }
    }

    /// The keys are gone.
    func forget(_ ids: Set<String>, in suites: [DefaultsSuite]) throws {
        try lock.withLock {
            let notes = try stored()
            try store(notes.forgetting(ids), insteadOf: notes)
            for suite in suites {
                let marks = try marks(in: suite)
                if marks != marks.forgetting(ids) { try setMarks(marks.forgetting(ids), in: suite) }
            }
        }
    }

    private func isSettled(_ id: String, in notes: UnneededKeyNotes, mayBeInPreferences: Bool, suites: [DefaultsSuite]) throws -> Bool {
        guard !replaced.contains(id) else { return false }
        for suite in suites {
            if let mark = try marks(in: suite).keys[id], !isSettled(mark) { return false }
        }
        return notes.keys[id].map(isSettled) ?? !mayBeInPreferences
    }

    private func isSettled(_ note: UnneededKeyNotes.Note) -> Bool {
        guard note.process != process.text else { return false }
        guard let uptime, let then = note.uptime else { return true }
        return SystemUptime.hasPassed(Self.settlingTime, since: then, at: uptime)
    }

    private var uptime: Int64? { environment.clock.uptime.map { Int64($0) } }

    private func stored() throws -> UnneededKeyNotes {
        try files.readInternal(name: Self.file).flatMap(UnneededKeyNotes.init(encoded:)) ?? UnneededKeyNotes(keys: [:])
    }

    private func store(_ notes: UnneededKeyNotes, insteadOf earlier: UnneededKeyNotes) throws {
        if notes != earlier { try store(notes) }
    }

    private func store(_ notes: UnneededKeyNotes) throws {
        if notes.keys.isEmpty { return try files.removeInternal(name: Self.file) }
        try files.writeInternal(try Coders.jsonEncoder.encode(notes), name: Self.file)
    }
}

/// What ``UnneededKeys/file`` says.
struct UnneededKeyNotes: Codable, Sendable, Hashable {
    struct Note: Codable, Sendable, Hashable {
        /// Who found no need of the key, a random text for each process.
        let process: String
        /// When, in seconds since the device was switched on; `nil` where that is not known.
        let uptime: Int64?
    }

    static let formatVersion: Int64 = 1

    var version = UnneededKeyNotes.formatVersion
    /// By the ids of the keys.
    var keys: [String: Note]

    init(keys: [String: Note]) { self.keys = keys }

    func forgetting(_ ids: Set<String>) -> UnneededKeyNotes { UnneededKeyNotes(keys: keys.filter { !ids.contains($0.key) }) }

    /// `nil` for a damaged file, and for one of another version: then nothing is known, and every key waits again.
    init?(encoded data: Data) {
        guard let notes = try? Coders.jsonDecoder.decode(Self.self, from: data), notes.version == Self.formatVersion else { return nil }
        self = notes
    }
}

/// The master keys that this process has retired or is about to: noted before their envelopes are looked for, so that a value that is
/// sealed by one and stored while nobody looked is sealed anew by whoever stores it.
/// - Note: `@unchecked Sendable`: the state is only touched under the lock.
final class RetiredKeys: @unchecked Sendable {
    private let lock = NSLock()
    private var ids: Set<String> = []

    func insert(_ id: String) { lock.withLock { _ = ids.insert(id) } }

    func remove(_ id: String) { lock.withLock { _ = ids.remove(id) } }

    var isEmpty: Bool { lock.withLock { ids.isEmpty } }

    /// Whether one of them seals an envelope.
    func seal(_ envelope: Data) -> Bool {
        guard !isEmpty, case .master(let id)? = (try? EnvelopePrefix(parsing: envelope))?.header.keySource else { return false }
        return lock.withLock { ids.contains(id) }
    }
}
