import LocalData

extension Knobs {
    /// One knob, as scenario files and lists name it.
    public struct Descriptor: Sendable {
        /// As a scenario file writes it: `link.latency`.
        public let name: String
        /// The rule it belongs to (`W43`), if one has it.
        public let rule: String?
        /// What it decides, in a few words.
        public let meaning: String
        package let field: Field

        package enum Field: Sendable {
            case duration(WritableKeyPath<Knobs, VirtualDuration> & Sendable, ClosedRange<VirtualDuration>)
            case flag(WritableKeyPath<Knobs, Bool> & Sendable)
            case bytes(WritableKeyPath<Knobs, Int> & Sendable, ClosedRange<Int>)
            case count(WritableKeyPath<Knobs, Int> & Sendable, ClosedRange<Int>)
            /// An `OSStatus` of the keychain, one of these.
            case status(WritableKeyPath<Knobs, Int> & Sendable, [KeychainStatusName])
            /// One of these names, see ``KnobChoice``.
            case choice([String], get: @Sendable (Knobs) -> String, set: @Sendable (inout Knobs, String) -> Void)
        }
    }

    /// The value of a knob.
    public enum Setting: Sendable, Hashable {
        /// A span of time, such as `50ms`.
        case duration(VirtualDuration)
        /// `true` or `false`.
        case flag(Bool)
        /// A size in bytes.
        case bytes(Int)
        /// A whole number.
        case count(Int)
        /// A status of the keychain, by name.
        case status(KeychainStatusName)
        /// One of several names, see ``KnobChoice``.
        case choice(String)
    }

