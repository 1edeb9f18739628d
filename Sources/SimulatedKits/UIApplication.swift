internal import DeviceSimCore
public import Foundation
internal import SimulatedSystem

/// Something that takes part in handling events. Here: what an app's delegate inherits from.
@MainActor open class UIResponder: NSObject {
    /// A responder.
    nonisolated public override init() {}
}

/// The running phone app, as UIKit has it.
@MainActor public final class UIApplication: UIResponder {
    /// Whether the app is in front.
    public enum State: Int, Sendable {
        /// In front, and getting events.
        case active
        /// In front, and getting none.
        case inactive
        /// Not in front.
        case background
    }

    /// What ``UIApplicationDelegate`` is told of a launch. None are there in a simulation.
    public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
        /// Its name.
        public let rawValue: String

        /// A key of that name.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// What a URL is opened with. None are there in a simulation.
    public struct OpenURLOptionsKey: RawRepresentable, Hashable, Sendable {
        /// Its name.
        public let rawValue: String

        /// A key of that name.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The app of the process whose code is running.
    public static var shared: UIApplication { SystemShims.processLocal("UIApplication.shared") { UIApplication() } }

    /// Is told of the app's life.
    public var delegate: (any UIApplicationDelegate)?
    /// Kept for the app. Decides nothing in a simulation.
    public var isIdleTimerDisabled = false
    /// Kept for the app. Decides nothing in a simulation.
    public var applicationIconBadgeNumber = 0
    private var tasks: [Int: UIBackgroundTask] = [:]
    private var taskCount = 0

    /// Where the app is, by the simulated device.
    public var applicationState: State {
        switch ProcessContext.current?.device?.process?.state {
        case .foreground: .active
        case .background, .suspended, nil: .background
        }
    }

    /// Whether files with complete protection can be read.
    public var isProtectedDataAvailable: Bool { ProcessContext.current?.device?.state.lockState ?? .unlocked == .unlocked }

    /// Seconds that are left in the background; as good as for ever in front.
    public var backgroundTimeRemaining: TimeInterval {
        guard applicationState == .background else { return .greatestFiniteMagnitude }
        let now = SystemShims.DispatchTime.now().uptimeNanoseconds
        let end = tasks.values.map(\.end.uptimeNanoseconds).max() ?? now
        return end > now ? Double(end - now) / 1_000_000_000 : 0
    }

    /// Opens nothing, and says so.
    public func open(_ url: URL, options: [String: Any] = [:], completionHandler: (@MainActor @Sendable (Bool) -> Void)? = nil) {
        if let completionHandler { SystemShims.DispatchQueue.main.async { MainActor.assumeIsolated { completionHandler(false) } } }
    }

    /// Kept quiet: no device has a token for pushes in a simulation.
    public func registerForRemoteNotifications() {}

    /// Says that something is to be finished in the background, and is recorded. Its handler is called after 30 seconds, unless it was ended.
    ///
    /// The simulation suspends an app when a scenario says so, or when the time is over for which the system woke it, whatever tasks there are.
    public func beginBackgroundTask(expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil) -> UIBackgroundTaskIdentifier {
        beginBackgroundTask(withName: nil, expirationHandler: handler)
    }

    /// The same, with a name for the trace.
    public func beginBackgroundTask(
        withName name: String?, expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier {
        taskCount += 1
        let number = taskCount
        let end = SystemShims.DispatchTime.now().advanced(by: 30)
        tasks[number] = UIBackgroundTask(name: name, end: end)
        ProcessContext.current?.record(.log, .init("call", .text("beginBackgroundTask")), .init("name", .text(name ?? "-")))
        SystemShims.DispatchQueue.main.asyncAfter(deadline: end) {
            MainActor.assumeIsolated {
                guard self.tasks[number] != nil else { return }
                ProcessContext.current?.record(.log, .init("call", .text("expirationHandler")), .init("name", .text(name ?? "-")))
                handler?()
            }
        }
        return UIBackgroundTaskIdentifier(rawValue: number)
    }

    /// Says that it is finished.
    public func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {
        guard let task = tasks.removeValue(forKey: identifier.rawValue) else { return }
        ProcessContext.current?.record(.log, .init("call", .text("endBackgroundTask")), .init("name", .text(task.name ?? "-")))
    }
}

private struct UIBackgroundTask {
    let name: String?
    let end: SystemShims.DispatchTime
}

/// Names something that is to be finished in the background.
public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
    /// Its number.
    public let rawValue: Int
    /// None.
    public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)

    /// The one of that number.
    public init(rawValue: Int) { self.rawValue = rawValue }
}

/// What came of a fetch in the background.
public enum UIBackgroundFetchResult: UInt, Sendable {
    /// There was something new.
    case newData
    /// There was nothing.
    case noData
    /// It failed.
    case failed
}

extension UIApplication {
    /// Posted after the launch.
    nonisolated public static let didFinishLaunchingNotification = Notification.Name("UIApplicationDidFinishLaunchingNotification")
    /// Posted when the app is in front.
    nonisolated public static let didBecomeActiveNotification = Notification.Name("UIApplicationDidBecomeActiveNotification")
    /// Posted before the app leaves the front.
    nonisolated public static let willResignActiveNotification = Notification.Name("UIApplicationWillResignActiveNotification")
    /// Posted when the app has left the front.
    nonisolated public static let didEnterBackgroundNotification = Notification.Name("UIApplicationDidEnterBackgroundNotification")
    /// Posted before the app comes to the front again.
    nonisolated public static let willEnterForegroundNotification = Notification.Name("UIApplicationWillEnterForegroundNotification")
    /// Never posted: the system ends apps without a word.
    nonisolated public static let willTerminateNotification = Notification.Name("UIApplicationWillTerminateNotification")
    /// Never posted in a simulation.
    nonisolated public static let didReceiveMemoryWarningNotification = Notification.Name(
        "UIApplicationDidReceiveMemoryWarningNotification")
    /// Never posted in a simulation.
    nonisolated public static let significantTimeChangeNotification = Notification.Name("UIApplicationSignificantTimeChangeNotification")
    /// Posted when the phone was unlocked.
    nonisolated public static let protectedDataDidBecomeAvailableNotification = Notification.Name(
        "UIApplicationProtectedDataDidBecomeAvailable")
    /// Never posted in a simulation.
    nonisolated public static let protectedDataWillBecomeUnavailableNotification = Notification.Name(
        "UIApplicationProtectedDataWillBecomeUnavailable")
}
