import DeviceSimCore

/// Other settings of what is not known of real devices, under which the invariants must hold as well.
///
/// An installation that goes unnoticed may keep everything from getting through until the phone restarts, so that is part of the healing. A knob that is
/// not varied says why in ``leftAlone``.
enum KnobVariation {
    private static let settings: [(name: String, setting: Knobs.Setting)] = [
        ("activation.latency", .duration(.zero)),
        ("activation.latency", .duration(.seconds(3))),
        ("activation.tellsState", .flag(true)),
        ("app.pathChangesOnReinstall", .flag(false)),
        ("complication.countsSmartStack", .flag(true)),
        ("complication.failsWithoutFace", .flag(true)),
        ("complication.wakesWatch", .flag(false)),
        ("context.clearedByUninstall", .flag(false)),
        ("context.congestion", .duration(.seconds(1))),
        ("context.suppressEqual", .flag(false)),
        ("file.readWhenSent", .flag(true)),
        ("files.unlinkNeedsClassKey", .flag(true)),
        ("keychain.full", .status(.errSecDiskFull)),
        ("keychain.listingSkipsLocked", .flag(true)),
        ("keychain.readsAsAbsentBeforeFirstUnlock", .flag(true)),
        ("keychain.survivesUninstall", .flag(false)),
        ("lock.grace", .duration(.zero)),
        ("message.badReplyFails", .flag(true)),
        ("message.lostReplyFails", .flag(true)),
        ("message.transferTimeout", .duration(.zero)),
        ("message.transferTimeout", .duration(.milliseconds(50))),
        ("message.replyTimeout", .duration(.milliseconds(100))),
        ("preferences.stayEmpty", .flag(false)),
        ("preferences.synchronizeIsDurable", .flag(false)),
        ("preferences.writtenWithin", .duration(.seconds(60))),
        ("reachability.duringRefresh", .flag(false)),
        ("reachability.flapAfter", .duration(.seconds(20))),
        ("reachability.flapEndsByItself", .flag(true)),
        ("reachability.phantom", .flag(true)),
        ("reachability.phantomSide", .choice("phone")),
        ("reachability.phantomSide", .choice("watch")),
        ("reachability.staleRefuses", .flag(true)),
        ("reachability.staleWithin", .duration(.seconds(2))),
        ("restore.keepsPairing", .flag(true)),
        ("transfer.endsWithReceipt", .flag(true)),
        ("transfer.keptForRemovedApp", .flag(false)),
        ("transfer.orderAcrossKinds", .flag(true)),
        ("transfer.redeliverAfterCrash", .flag(false)),
        ("transfer.sticksAfter", .count(2)),
        ("transfer.sticksWhenInterrupted", .flag(true)),
        ("transfer.stuckUntilCancelled", .flag(true)),
        ("wake.beforeFirstUnlock", .flag(false)),
        ("wake.refreshProcessorTime", .duration(.seconds(4))),
        ("wake.taskProcessorTime", .duration(.seconds(4))),
        ("wake.coldTaskLimit", .duration(.seconds(15))),
        ("wake.phoneForContexts", .flag(true)),
        ("wake.phoneForFiles", .flag(true)),
        ("wake.phoneForUserInfos", .flag(false)),
        ("wake.swipedAway", .flag(false)),
        ("wake.watchPerDay", .count(2)),
        ("watchApp.installsUnnoticed", .flag(true)),
        ("watchApp.unnoticedIsCutOff", .flag(true)),
        ("watchApp.unnoticedIsRefused", .flag(true)),
        ("watchBackup.holdsDocuments", .flag(true)),
        ("wake.expiredTaskCrashes", .flag(false)),
        ("wrist.lowered", .choice("foreground")),
        ("watch.has32BitInt", .flag(true)),
        ("unpair.erasesWatch", .flag(false)),
        ("unpair.failsTransfers", .flag(false)),
    ]

    /// Gives some of the knobs that `knobs` leaves at their defaults another setting: a few as often as many.
    static func vary(_ knobs: inout Knobs, _ random: inout SeededGenerator) {
        let plain = Knobs()
        let odds = random.below(2) == 0 ? 4 : 12
        for (name, setting) in settings where random.below(odds) == 0 {
            guard let knob = Knobs.descriptor(named: name), knobs[knob] == plain[knob] else { continue }
            _ = knobs.set(knob, to: setting)
        }
    }

    /// The first setting that is tried of a knob; `nil` where none is.
    static func setting(of name: String) -> Knobs.Setting? { settings.first { $0.name == name }?.setting }

    /// The names of all knobs that are varied, for the test that there are such.
    static var names: [String] { settings.map(\.name) }

    /// The knobs that are not varied, by reason.
    static let leftAlone: [(reason: String, names: [String])] = [
        (
            "devices that have less room, or no link any more, cannot be expected to agree",
            ["context.limit", "file.limit", "file.metadataLimit", "link.diesAfter", "message.limit", "userInfo.limit"]
        ),
        (
            "a kind of fault sets it, or has a step that does",
            ["context.duplicates", "link.latency", "wake.phoneLimit", "wake.watch"]
        ),
        ("it is set where keys are drawn whose names differ in case only", ["files.ignoreCase"]),
        ("it is three knobs at once, which are varied", ["wake.phone"]),
        (
            "a search has one watch",
            [
                "activation.inactiveForOldContent", "switch.cancelsMessages", "switch.endsOptedOutApps", "switch.handover",
                "switch.keepsContexts", "switch.keepsQueues", "switch.messageError",
            ]
        ),
        ("nothing travels in background transfers there", ["session.simulatorMode", "simulator.files"]),
        (
            "it means nothing to the values of explored keys, and to the reference app",
            [
                "complication.budget", "complication.loadTime", "complication.reset", "keychain.invalidatedItem",
                "keychain.passcodeBoundSurvivesRestore", "keychain.unansweredPrompt", "watchDirectory.goes", "widget.reloads",
            ]
        ),
        (
            "nobody has tried it yet",
            ["file.bandwidth", "transfer.finishAfterCancel", "transfer.losesAcknowledgements", "wake.taskLimit"]
        ),
    ]
}
