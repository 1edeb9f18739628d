import DeviceSim

extension HandmadeMistake {
    /// What is wrong, and where it was seen.
    var sentence: String {
        switch self {
        case .noFileSync: "a file is renamed before its bytes are synced"
        case .noDirectorySync: "the directory is not synced after the rename"
        case .deletesBeforeWriting: "the old file is deleted before the new one is there"
        case .writesInPlace: "the file is written in place"
        case .errorIsEmpty: "a read that fails counts as an empty file"
        case .lostUpdate: "two changes read the same file, and the second writes over the first (re-entrant code)"
        case .versionsApart: "a value and its version are two writes"
        case .staleCache: "a cache in memory is not told of the counterpart's change"
        case .contextForEachKey: "each value has a context of its own, which replaces the others' (P2)"
        case .sendsByMessageAlone: "values go by message, if the counterpart happens to be reachable (P8, P10)"
        case .queuesChanges: "changes are queued, and applied in the order of their arrival (P6)"
        case .neverResends: "what could not be sent is not sent again (P8, P13)"
        case .answersContexts: "a received context is answered with a context, and so on (echo)"
        case .sendsPictures: "pictures make the context too large (P15)"
        case .sendsNull: "a deletion is sent as null (P14)"
        case .sendsEverything: "values that stay on their device are sent with the others"
        case .restampsAtLaunch: "every launch saves what it finds as if it were new"
        case .lastArrivalWins: "versions are left out: whatever arrives last wins"
        case .wallClockVersions: "versions are times of two clocks (P23)"
        case .wideVersions: "versions are large numbers in an Int, which has 32 bits on some watches"
        case .forgetsDeletions: "a deletion leaves no trace, so the counterpart's copy returns"
        case .prunesDeletionsEarly: "a deletion is forgotten once it was handed to the session"
        case .absentIsDeleted: "what the counterpart does not mention is deleted"
        case .notesBeforeStoring: "a context counts as seen before its values are stored"
        case .storesHalf: "a context is stored entry by entry, and counts as seen with the first"
        case .readsSentContext: "the context that was sent is taken for the one received (P17)"
        case .migratesByDeletingFirst: "a migration deletes the old value before it stores the new one"
        case .leavesMigrationSource: "a migration leaves the old value behind"
        case .migratesOverNewer: "a migration that runs again stores the old value over a newer one"
        case .migratesInTwoTurns: "a value that is set while a migration runs is overwritten by it (re-entrant code)"
        }
    }

    /// The invariants that it breaks.
    var breaks: Set<Invariant> {
        switch self {
        case .noFileSync, .noDirectorySync, .deletesBeforeWriting, .writesInPlace, .errorIsEmpty:
            [.durability, .removal, .explanation, .absence, .convergence]
        case .lostUpdate, .migratesByDeletingFirst: [.durability, .convergence, .removal, .linearizability]
        case .migratesOverNewer: [.durability, .convergence, .removal, .migration]
        case .versionsApart: [.durability, .convergence, .removal]
        case .staleCache: [.durability, .convergence, .removal]
        case .contextForEachKey, .sendsByMessageAlone, .queuesChanges, .neverResends, .readsSentContext, .restampsAtLaunch,
            .wallClockVersions, .wideVersions,
            .notesBeforeStoring, .storesHalf:
            [.convergence, .removal, .durability]
        case .answersContexts: [.quiet]
        case .sendsPictures, .sendsNull: [.limits]
        case .sendsEverything: [.confinement]
        case .lastArrivalWins, .absentIsDeleted: [.convergence, .durability, .removal]
        case .forgetsDeletions, .prunesDeletionsEarly: [.removal, .convergence]
        case .leavesMigrationSource: [.migration, .removal, .durability, .convergence]
        case .migratesInTwoTurns: [.linearizability, .durability, .removal]
        }
    }

    /// Whether a few dozen runs show it.
    var isQuick: Bool {
        switch self {
        case .wideVersions, .errorIsEmpty, .versionsApart, .staleCache, .storesHalf, .notesBeforeStoring, .migratesOverNewer,
            .migratesInTwoTurns, .writesInPlace, .deletesBeforeWriting, .sendsPictures, .noFileSync, .noDirectorySync,
            .migratesByDeletingFirst:
            false
        default: true
        }
    }
}