    /// Every knob there is, sorted by name. A knob added to ``Knobs`` gets its line here; a test compares the two.
    public static let table: [Descriptor] = [
        Descriptor(
            "activation.inactiveForOldContent", \.activatesInactiveForOldContent, rule: "W3",
            "a session that is activated while content of a watch that is no longer worn waits is inactive, is given that, and is deactivated"
        ),
        Descriptor(
            "activation.latency", \.activationLatency, rule: "W2", "from `activate()` to the delegate's callback"),
        Descriptor(
            "activation.tellsState", \.activationTellsState, rule: "W145",
            "after its activation a session tells of what differs from one that is not activated: reachability, the watch's state"),
        Descriptor(
            "app.pathChangesOnReinstall", \.containerPathChangesOnReinstall, rule: nil,
            "the path of the app's container is another one after a reinstall"),
        Descriptor(
            "complication.budget", rule: "W95", meaning: "urgent complication transfers in a day",
            field: .count(\.complicationBudget, 0...1_000_000)),
        Descriptor(
            "complication.countsSmartStack", \.smartStackCounts, rule: "W95",
            "a widget in the Smart Stack alone counts as a complication on the active face"),
        Descriptor(
            "complication.failsWithoutFace", \.complicationFailsWithoutFace, rule: "W95",
            "a complication info fails at once where the complication is not on the active face, instead of going as a user info"),
        Descriptor(
            "complication.loadTime", \.complicationLoadTime, rule: "W123",
            "how long the watch app runs for the load of a complication"),
        Descriptor(
            "complication.reset", \.complicationReset, rule: "W95",
            "how long after midnight by the phone's clock the budget is renewed"),
        Descriptor(
            "complication.wakesWatch", \.wakesWatchForComplications, rule: "W96",
            "urgent complication infos launch the watch app in the background"),
        Descriptor(
            "context.clearedByUninstall", \.uninstallClearsContexts, rule: "W53",
            "removing the app from a device removes the contexts that it sent and received"),
        Descriptor(
            "context.congestion", \.contextCongestion, rule: "W52",
            "how long contexts and messages are held up by contexts updated more than once in 2s"),
        Descriptor(
            "context.duplicates", \.duplicateContexts, rule: "W43",
            "intermediate and repeated contexts are delivered on wake"),
        Descriptor("context.limit", \.contextLimit, rule: "W100", "the largest application context"),
        Descriptor(
            "context.suppressEqual", \.suppressEqualContexts, rule: "W49",
            "an update equal to what was last sent sends nothing"),
        Descriptor(
            "file.bandwidth", \.fileBandwidth, rule: "W90", "bytes of a file that cross the link in a second",
            range: 1...(1 << 40)),
        Descriptor(
            "file.limit", \.fileLimit, rule: "W119",
            "the largest file; Apple names no limit, so no file is too large by default",
            range: 0...(1 << 50)),
        Descriptor("file.metadataLimit", \.fileMetadataLimit, rule: "W91", "the largest metadata of a file"),
        Descriptor(
            "file.readWhenSent", \.readsFileWhenSent, rule: "W146",
            "the bytes of a file are read each time that it leaves, instead of when it is handed over"),
        Descriptor(
            "files.ignoreCase", \.diskIgnoresCase, rule: nil,
            "names of files that differ in case alone are one, as on most Macs"),
        Descriptor(
            "files.unlinkNeedsClassKey", \.unlinkNeedsClassKey, rule: nil,
            "unlinking or renaming a file needs its class key"),
        Descriptor(
            "keychain.full", \.fullKeychainStatus, rule: nil, "what a keychain without room answers",
            statuses: [.errSecNotAvailable, .errSecDiskFull]),
        Descriptor(
            "keychain.invalidatedItem", \.invalidatedItemStatus, rule: nil,
            "what an item reads as that edited biometry has invalidated", statuses: [.errSecAuthFailed, .errSecItemNotFound]),
        Descriptor(
            "keychain.listingSkipsLocked", \.keychainListingSkipsLockedItems, rule: nil,
            "a query for all items leaves out the locked ones, instead of failing"),
        Descriptor(
            "keychain.passcodeBoundSurvivesRestore", \.passcodeBoundItemsSurviveRestore, rule: nil,
            "`whenPasscodeSetThisDeviceOnly` items come back when a backup is restored to the device that made it"),
        Descriptor(
            "keychain.readsAsAbsentBeforeFirstUnlock", \.keychainReadsAsAbsentBeforeFirstUnlock,
            rule: nil, "before the first unlock the keychain says that there is no such item, instead of refusing it"),
        Descriptor(
            "keychain.survivesUninstall", \.keychainSurvivesUninstall, rule: nil,
            "items outlive the app that stored them"),
        Descriptor(
            "keychain.unansweredPrompt", \.unansweredPromptStatus, rule: nil,
            "what becomes of a prompt that nobody answers", statuses: [.errSecUserCanceled, .errSecAuthFailed]),
        Descriptor(
            "link.diesAfter", \.linkDiesAfter, rule: "W152",
            "how long out of range of each other until the link stays dead, whatever comes, until the phone restarts; `0ms` for never"),
        Descriptor("link.latency", \.linkLatency, rule: nil, "from one device to the other, one way"),
        Descriptor(
            "lock.grace", \.lockGrace, rule: nil,
            "how long files of complete protection and `whenUnlocked` items stay readable after locking"),
        Descriptor(
            "message.badReplyFails", \.badReplyIsReplyFailed, rule: "W73",
            "a reply of unsupported types or too large gives the sender 7011, instead of 7010 or 7009"),
        Descriptor("message.limit", \.messageLimit, rule: "W100", "the largest message"),
        Descriptor(
            "message.lostReplyFails", \.lostReplyFails, rule: "W141",
            "a reply that is lost on the link gives the sender 7011 at once, instead of 7012 after its wait"),
        Descriptor(
            "message.replyTimeout", \.messageReplyTimeout, rule: "W67", "how long a sender waits for a reply"),
        Descriptor(
            "message.transferTimeout", \.messageTransferTimeout, rule: "W140",
            "how long a message may take to be given to the counterpart's app until it fails with 7017; `0ms` for as long as it takes"),
        Descriptor(
            "preferences.stayEmpty", \.earlyPreferencesStayEmpty, rule: nil,
            "a process that began before the first unlock sees empty preferences for as long as it lives, instead of until the unlock"),
        Descriptor(
            "preferences.synchronizeIsDurable", \.synchronizedPreferencesAreDurable, rule: nil,
            "`synchronize` makes preferences durable, instead of leaving that to the system"),
        Descriptor(
            "preferences.writtenWithin", \.preferencesWrittenWithin, rule: nil,
            "how long after a set the system has written it to the disk"),
        Descriptor(
            "reachability.duringRefresh", \.refreshReachesPhone, rule: "W142",
            "a watch app in the background reaches the phone while it holds a refresh task"),
        Descriptor(
            "reachability.flapAfter", \.reachabilityFlapAfter, rule: "W36",
            "how long both apps are in the foreground and send no message until reachability is lost; `0ms` for never"),
        Descriptor(
            "reachability.flapEndsByItself", \.flapEndsByItself, rule: "W36",
            "it comes back after 1s, instead of when a person touches the watch"),
        Descriptor(
            "reachability.phantom", \.phantomReachability, rule: "W37",
            "messages to a reachable counterpart fail, by 7007, 7012, 7014 or 7017 as the seed draws"),
        Descriptor(
            "reachability.phantomSide", \.phantomSide, rule: "W37", "whose messages fail so: one direction alone may be dead"
        ),
        Descriptor(
            "reachability.staleRefuses", \.staleReachabilityRefuses, rule: "W35",
            "messages to a counterpart that is back unnoticed fail with 7007, instead of being delivered"),
        Descriptor(
            "reachability.staleWithin", \.reachabilityStaleness, rule: "W35",
            "a counterpart that is back so soon after it was lost goes unnoticed, until it is lost and back again"),
        Descriptor(
            "restore.keepsPairing", \.restoreKeepsPairing, rule: "W15",
            "a device stays paired whose backup was restored to new hardware"),
        Descriptor(
            "session.simulatorMode", \.simulatorMode, rule: "W112",
            "user infos, complication infos and files never leave, as in Apple's Simulator"),
        Descriptor(
            "simulator.files", \.simulatorFiles, rule: "W112",
            "what becomes of files in Apple's Simulator: they stay `outstanding`, are said to be `finished` without arriving, or are `delivered`"
        ),
        Descriptor(
            "switch.cancelsMessages", \.switchCancelsMessages, rule: "W13",
            "messages that are under way, or wait for a reply, are cancelled when the phone's session becomes inactive"),
        Descriptor(
            "switch.endsOptedOutApps", \.endsOptedOutApps, rule: "W118",
            "an app whose delegate lacks `sessionDidBecomeInactive` or `sessionDidDeactivate` is ended in the background after a switch"),
        Descriptor(
            "switch.handover", \.switchHandover, rule: "W12",
            "from `sessionDidBecomeInactive` to `sessionDidDeactivate`, when another watch takes over"),
        Descriptor(
            "switch.keepsContexts", \.contextsOutliveSwitch, rule: "W15",
            "after a switch the phone's contexts are those of the watch before"),
        Descriptor(
            "switch.keepsQueues", \.queuesOutliveSwitch, rule: "W15",
            "after a switch what the phone queued for the watch before goes to the new one"),
        Descriptor(
            "switch.messageError", \.cancelledMessageError, rule: "W13",
            "what messages fail with that are cancelled because the phone's session becomes inactive"),
        Descriptor(
            "transfer.endsWithReceipt", \.transferEndsWithReceipt, rule: "W84",
            "a transfer is outstanding until the counterpart's app was given it, instead of until it has reached the device"),
        Descriptor(
            "transfer.finishAfterCancel", \.finishAfterCancel, rule: "W86",
            "`didFinish` is called for a transfer that was cancelled"),
        Descriptor(
            "transfer.keptForRemovedApp", \.transfersOutliveRemovedApp, rule: "W122",
            "what is queued for a counterpart whose app was removed waits until that is installed again, instead of failing"),
        Descriptor(
            "transfer.losesAcknowledgements", \.losesAcknowledgements, rule: "P5",
            "what has arrived is delivered again, if the link breaks before the sending device knows"),
        Descriptor(
            "transfer.orderAcrossKinds", \.keepsOrderAcrossKinds, rule: "W72",
            "contexts, user infos and files arrive in the order in which they were handed over, instead of each kind for itself"),
        Descriptor(
            "transfer.redeliverAfterCrash", \.redeliversAfterCrash, rule: "W87",
            "what a process was being given when it ended is delivered again"),
        Descriptor(
            "transfer.sticksAfter", rule: "P20",
            meaning: "how many transfers of a kind leave until one stays outstanding, and holds up those behind it; `0` for never",
            field: .count(\.transferSticksAfter, 0...1_000_000)),
        Descriptor(
            "transfer.sticksWhenInterrupted", \.interruptionSticks, rule: "P20",
            "a transfer that the link's end interrupts stays outstanding, and holds up those behind it"),
        Descriptor(
            "transfer.stuckUntilCancelled", \.stuckUntilCancelled, rule: "P20",
            "what is stuck stays so until it is cancelled, whatever else happens"),
        Descriptor(
            "unpair.erasesWatch", \.unpairErasesWatch, rule: "W26",
            "unpairing erases the watch: at once if it is within reach, else when it is paired again"),
        Descriptor(
            "unpair.failsTransfers", \.unpairingFailsTransfers, rule: "W15",
            "what is queued for a watch that is unpaired fails with 7005, instead of being gone without a word"),
        Descriptor("userInfo.limit", \.userInfoLimit, rule: "W100", "the largest user info"),
        Descriptor(
            "wake.beforeFirstUnlock", \.wakesBeforeFirstUnlock, rule: "W144",
            "content starts the app of a device that was not unlocked since it was switched on"),
        Descriptor(
            "wake.coldTaskLimit", \.coldRefreshTaskLimit, rule: "W110",
            "how long a watch app may take to complete a refresh task that it was launched for"),
        Descriptor(
            "wake.expiredTaskCrashes", \.expiredTaskCrashes, rule: "W110",
            "a refresh task that is not completed in time ends the watch app with a crash (0xc51bad02), instead of suspending it"),
        Descriptor(
            "wake.phone", \.wakesPhoneForTransfers, rule: "W111",
            "contexts, user infos and files launch the phone app in the background, all of them"),
        Descriptor(
            "wake.phoneForContexts", \.wakesPhoneForContexts, rule: "W111",
            "contexts launch the phone app in the background"),
        Descriptor(
            "wake.phoneForFiles", \.wakesPhoneForFiles, rule: "W111",
            "files launch the phone app in the background"),
        Descriptor(
            "wake.phoneForUserInfos", \.wakesPhoneForUserInfos, rule: "W111",
            "user infos launch the phone app in the background"),
        Descriptor("wake.phoneLimit", \.phoneWakeLimit, rule: "W71", "how long a phone app runs that was woken"),
        Descriptor(
            "wake.refreshProcessorTime", \.refreshProcessorTime, rule: "W124",
            "how much a watch app may compute for a task with which it refreshes itself; `0ms` for not counted"),
        Descriptor(
            "wake.swipedAway", \.wakesSwipedAwayApp, rule: "W62",
            "what launches the app in the background does so after a person has swiped it away"),
        Descriptor(
            "wake.taskLimit", \.refreshTaskLimit, rule: "W110",
            "how long a watch app may take to complete a refresh task that it was resumed for"),
        Descriptor(
            "wake.taskProcessorTime", \.taskProcessorTime, rule: "W124",
            "how much a watch app may compute for a refresh task of the session; `0ms` for not counted"),
        Descriptor(
            "wake.watch", \.wakesWatchForTransfers, rule: "W110",
            "contexts, user infos and files launch the watch app in the background"),
        Descriptor(
            "wake.watchPerDay", rule: "W151",
            meaning: "how many times in a day content launches or resumes the watch app in the background; `0` for no limit",
            field: .count(\.watchWakesPerDay, 0...1_000_000)),
        Descriptor(
            "watch.has32BitInt", \.watchHas32BitInt, rule: nil, "`Int` has 32 bits on the watches (arm64_32)"),
        Descriptor(
            "watchApp.installsUnnoticed", \.installationGoesUnnoticed, rule: "W25",
            "`isWatchAppInstalled` stays false after an installation, until the phone restarts"),
        Descriptor(
            "watchApp.unnoticedIsCutOff", \.unnoticedAppIsCutOff, rule: "W25",
            "a watch app that the phone did not notice is not reachable, and nothing is transferred to or from it"),
        Descriptor(
            "watchApp.unnoticedIsRefused", \.unnoticedAppIsRefused, rule: "W25",
            "what the phone sends to a watch app that it did not notice is refused with 7006"),
        Descriptor(
            "watchBackup.holdsDocuments", \.watchBackupHoldsDocuments, rule: "W27",
            "the backup that is made of a watch when it is unpaired holds documents, and not settings and secrets alone"),
        Descriptor(
            "watchDirectory.goes", \.watchDirectoryRemoval, rule: "W24",
            "when what the phone's app keeps for a watch is deleted that is unpaired, or has the app no more"),
        Descriptor(
            "widget.reloads", rule: "W153",
            meaning: "reloads of a widget's timeline in a day that an app gets which is not in the foreground",
            field: .count(\.widgetReloads, 0...1_000_000)),
        Descriptor(
            "wrist.lowered", \.loweredWrist, rule: "W114", "where the frontmost app is while the wrist is down"),
    ]

