import LocalData

@testable import DeviceSim

/// Apps that use LocalData wrongly, and LocalData on storage that does not do what it says.
extension Specimen {
    private static func files(_ world: String = "files") -> ExplorationWorld {
        ExplorationWorld(
            specimen: world,
            """
            key volume: Int
                domain    fileSystem documents
                security  none
                sync      automaticSmall
            key note: String
                domain  encryptedFileSystem documents
                sync    automaticSmall
            key place: String
                domain  fileSystem documents
            key token: String
                domain    keychain
                security  keychain afterFirstUnlock
                sync      automaticSmall
            key theme: String
                security  none
                sync      automaticSmall
            """)
    }

    static let localData: [Specimen] = [
        app("ignores contexts", .ignoresContexts, shows: [.convergence]),
        app("ignores contexts in background", .ignoresContextsInBackground, shows: [.convergence]),
        app("drops deletions", .dropsDeletions, shows: [.convergence, .removal]),
        app("writes plaintext", .writesPlaintext, shows: [.secrecy]),
        app("reads its own copy", .readsOwnCopy, shows: [.durability]),
        app("stale cache", .staleCache, shows: [.durability]),
        app("error is absent", .errorIsAbsent, shows: [.absence]),
        app("regenerates", .regenerates, shows: [.durability]),
        app("sends everything", .sendsEverything, shows: [.confinement]),
        app("removes before setting", .removesBeforeSetting, shows: [.durability]),
        app("swallows errors", .swallowsErrors, shows: [.durability]),
        app("removes later", .removesLater, shows: [.removal]),
        app("sets in a task", .setsInTask, shows: [.durability]),
        storage("no file sync", shows: [.durability]) {
            $0.fileSystem = ForgetfulFileSystem(base: $0.fileSystem, flaw: .fileSync)
        },
        storage("no directory sync", shows: [.durability, .removal, .convergence]) {
            $0.fileSystem = ForgetfulFileSystem(base: $0.fileSystem, flaw: .directorySync)
        },
        storage("keychain deletes, then adds", shows: [.durability]) {
            $0.keychain = CarelessKeychain($0.keychain, .deleteThenAdd)
        },
        storage("locked keychain is empty", shows: [.explanation]) {
            $0.keychain = CarelessKeychain($0.keychain, .lockedIsAbsent)
        },
    ]

    private static func app(_ name: String, _ mistake: CarelessApp.Mistake, shows: Set<Promise>) -> Specimen {
        var options = RunOptions()
        options.makeConfiguredApp = { CarelessApp(behaviour: $1, mistake: mistake) }
        return Specimen(name: "LocalData: \(name)", shows: shows, world: files(), runs: 3_000, bad: options, right: RunOptions())
    }

    private static func storage(
        _ name: String, shows: Set<Promise>, _ change: @escaping @Sendable (inout StorageEnvironment) -> Void
    ) -> Specimen {
        var options = RunOptions()
        options.adaptEnvironment = { _, environment in
            var changed = environment
            change(&changed)
            return changed
        }
        return Specimen(name: "storage: \(name)", shows: shows, world: files(), runs: 3_000, bad: options, right: RunOptions())
    }
}
