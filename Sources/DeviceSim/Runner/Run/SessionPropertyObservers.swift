import DeviceSimCore
import DeviceSimLanguage
import WatchConnectivity

/// What apps that observe their session's properties were told of them last, by process: another process knows nothing of what one before it was told.
///
/// Confined to the simulation's thread.
package final class SessionPropertyObservers: @unchecked Sendable {
    /// A property that code can be told of: of Apple's session those whose changes the delegate is told of too, and `hasContentPending` (W125).
    package enum Property: String, CaseIterable {
        case activationState, hasContentPending, isReachable, isPaired, isWatchAppInstalled, isComplicationEnabled, isCompanionAppInstalled

        /// Those that the device's session has.
        static func all(of device: DeviceID) -> [Property] {
            allCases.filter { Expectation.SessionProperty(rawValue: $0.rawValue)?.exists(on: device) ?? false }
        }

        var keyPath: PartialKeyPath<WCSession> {
            switch self {
            case .activationState: \.activationState
            case .hasContentPending: \.hasContentPending
            case .isReachable: \.isReachable
            case .isPaired: \.isPaired
            case .isWatchAppInstalled: \.isWatchAppInstalled
            case .isComplicationEnabled: \.isComplicationEnabled
            case .isCompanionAppInstalled: \.isCompanionAppInstalled
            }
        }

        /// What the session shows now, to code of its process.
        func value(in session: WCSession) -> TraceEvent.Value {
            switch self {
            case .activationState: .text(session.activationState.notation)
            case .hasContentPending: .flag(session.hasContentPending)
            case .isReachable: .flag(session.isReachable)
            case .isPaired: .flag(session.isPaired)
            case .isWatchAppInstalled: .flag(session.isWatchAppInstalled)
            case .isComplicationEnabled: .flag(session.isComplicationEnabled)
            case .isCompanionAppInstalled: .flag(session.isCompanionAppInstalled)
            }
        }
    }

    private struct Observer {
        weak var process: DeviceProcess?
        /// What it was told last, or found when it began.
        var known: [Property: TraceEvent.Value]
    }

    private var observers: [Observer] = []

    /// Code of the process begins to observe its session. Once is enough: a second time changes nothing.
    /// - Parameter changed: Called with each change, as code of the process.
    func begin(on session: WCSession, in process: DeviceProcess, _ changed: @escaping (Property, TraceEvent.Value) -> Void) {
        observers.removeAll { $0.process?.life.isAlive != true }
        guard !observers.contains(where: { $0.process === process }) else { return }
        let properties = Property.all(of: process.life.device)
        observers.append(
            Observer(process: process, known: Dictionary(uniqueKeysWithValues: properties.map { ($0, $0.value(in: session)) })))
        for property in properties {
            session.whenTold(of: property.keyPath) { [weak self, weak session, weak process] in
                guard let self, let session, let process else { return }
                let value = property.value(in: session)
                if tell(value, of: property, in: process) { changed(property, value) }
            }
        }
    }

    /// An observer in the process is told a value.
    /// - Returns: whether that is news to it.
    func tell(_ value: TraceEvent.Value, of property: Property, in process: DeviceProcess) -> Bool {
        guard let place = observers.firstIndex(where: { $0.process === process }) else { return false }
        return observers[place].known.updateValue(value, forKey: property) != value
    }

    /// The properties of which an observer in the process was told something else last than what the session shows, in the order of ``Property``. For code that
    /// runs in the process.
    package func outdated(in process: DeviceProcess, _ session: WCSession) -> [Property] {
        guard let known = observers.first(where: { $0.process === process })?.known else { return [] }
        return Property.allCases.filter { property in known[property].map { $0 != property.value(in: session) } ?? false }
    }

    /// Whether code of the process observes its session.
    package func observes(_ process: DeviceProcess) -> Bool { observers.contains { $0.process === process } }
}

extension ScenarioRun {
    /// The app's code observes its session, until its process ends.
    func observeSession(on device: Device) throws -> AppOperation<Void> {
        let process = try device.requireProcess()
        let life = process.life
        let observers = sessionObservers
        return try device.start("observe session") { [weak device] in
            observers.begin(on: WCSession.default, in: process) { [weak device] property, value in
                device?.record(.sessionObserved, by: life, [.init("keyPath", .text(property.rawValue)), .init("value", value)])
            }
        }
    }
}
