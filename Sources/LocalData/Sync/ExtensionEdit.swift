import Foundation

/// What an extension leaves beside a value that it set where its app has it too: that it was an edit, and which one.
///
/// A value may have moved away, and back, or be set to what it was before: only this tells what an extension sets from what was left, or what a power loss
/// brings back. Of a synced value the versions are the app's to give, and the record of the last one may be gone.
///
/// In preferences of an App Group it lies beside the value, and is set before that, so a power loss never leaves the value alone. The app takes it away once it
/// has given the edit a version, and no mark of a migration asks for it any more. The stored form is one line of JSON with sorted keys, pinned by a test. In a file it is a part of the ``SyncFileNote``, and of a
/// secret it is the tag (see ``SyncRevision``): there it stays as long as the value, and the record tells which edit it is of (``SyncRecord/edit``).
/// Earlier versions of LocalData know nothing of it.
struct ExtensionEdit: Sendable, Hashable {
    static let prefix = KeyRules.reservedPrefix + "edit."
    static let formatVersion: Int64 = 1
    static let identifierLength = 8

    /// Random. Where a power loss brings the edit back after the app gave it a version, that is still its version.
    let identifier: String
    /// The revision of the value (see ``SyncRevision``). Another value was set since, or never came.
    let revision: Data
    /// The edit that lay there when this one was noted: where its value is still there, this one's never came.
    var before: Earlier?

    /// An edit that a later one's note took the place of.
    struct Earlier: Sendable, Hashable {
        let identifier: String
        let revision: Data
    }

    init(of revision: Data, after before: Earlier? = nil, entropy: any EntropySource) throws {
        identifier = try entropy.exactly(Self.identifierLength).hexadecimal
        self.revision = revision
        self.before = before
    }

    /// What the tag of a secret says; `nil` where no extension set it.
    init?(tag: Data) {
        guard SyncRevision.isTagOfExtension(tag) else { return nil }
        identifier = tag.prefix(Self.identifierLength).hexadecimal
        revision = tag
    }

    /// What the note of a file says; `nil` where no extension set it under that name.
    init?(_ note: SyncFileNote, of keyName: String) {
        guard let edit = note.edit, edit.utf8.count == 2 * Self.identifierLength, note.keyName == keyName else { return nil }
        identifier = edit
        revision = note.revision
    }

    private init(_ earlier: Earlier) {
        identifier = earlier.identifier
        revision = earlier.revision
    }

    /// The edit that set the value of that revision; `nil` where neither this one did nor the one before it.
    func edit(finding found: Data) -> ExtensionEdit? {
        if revision == found { return self }
        return before.flatMap { $0.revision == found ? ExtensionEdit($0) : nil }
    }

    var encoded: String {
        var text = CanonicalJSONWriter(capacity: 256)
        if let before {
            text.append("{\"before\":{\"content\":")
            text.append(hexadecimal: before.revision)
            text.append(",\"edit\":")
            text.append(text: before.identifier)
            text.append("},\"content\":")
        } else {
            text.append("{\"content\":")
        }
        text.append(hexadecimal: revision)
        text.append(",\"edit\":")
        text.append(text: identifier)
        text.append(",\"version\":")
        text.append(number: UInt64(Self.formatVersion))
        text.append("}")
        return String(decoding: text.bytes, as: UTF8.self)
    }

    /// `nil` for what this version of LocalData does not write: the value then counts as one that was found.
    init?(encoded text: String) {
        guard let stored = try? SyncFile.decode(Stored.self, from: Data(text.utf8), version: Self.formatVersion, what: "note of an edit"),
            let revision = Data(hexadecimal: stored.content), stored.edit.utf8.count == 2 * Self.identifierLength
        else { return nil }
        identifier = stored.edit
        self.revision = revision
        before = stored.before.flatMap { before in
            guard before.edit.utf8.count == 2 * Self.identifierLength else { return nil }
            return Data(hexadecimal: before.content).map { Earlier(identifier: before.edit, revision: $0) }
        }
    }

    private struct Stored: SyncFileContent {
        struct Before: Codable {
            var content: String
            var edit: String
        }

        var version: Int64
        var content: String
        var edit: String
        var before: Before?
    }
}

extension SyncLedger {
    /// The edit of an extension that lies at the key's place; `nil` where it is none, or not known to be one.
    func extensionEdit(of key: any StorageKey, finding revision: Data) throws -> ExtensionEdit? {
        if key.domain.isKeychain { return ExtensionEdit(tag: revision) }
        return try store.extensionEdit(of: key)?.edit(finding: revision)
    }

