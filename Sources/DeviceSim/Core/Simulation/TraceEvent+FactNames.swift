extension TraceEvent.Fact {
    /// The names of all facts that events have, those of what the simulated frameworks log among them.
    ///
    /// An expectation of a fact that no event has is refused: with a misspelled name it would hold always, or never.
    package static let names: Set<String> = [
        "action", "asExpected", "because", "budget", "by", "bytes", "call", "category", "change", "code",
        "complication", "deletions", "due", "effect", "encrypted", "error", "failed", "findings", "for", "found",
        "from", "haptic", "in", "intensity", "isCompanionAppInstalled", "isComplicationEnabled", "isFirst",
        "isInSmartStack", "isOnFace", "isPaired", "isReachable", "isWatchAppInstalled", "kept",
        "keptOfGroups", "key", "keyPath", "keys", "kind", "leftOut", "level", "limit", "line", "locks",
        "member", "method", "name", "needless", "number", "old", "omitted", "only", "operation", "origin",
        "orphaned", "place", "reason", "resealed", "retired", "run", "sameDevice", "sequence", "skew",
        "spent", "stuck", "subsystem", "success", "task", "text", "to", "underWay", "value", "version",
        "wantsReply", "watch", "what", "while",
    ]
}
