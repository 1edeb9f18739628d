import DeviceSimCore
import LocalData
import WatchConnectivity

extension ScenarioStep.Action {
    /// As a scenario file writes it, in canonical layout; read back, it gives an equal step. One line, or a line and its indented block.
    public var notation: String {
        switch self {
        case .device(let step): "\(step.device) \(step.action.notation)\(step.outcome.notation)"
        case .link(let step): step.notation
        case .session(let step): "\(step.device) \(step.action.notation)\(step.outcome.notation)"
        case .transfer(let step): "\(step.device) \(step.action.notation)\(step.outcome.notation)"
        case .data(let step): "\(step.device)\(step.part.notation) \(step.action.notation)\(step.outcome.notation)"
        case .fault(let step): "\(step.device) \(step.action.notation)"
        case .expect(let expectation): expectation.notation
        case .time(let step): step.notation
        case .together(let steps): (["together"] + steps.map { "    " + $0.action.notation }).joined(separator: "\n")
        }
    }
}

extension StepOutcome {
    /// With a space before it; nothing for success.
    var notation: String {
        switch self {
        case .succeeds: ""
        case .fails(let error): " fails \(error.name)"
        case .crashes(let number): " crashes at operation \(number)"
        case .losesPower(let number): " loses power at operation \(number)"
        case .crashesAtEveryOperation: " crashes at every operation"
        case .losesPowerAtEveryOperation: " loses power at every operation"
        }
    }
}

extension AppPart {
    /// With a space before it; nothing for the app.
    package var notation: String { self == .app ? "" : " \(rawValue)" }
}

extension DeviceStep.Action {
    /// Without the device.
    var notation: String {
        switch self {
        case .install: "install"
        case .uninstall: "uninstall"
        case .launch: "launch"
        case .launchInBackground: "launch in background"
        case .prewarm: "prewarm"
        case .foreground: "foreground"
        case .background: "background"
        case .suspend: "suspend"
        case .resume: "resume"
        case .terminate: "terminate"
        case .swipeAway: "swipe away"
        case .crash: "crash"
        case .relaunch(let inBackground): inBackground ? "relaunch in background" : "relaunch"
        case .update(let version): "update to \(version)"
        case .perform(let action, .null): "app does \(ScenarioValue.quoted(action))"
        case .perform(let action, let value): "app does \(ScenarioValue.quoted(action)) with \(value.notation)"
        case .widget(let change): "widget \(change.rawValue)"
        case .lockFile(.app, let path): "locks file \(ScenarioValue.quoted(path))"
        case .lockFile(.widget, let path): "widget locks file \(ScenarioValue.quoted(path))"
        case .unlockFile(.app, let path): "unlocks file \(ScenarioValue.quoted(path))"
        case .unlockFile(.widget, let path): "widget unlocks file \(ScenarioValue.quoted(path))"
        case .powerOn: "power on"
        case .powerOff: "power off"
        case .powerLoss: "power loss"
        case .reboot: "reboot"
        case .lock: "lock"
        case .unlock: "unlock"
        case .setPasscode: "passcode set"
        case .removePasscode: "passcode removed"
        case .biometry(let change): "biometry \(change.rawValue)"
        case .setClock(.zero): "clock correct"
        case .setClock(let ahead):
            ahead > .zero ? "clock ahead \(ahead)" : "clock behind \(VirtualDuration(microseconds: -ahead.microseconds))"
        case .setFreeSpace(nil): "disk has room"
        case .setFreeSpace(0?): "disk full"
        case .setFreeSpace(let count?): "disk has \(count.bytesNotation) free"
        case .purgeCaches: "purge caches"
        case .backup(let name, let isEncrypted): "backup as \(name)" + (isEncrypted ? " encrypted" : "")
        case .restore(let name, let isNew): "restore from \(name)" + (isNew ? " onto new hardware" : "")
        case .complication(let isOn): isOn ? "complication on" : "complication off"
        case .watch(let change): change.notation
        case .smartStack(let isOn): isOn ? "smart stack on" : "smart stack off"
        }
    }
}

extension LinkStep {
    var notation: String {
        switch self {
        case .up: "link up"
        case .down: "link down"
        case .latency(let latency): "link latency \(latency)"
        case .pair: "devices pair"
        case .unpair: "devices unpair"
        case .pairFromBackup: "devices pair from backup"
        case .pairSecondWatch: "watch2 pair"
        case .unpairSecondWatch: "watch2 unpair"
        case .switchWatch(let watch): "phone switches to \(watch)"
        }
    }
}

