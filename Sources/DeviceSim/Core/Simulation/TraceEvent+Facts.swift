import LocalData
import WatchConnectivity

extension TraceEvent.Fact {
    /// The names of all facts that events have, those of what the simulated frameworks log among them.
    package static let names = Set(TraceEvent.Kind.allCases.flatMap(\.facts.keys))

    /// What a fact may be. An expectation of anything else would hold always, or never.
    package enum Content: Sendable, Hashable {
        case text, number, flag, list
        /// One of these words.
        case word([String])
        /// `true`, `false` or one of these words.
        case flagOrWord([String])

        /// The words that it may be, where they are known.
        package var words: [String]? {
            switch self {
            case .text, .number, .flag, .list: nil
            case .word(let words), .flagOrWord(let words): words
            }
        }
    }
}

extension TraceEvent.Kind {
    /// The facts that an event of the kind can have. `DeterminismTests` looks whether any event of a scenario has another, and
    /// `EventKindTests` whether one has each.
    package var facts: [String: TraceEvent.Fact.Content] {
        switch self {
        // The device
        case .biometryChanged: ["change": .word(Biometry.Change.allCases.map(\.rawValue))]
        case .clockChanged: ["skew": .text]
        case .backup: ["encrypted": .flag]
        case .restore: ["encrypted": .flag, "sameDevice": .flag]
        case .complicationChanged: ["isInSmartStack": .flag, "isOnFace": .flag]
        case .complicationLoads: ["isFirst": .flag]
        // The app and its widget
        case .update: ["version": .text]
        case .appDoes: ["action": .text]
        case .appShows: ["asExpected": .flag, "name": .text]
        case .terminate: ["because": .text]
        case .crash: ["code": .text]
        case .backgroundTask: ["for": .word(WakeReason.allCases.map(\.rawValue))]
        case .sessionBegan, .sessionEnded: ["kind": .word(BackgroundSession.allCases.map(\.rawValue))]
        case .processorTime: ["spent": .text]
        case .log: Self.logFacts
        case .killed: ["locks": .list, "reason": .text]
        case .widgetLaunch, .widgetSuspend, .widgetResume, .widgetTerminate, .widgetCrash: ["run": .number]
        case .widgetKilled: ["locks": .list, "reason": .text, "run": .number]
        // Storage
        case .set, .get, .remove, .exists: ["by": Self.widget, "key": .text]
        case .observed: ["key": .text, "origin": .word(["found", "local", "migration", "sync"])]
        case .migrate: ["key": .text]
        case .rotate: ["failed": .number, "kept": .number, "keptOfGroups": .number, "resealed": .number, "retired": .number]
        case .reseal: ["failed": .number, "key": .text, "resealed": .number]
        case .retire: ["kept": .number, "keptOfGroups": .number, "retired": .number]
        case .plan: ["due": .number, "needless": .number, "old": .number, "stuck": .number, "underWay": .flag]
        case .audit: ["findings": .number, "keys": .number, "orphaned": .number]
        case .failed: ["by": Self.widget, "error": .text, "key": .text, "operation": .word(Self.operations.map(\.rawValue))]
        // The pair
        case .pair, .unpair: ["watch": .word([DeviceID.watch2.description])]
        case .switchWatch: ["to": .word([DeviceID.watch, .watch2].map(\.description))]
        // The session
        case .inactive: ["because": .text]
        case .sessionError:
            [
                "call": .word(["activate", "didReceive file"]), "code": .number, "error": Self.errorOfSession, "reason": .text,
                "sequence": .number,
            ]
        case .reachabilityChanged: ["isReachable": .flag]
        case .watchStateChanged: ["isComplicationEnabled": .flag, "isPaired": .flag, "isWatchAppInstalled": .flag]
        case .companionAppInstalledChanged: ["isCompanionAppInstalled": .flag]
        case .sessionObserved:
            ["keyPath": .word(Self.observedProperties), "value": .flagOrWord(["activated", "inactive", "notActivated"])]
        case .unimplemented: ["method": .word(WCSessionDelegateMethod.allCases.map(\.rawValue))]
        case .misuse: ["member": .text, "only": .word(["iOS", "watchOS"])]
        case .unobservedFailure:
            [
                "because": .text, "error": Self.errorOfSession, "reason": .text, "sequence": .number,
                "what": .word(["file", "message", "user info"]),
            ]
        // What travels
        case .contextUpdated, .messageReplyDelivered: Self.payload
        case .contextDelivered: Self.payload.merging(Self.secondSender) { $1 }
        case .contextUnchanged: ["bytes": .number, "keys": .list]
        case .contextRefused:
            ["bytes": .number, "code": .number, "error": Self.errorOfSession, "found": .text, "keyPath": .text, "limit": .number]
        case .contextSent, .contextArrived, .messageArrived: Self.numbered
        case .contextReplaced: ["from": Self.sender, "sequence": .number]
        case .messageSent: Self.message
        case .messageDelivered: Self.message.merging(Self.secondSender) { $1 }
        case .messageReplied:
            [
                "bytes": .number, "error": Self.errorOfSession, "found": .text, "keyPath": .text, "keys": .list, "limit": .number,
                "sequence": .number,
            ]
        case .messageReplyIgnored: ["reason": .text, "sequence": .number]
        case .messageLost: ["from": Self.sender, "reason": .text, "sequence": .number]
        case .messageFailed, .userInfoFailed: Self.sendFailure
        case .userInfoQueued: Self.userInfo
        case .userInfoDelivered: Self.userInfo.merging(Self.secondSender) { $1 }
        case .userInfoArrived: ["complication": .flag, "sequence": .number]
        case .userInfoSent, .userInfoFinished, .userInfoCancelled, .fileSent, .fileArrived, .fileFinished, .fileCancelled: Self.numbered
        case .fileQueued: Self.file
        case .fileDelivered: Self.file.merging(Self.secondSender) { $1 }
        case .fileFailed: ["code": .number, "error": Self.errorOfSession, "name": .text, "reason": .text, "sequence": .number]
        // Sync
        case .sync: ["deletions": .list, "keys": .list, "omitted": .list, "sequence": .number]
        case .applied, .kept, .equal: Self.entry
        case .putOff, .refused: ["error": Self.errorOfStorage, "from": .text, "key": .text, "sequence": .number]
        case .ignored: ["because": .word(["notSynced", "unknown"]), "from": .text, "key": .text, "sequence": .number]
        case .outdated: ["from": .text, "sequence": .number]
        // The scenario
        case .step: ["line": .number, "number": .number]
        case .fault:
            ["effect": .text, "number": .number, "operation": .word(StorageOperation.allCases.map(\.rawValue)), "place": .text]
        // Nothing is to be said of them
        case .powerOn, .powerOff, .powerLoss, .lock, .unlock, .passcodeSet, .passcodeRemoved, .wristDown, .wristUp, .crown, .covered,
            .takenOff, .putOn, .erase, .install, .uninstall, .launch, .launchInBackground, .prewarm, .foreground, .background, .suspend,
            .resume, .backgroundTaskCompleted, .backgroundTaskExpired, .frontmostEnded, .widgetReload, .widgetReloadRefused, .linkUp,
            .linkDown, .activate, .activated, .deactivated:
            [:]
        }
    }