    /// An edit that lies at the place of a key with a record, and has no version yet. That of a secret the record does not know by its tag; of a file's the record says
    /// so itself, and goes into a backup with it.
    func newExtensionEdit(of key: any StorageKey, besides record: SyncRecord, finding revision: Data) throws -> ExtensionEdit? {
        guard !key.domain.isKeychain || !record.knows(revision), let edit = try extensionEdit(of: key, finding: revision),
            edit.identifier != record.edit, try installation().edits[key.name]?[edit.identifier] == nil
        else { return nil }
        return edit
    }

    /// The version that an edit has already; `nil` where it is to get one.
    func knownStamp(of edit: ExtensionEdit?, of name: String) throws -> SyncStamp? {
        guard let edit, let counter = try installation().edits[name]?[edit.identifier] else { return nil }
        return SyncStamp(counter: counter, device: try replica())
    }

    /// The version of what was found: the one that the edit has already, or a new one, noted durably before anything is recorded or sent of it. An edit
    /// that a power loss brings back, or whose record could not be written, then keeps its version.
    /// - Parameters:
    ///   - edit: What an extension left; `nil` for an edit of the app's own, or of nobody known.
    ///   - new: Gives the version of an edit that has none.
    /// - Throws: ``StorageError`` where that cannot be noted, such as on a full disk: the value waits, and is neither sent nor replaced.
    func stamp(of edit: ExtensionEdit?, _ key: any StorageKey, new: () throws -> SyncStamp) throws -> SyncStamp {
        if let known = try knownStamp(of: edit, of: key.name) { return known }
        let stamp = try new()
        if let edit { try note(edit, of: key, as: stamp) }
        return stamp
    }

    /// Takes away what the extension left at a place whose value was moved elsewhere. A later edit's note stays: its value may be on its way.
    func forget(_ edit: ExtensionEdit, of key: any StorageKey) {
        guard let noted = try? store.extensionEdit(of: key), noted.identifier == edit.identifier else { return }
        try? store.setExtensionEdit(nil, of: key)
    }

    private func note(_ edit: ExtensionEdit, of key: any StorageKey, as stamp: SyncStamp) throws {
        guard stamp.lineage == nil, stamp.counter > 0 else { return }
        try updateInstallation { $0.note(edit.identifier, of: key.name, as: stamp.counter) }
    }

    /// Takes away what the extension left beside a value in preferences. Called once the key's record has the edit's version. Where that is not noted and cannot be,
    /// or where marks of a migration still ask for it (``needsNote(_:)``), it stays. In files and secrets it always does.
    func settleExtensionEdit(of key: any StorageKey, finding revision: Data, as stamp: SyncStamp) {
        guard key.domain.isGroupSuite, let edit = try? extensionEdit(of: key, finding: revision) else { return }
        do {
            if try knownStamp(of: edit, of: key.name) == nil { try note(edit, of: key, as: stamp) }
            // A later edit's note stays: its value may be on its way.
            guard !needsNote(key) else { return }
            if try store.extensionEdit(of: key)?.identifier == edit.identifier { try store.setExtensionEdit(nil, of: key) }
        } catch {}
    }
}

extension SyncInstallation {
    private static let maximumEdits = 16

    /// Remembers the version that an edit of an extension was given, and those of the last few before it.
    mutating func note(_ edit: String, of name: String, as counter: UInt64) {
        var known = edits[name] ?? [:]
        known[edit] = counter
        while known.count > Self.maximumEdits, let oldest = known.min(by: { ($0.value, $0.key) < ($1.value, $1.key) }) {
            known[oldest.key] = nil
        }
        edits[name] = known
    }
}

extension SyncLedgerStore {
    /// What an extension left in preferences or in a file; that of a secret is its tag.
    func extensionEdit(of key: any StorageKey) throws -> ExtensionEdit? {
        if key.domain.mayBeFileOfGroup {
            // Taken for none while it cannot be read, the edit would be one again once it can.
            return try files.storedNote(of: files.place(of: key)).flatMap { try? SyncFileNote(encoded: $0) }
                .flatMap { ExtensionEdit($0, of: key.name) }
        }
        guard key.domain.isGroupSuite, let suite = key.domain.defaultsSuite else { return nil }
        guard case .string(let text)? = try defaults({ try environment.defaults.value(forKey: ExtensionEdit.prefix + key.name, in: suite) })
        else { return nil }
        return ExtensionEdit(encoded: text)
    }

    func setExtensionEdit(_ edit: ExtensionEdit?, of key: any StorageKey) throws {
        guard key.domain.isGroupSuite, let suite = key.domain.defaultsSuite else { return }
        try defaults {
            let name = ExtensionEdit.prefix + key.name
            // Most keys are edited by no extension: looking costs less than a set.
            guard try edit != nil || environment.defaults.value(forKey: name, in: suite) != nil else { return }
            try environment.defaults.set(edit.map { .string($0.encoded) }, forKey: name, in: suite)
        }
    }
}