    /// The knob of that name.
    public static func descriptor(named name: String) -> Descriptor? {
        table.first { $0.name == name }
    }

    /// What a knob is set to.
    public subscript(knob: Descriptor) -> Setting {
        switch knob.field {
        case .duration(let path, _): .duration(self[keyPath: path])
        case .flag(let path): .flag(self[keyPath: path])
        case .bytes(let path, _): .bytes(self[keyPath: path])
        case .count(let path, _): .count(self[keyPath: path])
        case .status(let path, let statuses):
            .status(statuses.first { Int($0.status.rawValue) == self[keyPath: path] } ?? statuses[0])
        case .choice(_, let get, _): .choice(get(self))
        }
    }

    /// Sets a knob.
    /// - Returns: false, and changes nothing, if the setting is of another kind or out of the knob's range.
    public mutating func set(_ knob: Descriptor, to setting: Setting) -> Bool {
        switch (knob.field, setting) {
        case (.duration(let path, let range), .duration(let value)) where range.contains(value): self[keyPath: path] = value
        case (.flag(let path), .flag(let value)): self[keyPath: path] = value
        case (.bytes(let path, let range), .bytes(let value)) where range.contains(value): self[keyPath: path] = value
        case (.count(let path, let range), .count(let value)) where range.contains(value): self[keyPath: path] = value
        case (.status(let path, let statuses), .status(let value)) where statuses.contains(value):
            self[keyPath: path] = Int(value.status.rawValue)
        case (.choice(let names, _, let set), .choice(let name)) where names.contains(name): set(&self, name)
        default: return false
        }
        return true
    }
}