extension SessionStep.Action {
    /// Without the device.
    var notation: String {
        switch self {
        case .activate: "activate"
        case .activateWithoutDelegate: "activate without delegate"
        case .releaseDelegate: "release delegate"
        case .updateContext(let value): "update context \(value.notation)"
        case .sendMessage(let value, let expectsReply, let label): "send message \(value.notation)" + Self.options(expectsReply, label)
        case .sendMessageData(let value, let expectsReply, let label): "send data \(value.notation)" + Self.options(expectsReply, label)
        case .implements(let method, true): "app implements \(method.scenarioName)"
        case .implements(let method, false): "app does not implement \(method.scenarioName)"
        case .provides(let source, true): "app provides \(ScenarioValue.quoted(source))"
        case .provides(let source, false): "app does not provide \(ScenarioValue.quoted(source))"
        case .answersMessages(.asReferenceApp): "replies as usual"
        case .answersMessages(.never): "never replies"
        case .answersMessages(.reply(let value, let delay)): "replies \(value.notation)" + (delay == .zero ? "" : " after \(delay)")
        }
    }

    private static func options(_ expectsReply: Bool, _ label: String?) -> String {
        (expectsReply ? " expecting reply" : "") + (label.map { " as \($0)" } ?? "")
    }
}

extension DataStep.Action {
    /// Without the device.
    package var notation: String {
        switch self {
        case .set(let key, let value): "set \(key.identifier) \(value.notation)"
        case .get(let key): "get \(key.identifier)"
        case .remove(let key): "remove \(key.identifier)"
        case .exists(let key): "exists \(key.identifier)"
        case .migrate(let key): "migrate \(key?.identifier ?? "all keys")"
        case .rotateKeys: "rotate keys"
        case .resealValues: "reseal values"
        case .retireKeys: "retire keys"
        case .audit: "audit"
        case .overrideSync(let key, let policy?): "overrides sync of \(key.identifier) with \(policy.rawValue)"
        case .overrideSync(let key, nil): "clears override of \(key.identifier)"
        case .sync: "sync"
        case .requestSnapshot: "request snapshot"
        case .takeSnapshot(let name): "take snapshot as \(name)"
        case .applySnapshot(let name): "apply snapshot \(name)"
        case .applyPayload(let value): "apply \(value.notation)"
        case .plant(let key, let value): "plant \(key.identifier) \(value.notation)"
        }
    }
}

extension FaultStep.Action {
    /// Without the device.
    var notation: String {
        switch self {
        case .disk(let operation, let trigger, let number): "disk fails \(trigger.notation(operation.rawValue)) with \(number.rawValue)"
        case .keychain(let operation, let trigger, let status):
            "keychain fails \(trigger.notation(operation.rawValue)) with \(KeychainStatusName(status)?.rawValue ?? "errSecIO")"
        case .clearDisk: "disk works"
        case .clearKeychain: "keychain works"
        case .preferences(let operation, let trigger, let number):
            "preferences fail \(trigger.notation(operation.rawValue)) with \(number.rawValue)"
        case .clearPreferences: "preferences work"
        case .powerLossLeaves(let remainder): "power loss leaves \(remainder.rawValue)"
        case .lie(let lie): "is lied to about \(lie.rawValue)"
        case .person(.away): "person is away"
        case .person(let answer): "person \(answer.rawValue)"
        case .link(let path, let destination): "disk links \(ScenarioValue.quoted(path)) to \(ScenarioValue.quoted(destination))"
        case .damage(let key, .flip): "damage \(key.identifier)"
        case .damage(let key, .truncate(let count)): "truncate \(key.identifier) to \(count.bytesNotation)"
        case .damage(let key, .copy(let source)): "copy \(source.identifier) over \(key.identifier)"
        case .damage(let key, .attribute(let text)): "overwrite attribute of \(key.identifier) with \(ScenarioValue.quoted(text))"
        case .damage(let key, .overwrite(let value)): "overwrite \(key.identifier) with \(value.notation)"
        }
    }
}

extension FaultTrigger {
    fileprivate func notation(_ operation: String) -> String {
        switch self {
        case .once(1): "next \(operation)"
        case .once(let number): "\(operation) \(number)"
        case .always(1): "every \(operation)"
        case .always(let number): "every \(operation) from \(number)"
        }
    }
}

extension TimeStep {
    var notation: String {
        switch self {
        case .wait(let time): "wait \(time)"
        case .at(let time): "at \(time)"
        case .settle(nil): "settle"
        case .settle(let limit?): "settle within \(limit)"
        case .mark(let name): "mark \(name)"
        }
    }
}

extension Int {
    var bytesNotation: String { self == 1 ? "1 byte" : "\(self) bytes" }
}
