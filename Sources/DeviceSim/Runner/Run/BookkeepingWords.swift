/// The words that LocalData itself writes down beside values, in its records, notes and lists: names of their fields, and what these can say. They say nothing
/// of a value, so a value that is a part of one cannot be looked for.
enum BookkeepingWords {
    static let all: [String] = [
        // Fields.
        "absolute", "appVersion", "awaited", "awaitedForms", "base", "cleared", "committed", "container", "content", "counter",
        "counterparts", "decoy",
        "destination",
        "device", "directory", "edit", "edits", "epoch", "floor", "floors", "form", "former", "group", "groupDirectory", "highest",
        "holders", "inherited", "key",
        "kind", "lacksNames", "lacksSome", "location", "mark", "missed", "moved", "name", "note", "omitted", "omittedVersions", "others",
        "path",
        "pending",
        "places", "policies", "process", "reduced", "removed", "reserved", "revision", "schema", "seen", "sequence", "service", "settled",
        "sources",
        "state", "suite", "unclaimed", "unclaimedAt", "unseen", "uptime",
        "version",
        // What they can say.
        "automaticSmall", "boot", "declared", "defaults", "deleted", "documents", "caches", "elsewhere", "false", "file", "keychain",
        "lost", "manual", "never", "none", "outside",
        "phone", "session", "standard", "sometimes", "true", "value", "watch", "watch2", "within",
        // Names of places.
        "com.localdata.choices", "com.localdata.edit", "com.localdata.keys", "com.localdata.replaced", "com.localdata.rotation",
        "com.localdata.schema",
        "com.localdata.sync",
        "com.localdata.value", "com.localdata.version", "com.localdata.witness", "primary",
        // How an envelope begins.
        "com.localdata.envelope.1.aes-256-gcm", "com.localdata.envelope.1.chacha20-poly1305",
    ]

    /// Whether a text is a part of one of them.
    static func hold(_ text: String) -> Bool { all.contains { $0.contains(text) } }
}