    /// What the simulation says in an app's log, and what the simulated frameworks say there of calls.
    private static let logFacts: [String: TraceEvent.Fact.Content] = [
        "budget": .text, "call": .text, "category": .text, "error": .text, "haptic": .text, "in": .text, "intensity": .text, "kind": .text,
        "leftOut": .text, "level": .text, "name": .text, "subsystem": .text, "success": .flag, "task": .text, "text": .text, "while": .text,
    ]

    private static let numbered: [String: TraceEvent.Fact.Content] = ["sequence": .number]
    private static let payload: [String: TraceEvent.Fact.Content] = ["bytes": .number, "keys": .list, "sequence": .number]
    private static let message: [String: TraceEvent.Fact.Content] = [
        "bytes": .number, "keys": .list, "sequence": .number, "wantsReply": .flag,
    ]
    private static let userInfo: [String: TraceEvent.Fact.Content] = [
        "bytes": .number, "complication": .flag, "keys": .list, "sequence": .number,
    ]
    private static let file: [String: TraceEvent.Fact.Content] = ["bytes": .number, "keys": .list, "name": .text, "sequence": .number]
    /// Of what the first watch sent, and the phone, nothing is said.
    private static let secondSender: [String: TraceEvent.Fact.Content] = ["from": .word([DeviceID.watch2.description])]
    private static let entry: [String: TraceEvent.Fact.Content] = ["from": .text, "key": .text, "sequence": .number]
    private static let sendFailure: [String: TraceEvent.Fact.Content] = [
        "bytes": .number, "code": .number, "error": errorOfSession, "found": .text, "keyPath": .text, "limit": .number, "reason": .text,
        "sequence": .number,
    ]

    private static let widget = TraceEvent.Fact.Content.word([AppPart.widget.rawValue])
    private static let sender = TraceEvent.Fact.Content.word([DeviceID.phone, .watch, .watch2].map(\.description))
    private static let errorOfSession = TraceEvent.Fact.Content.word(WCError.Code.allCases.map(\.name))
    private static let errorOfStorage = TraceEvent.Fact.Content.word(StorageError.Code.allCases.map(\.rawValue))

    /// What app code asks of LocalData, and can fail.
    private static let operations: [TraceEvent.Kind] = [
        .set, .get, .remove, .exists, .migrate, .rotate, .reseal, .retire, .plan, .audit,
    ]

    /// The properties of the session that app code can observe.
    package static let observedProperties = [
        "activationState", "hasContentPending", "isCompanionAppInstalled", "isComplicationEnabled", "isPaired", "isReachable",
        "isWatchAppInstalled",
    ]
}
