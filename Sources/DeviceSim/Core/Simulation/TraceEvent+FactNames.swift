extension TraceEvent.Fact {
    /// The names of all facts that events have, so that an expectation of one that no event has is refused: with a misspelled name it would hold always, or never.
    package static let names: Set<String> = [
        "action", "asExpected", "because", "by", "bytes", "call", "change", "code", "complication", "deletions", "due", "effect",
        "encrypted", "error", "findings", "for", "found", "from", "isCompanionAppInstalled", "isComplicationEnabled", "isFirst",
        "isInSmartStack", "isOnFace", "isPaired", "isReachable", "isWatchAppInstalled", "kept", "keptOfGroups", "key", "keyPath", "keys",
        "kind", "leftOut", "limit", "line", "locks", "member", "method", "name", "needless", "number", "old", "omitted", "only",
        "operation", "origin", "orphaned", "place", "reason", "resealed", "retired", "run", "sameDevice", "sequence", "skew", "spent",
        "stuck", "to", "underWay", "version", "wantsReply", "watch", "what", "while",
    ]
}
