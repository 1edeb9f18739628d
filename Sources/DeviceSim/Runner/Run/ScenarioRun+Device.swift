import DeviceSimCore
import DeviceSimLanguage
import Foundation
import LocalData

extension ScenarioRun {
    /// Does a device step, and starts what app code it runs.
    func begin(_ step: DeviceStep) throws -> BegunStep {
        let device = try device(step.device)
        let operation = try perform(step.action, on: device)
        let part: AppPart = if case .widget = step.action { .widget } else { .app }
        return BegunStep(device: operation == nil ? nil : device, part: part, outcome: step.outcome, operation: operation)
    }

    private func perform(_ action: DeviceStep.Action, on device: Device) throws -> AppOperation<Void>? {
        switch action {
        case .install:
            try requireOn(device)
            device.install()
        case .uninstall:
            try device.requireUsable()
            device.uninstall()
        case .launch: return try device.launch()
        case .launchInBackground: return try device.launchInBackground()
        case .prewarm: try device.prewarm()
        case .foreground: return try device.foreground()
        case .background: return try device.background()
        case .suspend: try device.suspend()
        case .resume:
            guard let process = device.process, process.state == .suspended, !process.isAwaitingLaunch else {
                throw SimulationError.impossible(device: device.id, reason: "the app is not suspended")
            }
            device.resume()
        case .terminate:
            _ = try device.requireProcess()
            device.terminate()
        case .swipeAway:
            _ = try device.requireProcess()
            device.swipeAway()
        case .crash:
            _ = try device.requireProcess()
            device.crash()
        case .relaunch(let inBackground):
            device.terminate()
            return inBackground ? try device.launchInBackground() : try device.launch()
        case .update(let version):
            try device.requireUsable()
            device.update(to: version.description)
            useCatalogs(of: version, on: device)
        case .perform(let action, let value):
            let process = try device.requireProcess()
            guard let app = process.app else { return nil }
            simulation.recorder.record(.appDoes, on: device.id, process: process.life.number, .init("action", .text(action)))
            let operation = try device.start(action) { try await app.perform(action, with: value) }
            appActions.append(BegunAction(device: device.id, name: action, value: value, operation: operation))
            return operation
        case .widget(let change): return try perform(change, on: device)
        case .lockFile(let part, let path): try device.lockFile(path, in: part)
        case .unlockFile(let part, let path): try device.unlockFile(path, in: part)
        case .powerOn: device.powerOn()
        case .powerOff: device.powerOff()
        case .powerLoss:
            try requireOn(device)
            device.losePower()
        case .reboot: device.reboot()
        case .lock: try device.lock()
        case .unlock: try device.unlock()
        case .setPasscode:
            try requireOn(device)
            device.setPasscode()
        case .removePasscode:
            try requireOn(device)
            guard device.state.lockState == .unlocked else {
                throw SimulationError.impossible(
                    device: device.id, reason: "the passcode of a locked device cannot be removed; unlock it first")
            }
            device.removePasscode()
        case .biometry(let change):
            try requireOn(device)
            guard change == .removed || device.state.hasPasscode else {
                throw SimulationError.impossible(device: device.id, reason: "without a passcode there is no biometry; set one first")
            }
            device.changeBiometry(change)
        case .setClock(let ahead): device.setClockSkew(ahead)
        case .setFreeSpace(let bytes): device.storage.setFreeSpace(bytes)
        case .purgeCaches:
            guard device.process == nil else {
                throw SimulationError.impossible(
                    device: device.id, reason: "the system empties Library/Caches only while the app does not run; `terminate` it first")
            }
            device.storage.purgeCaches()
        case .backup(let name, let isEncrypted): backups[name] = try device.makeBackup(encrypted: isEncrypted)
        case .restore(let name, let ontoNewHardware):
            guard let backup = backups[name] else { throw StepFailure("no step has made the backup `\(name)`") }
            try device.restore(backup, ontoNewHardware: ontoNewHardware)
            useRestoredVersion(of: device)
        case .complication(let isOn): try device.setComplication(onFace: isOn)
        case .watch(let change): return try perform(change, on: device)
        case .smartStack(let isOn): try device.setWidget(inSmartStack: isOn)
        case .networkAnswers(let start, let value, let status):
            let body =
                switch value {
                case .string(let text): Data(text.utf8)
                case .data(let data): data
                default: Data(value.notation.utf8)
                }
            device.networkAnswers.append(NetworkAnswer(urlsBeginningWith: start, body: body, status: status))
        case .networkIsDown: device.networkAnswers = []
        }
        return nil
    }

    private func requireOn(_ device: Device) throws {
        guard device.state.isPoweredOn else { throw SimulationError.impossible(device: device.id, reason: "the device is off") }
    }

    /// The app on a device that was restored is of the version that it had when the backup was made.
    func useRestoredVersion(of device: Device) {
        if let version = AppVersion(device.appVersion) { useCatalogs(of: version, on: device) }
    }

    private func perform(_ change: DeviceStep.WidgetChange, on device: Device) throws -> AppOperation<Void>? {
        switch change {
        case .launch: return try launchWidget(on: device)
        case .suspend: try device.suspendWidget()
        case .resume:
            guard device.widget?.state == .suspended else {
                throw SimulationError.impossible(device: device.id, reason: "the widget is not suspended")
            }
            device.resumeWidget()
        case .terminate:
            _ = try device.requireWidget()
            device.terminateWidget()
        case .crash:
            _ = try device.requireWidget()
            device.crashWidget()
        }
        return nil
    }

    /// A widget registers the keys of its app's version and leaves their migrations to the app.
    private func launchWidget(on device: Device) throws -> AppOperation<Void> {
        let process = try device.launchWidget()
        let catalogs = keys.catalogs(for: version(of: device))
        return process.start("launch widget") { [weak device] in
            for catalog in catalogs {
                do {
                    try await StorageRouter.shared.registerCatalog(catalog)
                } catch {
                    guard process.life.isAlive else { return }
                    device?.record(
                        .log, .init("while", .text("register \(catalog.name) in the widget")),
                        .init("error", .text(ErrorText.name(of: error))))
                }
            }
        }
    }
}
