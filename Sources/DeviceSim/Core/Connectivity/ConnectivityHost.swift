import Foundation
import LocalData

/// What a device's connectivity daemon needs to know of the device, and may ask of it.
package protocol ConnectivityHost: AnyObject {
    var id: DeviceID { get }
    var state: DeviceState { get }
    /// Whether the app (on a watch, the watch app) is installed.
    var isAppInstalled: Bool { get }
    /// `nil` while the app does not run.
    var appState: AppState? { get }
    /// Whether the app runs in the background with high priority (W30).
    var hasHighPriority: Bool { get }
    /// Whether the app's complication is on the active watch face. Always false on a phone.
    var isComplicationOnFace: Bool { get }
    /// Whether the app holds a refresh task in the background. Always false on a phone.
    var hasRefreshTime: Bool { get }
    /// The time that the device shows.
    var wallClock: Date { get }
    /// `nil` for a device without storage.
    var files: (any ConnectivityFiles)? { get }
    /// The endpoint of the running app process, if one runs.
    var endpoint: SessionEndpoint? { get }
    /// Launches the app in the background, or resumes it if it is suspended. No effect while it runs.
    func wakeApp(for reason: WakeReason)
    /// The system removes the app, since that of the phone was removed which it depends on (W120).
    func removeApp()
    /// The session's delegate has no code for several watches (W118).
    func appOptedOut()
}

extension ConnectivityHost {
    var hasHighPriority: Bool { false }
    func removeApp() {}
    func appOptedOut() {}
}

/// Why the system starts an app in the background.
package enum WakeReason: String, Sendable, Hashable {
    case message
    case context
    case userInfo
    case complication
    case file
    /// A complication loads its data.
    case complicationLoad
    /// The app refreshes itself.
    case refresh
}