extension Knobs.Descriptor {
    fileprivate init(_ name: String, rule: String?, meaning: String, field: Field) {
        self.init(name: name, rule: rule, meaning: meaning, field: field)
    }

    init(
        _ name: String, _ path: WritableKeyPath<Knobs, VirtualDuration> & Sendable, rule: String?, _ meaning: String,
        range: ClosedRange<VirtualDuration> = .zero ... .seconds(86_400)
    ) {
        self.init(name: name, rule: rule, meaning: meaning, field: .duration(path, range))
    }

    init(_ name: String, _ path: WritableKeyPath<Knobs, Bool> & Sendable, rule: String?, _ meaning: String) {
        self.init(name: name, rule: rule, meaning: meaning, field: .flag(path))
    }

    init(
        _ name: String, _ path: WritableKeyPath<Knobs, Int> & Sendable, rule: String?, _ meaning: String,
        range: ClosedRange<Int> = 0...(1 << 30)
    ) {
        self.init(name: name, rule: rule, meaning: meaning, field: .bytes(path, range))
    }

    init(
        _ name: String, _ path: WritableKeyPath<Knobs, Int> & Sendable, rule: String?, _ meaning: String,
        statuses: [KeychainStatusName]
    ) {
        self.init(name: name, rule: rule, meaning: meaning, field: .status(path, statuses))
    }

