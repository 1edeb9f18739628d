extension TraceEvent.Kind {
    /// On which devices an event of the kind can be.
    package enum Place: Sendable, Hashable {
        /// On each of them.
        case anyDevice
        /// On the phone.
        case phone
        /// On a watch.
        case watch
        /// Of the pair as a whole, or of the scenario.
        case noDevice

        /// Whether an event can be on that device.
        package func contains(_ device: DeviceID) -> Bool {
            switch self {
            case .anyDevice: true
            case .phone: device.isPhone
            case .watch: !device.isPhone
            case .noDevice: false
            }
        }
    }

    /// Where an event of the kind can be. An expectation of one elsewhere would hold always, or never. `EventKindTests` looks whether any event of a scenario
    /// is elsewhere.
    package var place: Place {
        switch self {
        // The pair, and the scenario
        case .linkUp, .linkDown, .pair, .unpair, .switchWatch, .step: .noDevice
        // A watch is worn, has a face and a Smart Stack, is erased where it is unpaired (W26), and counts what its apps compute (W124).
        case .wristDown, .wristUp, .crown, .covered, .takenOff, .putOn, .complicationLoads, .complicationChanged, .erase, .frontmostEnded,
            .sessionBegan, .sessionEnded, .processorTime:
            .watch
        // W110, W32
        case .backgroundTask, .backgroundTaskCompleted, .backgroundTaskExpired, .companionAppInstalledChanged: .watch
        // iOS prewarms apps; the phone's session has a watch that changes (W12, W32).
        case .prewarm, .inactive, .deactivated, .watchStateChanged: .phone
        case .powerOn, .powerOff, .powerLoss, .lock, .unlock, .passcodeSet, .passcodeRemoved, .biometryChanged, .clockChanged, .backup,
            .restore, .install, .uninstall, .update, .launch, .launchInBackground, .foreground, .background, .suspend, .resume, .appDoes,
            .appShows, .terminate, .crash, .log, .killed, .widgetLaunch, .widgetSuspend, .widgetResume, .widgetTerminate, .widgetCrash,
            .widgetKilled, .widgetReload, .widgetReloadRefused, .set, .get, .remove, .exists, .observed, .migrate, .rotate, .reseal,
            .retire, .plan, .audit, .failed, .activate, .activated, .sessionError, .reachabilityChanged, .sessionObserved, .unimplemented,
            .misuse, .unobservedFailure, .contextUpdated, .contextUnchanged, .contextRefused, .contextSent, .contextArrived,
            .contextDelivered, .contextReplaced, .messageSent, .messageArrived, .messageDelivered, .messageReplied, .messageReplyDelivered,
            .messageReplyIgnored, .messageFailed, .messageLost, .userInfoQueued, .userInfoSent, .userInfoArrived, .userInfoDelivered,
            .userInfoFinished, .userInfoFailed, .userInfoCancelled, .fileQueued, .fileSent, .fileArrived, .fileDelivered, .fileFinished,
            .fileFailed, .fileCancelled, .sync, .applied, .kept, .equal, .putOff, .ignored, .refused, .outdated, .fault:
            .anyDevice
        }
    }
}
