/// What people get wrong who keep and sync values by code of their own. Each case is one mistake; ``HandmadeApp`` without one is right.
package enum HandmadeMistake: String, CaseIterable, Sendable {
    // What is stored
    /// The file's bytes are not synced before the rename.
    case noFileSync
    /// The directory is not synced after the rename.
    case noDirectorySync
    /// The old file is removed before the new one is written.
    case deletesBeforeWriting
    /// The file is written in place.
    case writesInPlace
    /// Any error of a read counts as "nothing there", and the next write makes a new file.
    case errorIsEmpty
    /// A change reads, lets others run, and writes what it read.
    case lostUpdate
    /// Values and their versions are two files, written one after the other.
    case versionsApart
    /// Values are read once and kept in memory, whatever the counterpart sends.
    case staleCache

    // What is sent
    /// Each change sends a context with its own entry alone (P2).
    case contextForEachKey
    /// Changes go by message while the counterpart is reachable, and nowhere else (P8, P10).
    case sendsByMessageAlone
    /// Changes are queued as user infos, and applied as they come (P6).
    case queuesChanges
    /// What could not be sent at once is never sent.
    case neverResends
    /// The context is answered with a context.
    case answersContexts
    /// A picture is sent with every value (P15).
    case sendsPictures
    /// A deletion is sent as null (P14).
    case sendsNull
    /// What stays on the device by its declaration is sent with the rest.
    case sendsEverything
    /// Launching writes every value again, as if it were new.
    case restampsAtLaunch

    // What is made of what was sent
    /// The context that comes last wins: there are no versions.
    case lastArrivalWins
    /// Versions are times of the wall clock (P23).
    case wallClockVersions
    /// Versions are counted from the milliseconds of the installation, as an `Int`, which has 32 bits on some watches.
    case wideVersions
    /// A removal forgets the value and says nothing to the counterpart.
    case forgetsDeletions
    /// A deletion is forgotten as soon as it was handed to the session.
    case prunesDeletionsEarly
    /// What the counterpart does not mention is deleted.
    case absentIsDeleted
    /// A context is noted as seen before its values are stored.
    case notesBeforeStoring
    /// Entries are stored one after the other, and the context is noted as seen with the first.
    case storesHalf
    /// At launch the app looks at the context that it sent instead of the one it received (P17), and delegates' calls find nobody (P7).
    case readsSentContext

    // What an earlier version left
    /// The old value is deleted before the new one is stored.
    case migratesByDeletingFirst
    /// The old value is never deleted.
    case leavesMigrationSource
    /// The old value is stored over a newer one.
    case migratesOverNewer
    /// Others run between the look for a newer value and the storing of the old one.
    case migratesInTwoTurns
}