    init<Choice: KnobChoice>(
        _ name: String, _ path: WritableKeyPath<Knobs, Choice> & Sendable, rule: String?, _ meaning: String
    ) {
        let field = Field.choice(
            Choice.allCases.map(\.rawValue), get: { $0[keyPath: path].rawValue },
            set: { knobs, name in
                if let choice = Choice(rawValue: name) { knobs[keyPath: path] = choice }
            })
        self.init(name: name, rule: rule, meaning: meaning, field: field)
    }

    /// What its settings look like, for lists and messages: `a time from 0ms to 24h`.
    public var range: String {
        switch field {
        case .duration(_, let range): "a time from \(range.lowerBound) to \(range.upperBound)"
        case .flag: "`true` or `false`"
        case .bytes(_, let range): "a number of bytes from \(range.lowerBound) to \(range.upperBound)"
        case .count(_, let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .status(_, let statuses): Suggestion.list(statuses.map(\.rawValue))
        case .choice(let names, _, _): Suggestion.list(names)
        }
    }
}

extension Knobs.Setting: CustomStringConvertible {
    /// In the notation of scenario files.
    public var description: String {
        switch self {
        case .duration(let value): value.description
        case .flag(let value): "\(value)"
        case .bytes(let value): "\(value) bytes"
        case .count(let value): "\(value)"
        case .status(let value): value.rawValue
        case .choice(let name): name
        }
    }
}
