import DeviceSim
import LocalData

/// Apps that use LocalData wrongly, and LocalData on storage that does not do what it says.
extension Specimen {
    private static let world = SearchSpace(
        specimen: "LocalData",
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

    /// A text that may be too large to travel.
    private static let largeWorld = SearchSpace(
        specimen: "large values",
        """
        key essay: String
            domain    fileSystem documents
            security  none
            sync      automaticSmall
        """)

    /// A value whose form another version of the app declares otherwise, and one with a smaller form for the watch.
    private static let versionsWorld = SearchSpace(
        specimen: "two versions of an app",
        """
        key cardBefore: String
            name      "card"
            domain    fileSystem documents
            security  none
            sync      automaticSmall
            until     1.9
        key card: String
            domain    fileSystem documents
            security  none
            sync      automaticSmall
            schema    2
            since     2.0
        """)

    /// Values of keys that an update drops.
    private static let droppedWorld = SearchSpace(
        specimen: "dropped keys",
        """
        key memo: String
            domain  encryptedFileSystem documents
            until   1.9
        key slip: String
            domain    fileSystem documents
            security  none
            sync      automaticSmall
            until     1.9
        key place: String
            domain  fileSystem documents
        """)

    /// Values that another version of the app secures otherwise.
    private static let policiesWorld = SearchSpace(
        specimen: "policies",
        """
        key noteBefore: String
            name      "note"
            domain    fileSystem documents
            security  none
            sync      automaticSmall
            until     1.9
        key note: String
            name      "note"
            domain    fileSystem documents
            formerly  none
            sync      automaticSmall
            since     2.0
        key vaultBefore: String
            name      "vault"
            domain    keychain
            security  keychain whenUnlocked
            until     1.9
        key vault: String
            name      "vault"
            domain    keychain
            security  keychain afterFirstUnlock
            since     2.0
        """)

    /// Values that stay on their device, until somebody wants otherwise.
    private static let choicesWorld = SearchSpace(
        specimen: "choices",
        """
        key place: String
            domain  fileSystem documents
        key draft: String
            security  none
        """)

    /// A secret that an app may have stored before it used LocalData.
    private static let foreignWorld = SearchSpace(
        specimen: "foreign items",
        """
        key token: String
            domain    keychain
            security  keychain afterFirstUnlock
            sync      automaticSmall
        """)

    private static let formsWorld = SearchSpace(
        specimen: "smaller forms",
        """
        key photo: String
            domain      fileSystem documents
            security    none
            sync        automaticSmall
            watch form  first 3
        """)

    /// Keys that migrate from their own place, under another name of it.
    private static let twoNames = SearchSpace(
        specimen: "two names",
        """
        key banner: String
            domain    fileSystem documents
            security  none
            sync      automaticSmall
            migrates  from oldBanner
        key oldBanner: String
            name      "banner"
            domain    fileSystem custom "/private/Containers/Data/Application/com.example.app/Documents"
            security  none
            until     0.9
        key place: String
            domain  fileSystem documents
        """)

    private static let keychainWorld = SearchSpace(
        specimen: "keychain",
        """
        knob keychain.readsAsAbsentBeforeFirstUnlock true
        key token: String
            domain    keychain
            security  keychain afterFirstUnlock
            sync      automaticSmall
        key place: String
            domain  fileSystem documents
        """)

    /// A secret that a locked device neither shows nor takes.
    private static let lockedWorld = SearchSpace(
        specimen: "locked",
        """
        key code: String
            domain    keychain
            security  keychain whenUnlocked
            sync      automaticSmall
        key theme: String
            domain    fileSystem documents
            security  none
            sync      automaticSmall
        """)

    /// A phone whose person has two watches.
    private static let twoWatches = SearchSpace(
        specimen: "two watches",
        """
        start second watch
        key note: String
            domain    fileSystem documents
            security  none
            sync      automaticSmall
        key theme: String
            security  none
            sync      automaticSmall
        """)

    private static let preferencesWorld = SearchSpace(
        specimen: "preferences",
        """
        knob preferences.synchronizeIsDurable false
        key theme: String
            security  none
            migrates  from oldTheme
        key oldTheme: String
            domain    fileSystem documents
            security  none
            until     0.9
        """)

    /// What an app and its widget share.
    private static let sharedWorld = SearchSpace(
        specimen: "App Group",
        """
        key list: String
            domain        appGroupFileSystem "group.com.example" documents
            access group  "group.com.example"
            sync          automaticSmall
            missing key   discard
        key choice: String
            domain    appGroupUserDefaults "group.com.example"
            security  none
            sync      automaticSmall
        key badge: Int
            domain    appGroupFileSystem "group.com.example" documents
            security  none
        """)

    package static let careless: [Specimen] = [
        app("received contexts are looked at by nobody", .ignoresContexts, breaks: [.convergence, .removal]),
        app("contexts are taken in the foreground only (P7)", .ignoresContextsInBackground, breaks: [.convergence, .removal]),
        app("deletions in received snapshots are left out", .dropsDeletions, breaks: [.convergence, .removal]),
        app(
            "versions that were told without their values are left out", .dropsOmissions, breaks: [.convergence, .removal],
            largeWorld),
        app("a readable copy of a secret lies beside the envelope", .writesPlaintext, breaks: [.secrecy]),
        app("an unsynced copy is read instead of the value", .readsOwnCopy, breaks: [.durability, .removal, .convergence, .secrecy]),
        app("a cache in memory is not told of the counterpart's change", .staleCache, breaks: [.durability, .convergence, .removal]),
        app("a lock counts as absence", .errorIsAbsent, breaks: [.absence, .durability]),
        app("a value that cannot be read for now is thrown away", .regenerates, breaks: [.durability, .removal, .absence, .convergence]),
        app(
            "the app sends a value of this device alone in a context of its own", .sendsEverything,
            breaks: [.confinement, .secrecy, .convergence]),
        app("a value is removed before the new one is set", .removesBeforeSetting, breaks: [.durability, .linearizability]),
        app("an error of a write is kept from the caller (P13)", .swallowsErrors, breaks: [.durability, .removal, .convergence]),
        app("removals wait in memory for the background", .removesLater, breaks: [.removal, .durability, .convergence, .linearizability]),
        app(
            "what arrived while the device was locked waits for the next launch", .waitsForRelaunch,
            breaks: [.convergence, .durability, .removal], lockedWorld),
        app(
            "the greatest number that a counterpart ever claimed is believed, and lower ones are ignored", .believesNumbers,
            breaks: [.convergence, .removal, .durability, .atomicity]),
        app("a write is begun and not waited for", .setsInTask, breaks: [.linearizability, .durability, .removal, .convergence]),
        app("a refresh task is never completed (P24)", .leavesTasksOpen, breaks: [.progress]),
        app("received values are taken without the version of their form", .forgetsForms, breaks: [.forms, .durability], versionsWorld),
        app(
            "what a newer app has set is removed to make room", .makesRoom, breaks: [.forms, .removal, .durability, .convergence],
            versionsWorld),
        app(
            "what an update dropped is deleted by it, and missed by the older app that comes back", .clearsWhatItDropped,
            breaks: [.durability, .removal, .convergence], droppedWorld),
        app(
            "the session is not activated again for another watch (P18)", .neverReactivates, breaks: [.progress, .convergence], twoWatches),
        app("a smaller form is taken for an edit", .takesSmallerFormForEdit, breaks: [.atomicity, .convergence, .durability], formsWorld),
    ]

    package static let storage: [Specimen] = [
        storage("files are not synced", breaks: [.durability, .removal, .convergence, .explanation]) {
            $0.fileSystem = ForgetfulFileSystem(base: $0.fileSystem, flaw: .fileSync)
        },
        storage("directories are not synced", breaks: [.durability, .removal, .convergence]) {
            $0.fileSystem = ForgetfulFileSystem(base: $0.fileSystem, flaw: .directorySync)
        },
        storage("what a person switched off is forgotten by the next launch", breaks: [.confinement, .convergence]) {
            $0.forgetChoices()
        },
        storage("what a person switched on is forgotten by the next launch", in: choicesWorld, breaks: [.convergence, .audit]) {
            $0.forgetChoices()
        },
        storage("an item keeps the protection that an earlier version gave it", in: policiesWorld, breaks: [.secrecy]) {
            $0.keychain = CarelessKeychain($0.keychain, .keepsProtection)
        },
        storage(
            "an attribute that somebody else wrote beside a secret is believed", in: foreignWorld,
            breaks: [.convergence, .durability, .removal]
        ) {
            $0.keychain = CarelessKeychain($0.keychain, .believesAttributes)
        },
        storage("an audit passes over a place", breaks: [.audit]) {
            $0.fileSystem = ForgetfulFileSystem(base: $0.fileSystem, flaw: .lists(nothingIn: "/Documents"))
        },
        storage("an audit passes over what keys have left that an update dropped", in: droppedWorld, breaks: [.audit]) {
            $0.fileSystem = ForgetfulFileSystem(base: $0.fileSystem, flaw: .passesOver(names: ["memo", "slip"]))
        },
        storage(
            "a file of two names counts as two, and goes with the old one", in: twoNames, breaks: [.durability, .migration, .convergence]
        ) {
            $0.fileSystem = ForgetfulFileSystem(base: $0.fileSystem, flaw: .identities)
        },
        storage("a keychain item is deleted, then added", breaks: [.durability, .convergence]) {
            $0.keychain = CarelessKeychain($0.keychain, .deleteThenAdd)
        },
        storage(
            "a keychain that says before the first unlock that there is nothing is believed", in: keychainWorld,
            breaks: [.absence, .durability, .removal, .linearizability]
        ) {
            $0.device = GullibleDevice($0.device, .knowsNoFirstUnlock)
        },
        storage(
            "the empty preferences of a prewarmed process are believed", in: preferencesWorld,
            breaks: [.absence, .durability, .removal, .convergence]
        ) {
            $0.device = GullibleDevice($0.device, .knowsNoPrewarming)
        },
        storage(
            "a migration into preferences deletes its source before the system has written the value", in: preferencesWorld,
            breaks: [.durability]
        ) {
            $0.clock = RestlessClock($0.clock)
        },
        storage("a keychain that cannot be read for now is cleared", breaks: [.durability, .explanation, .convergence, .absence]) {
            $0.keychain = CarelessKeychain($0.keychain, .clearsWhatItCannotRead)
        },
        storage("what is noted beside a secret, such as its version, is left out", breaks: [.durability, .convergence, .removal]) {
            $0.keychain = CarelessKeychain($0.keychain, .dropsAttributes)
        },
        storage(
            "a master key has no access group, so a widget has another", in: sharedWorld, breaks: [.explanation, .durability, .convergence]
        ) { $0.keychain = CarelessKeychain($0.keychain, .leavesOutAccessGroups) },
        storage(
            "an extension keeps versions of its own beside the app's", in: sharedWorld,
            breaks: [.durability, .convergence, .removal, .explanation]
        ) { $0.device = GullibleDevice($0.device, .knowsNoExtension) },
    ]

    private static func app(_ name: String, _ mistake: CarelessApp.Mistake, breaks: Set<Invariant>, _ keys: SearchSpace? = nil)
        -> Specimen
    {
        var options = RunOptions()
        options.makeConfiguredApp = { CarelessApp(behaviour: $1, mistake: mistake) }
        let quick: [CarelessApp.Mistake] = [
            .forgetsForms, .ignoresContexts, .writesPlaintext, .sendsEverything, .errorIsAbsent, .setsInTask, .leavesTasksOpen,
            .removesBeforeSetting,
        ]
        var specimen = Specimen(
            name: name, kind: .careless, breaks: breaks, world: keys ?? world, bad: options, right: RunOptions(),
            isQuick: quick.contains(mistake),
            isShrunkInTests: mistake == .writesPlaintext)
        // LocalData asks again so often that the mistake shows in short runs only, in which little else happens.
        if mistake == .ignoresContextsInBackground { specimen.maximumSteps = 6 }
        return specimen
    }

    private static func storage(
        _ name: String, in world: SearchSpace = Specimen.world, breaks: Set<Invariant>,
        _ change: @escaping @Sendable (inout StorageEnvironment) -> Void
    ) -> Specimen {
        var options = RunOptions()
        options.adaptEnvironment = { _, environment in
            var changed = environment
            change(&changed)
            return changed
        }
        return Specimen(
            name: name, kind: .storage, breaks: breaks, world: world, bad: options, right: RunOptions(), isQuick: false,
            isShrunkInTests: false)
    }
}
