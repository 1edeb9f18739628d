import DeviceSimCore
import DeviceSimLanguage
import DeviceSimRunner

/// What a device and the link were like when a step was made.
package struct StepSituation: Sendable, Hashable {
    /// What the system had made of the app, or of the widget for a step of the widget's.
    package enum App: String, Sendable, Hashable, CaseIterable {
        case foreground, background, suspended
        case notRunning = "not running"
        case notInstalled = "not installed"
    }

    package enum Lock: String, Sendable, Hashable, CaseIterable {
        case unlocked, locked
        case beforeFirstUnlock = "before first unlock"
        case off
    }

    package enum Link: String, Sendable, Hashable, CaseIterable {
        case up = "link up"
        case down = "link down"
        case unpaired
    }

    package let app: App
    package let lock: Lock
    package let link: Link

    package init(app: App, lock: Lock, link: Link) { (self.app, self.lock, self.link) = (app, lock, link) }

    /// `foreground, unlocked, link up`
    package var name: String { "\(app.rawValue), \(lock.rawValue), \(link.rawValue)" }

    init(of device: Device, _ part: AppPart, in run: ScenarioRun) {
        let process: DeviceProcess? = part == .app ? device.process : device.widget
        app =
            if !device.isAppInstalled {
                .notInstalled
            } else {
                switch process?.state {
                case nil: .notRunning
                case .foreground: .foreground
                case .background: .background
                case .suspended: .suspended
                }
            }
        lock =
            switch device.state.lockState {
            case _ where !device.state.isPoweredOn: .off
            case .unlocked: .unlocked
            case .locked: .locked
            case .beforeFirstUnlock: .beforeFirstUnlock
            }
        link = !run.simulation.network.isPaired ? .unpaired : run.simulation.isLinkUp ? .up : .down
    }

    /// All that there are, everyday ones first: a device that is off runs nothing, and only an unlocked one shows an app.
    package static let all: [StepSituation] = Link.allCases.flatMap { link in
        Lock.allCases.flatMap { lock in
            App.allCases.compactMap { app in
                switch (lock, app) {
                case (.off, .foreground), (.off, .background), (.off, .suspended): nil
                case (.locked, .foreground), (.beforeFirstUnlock, .foreground): nil
                default: StepSituation(app: app, lock: lock, link: link)
                }
            }
        }
    }
}

extension Form {
    /// The kind of step, as coverage tells it: the line without what is expected of it.
    /// - Parameter isOfWidget: Whether the app's widget makes it, where either may.
    func stepKind(isOfWidget: Bool = false) -> String {
        pattern.text.replacing(" [OUTCOME]", with: "").replacing(" [CRASH]", with: "")
            .replacing("[widget] ", with: isOfWidget ? "widget " : "")
    }
}
