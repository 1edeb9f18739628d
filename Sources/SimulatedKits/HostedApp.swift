public import DeviceSimCore
import Foundation
internal import SimulatedSystem

/// An app whose code is made of delegates, as a simulated device runs it: what the device does is told to the delegate and posted as notifications, in
/// UIKit's and WatchKit's order. A subclass says what somebody does with the app and what it shows; one that needs neither is none:
///
/// ```swift
/// ScenarioSuite { HostedApp { AppDelegate() } } watch: { HostedApp(watch: { ExtensionDelegate() }) }
/// ```
///
/// All of it runs on the main actor of the app's process.
open class HostedApp: SimulatedApp, @unchecked Sendable {
    private let phone: (@MainActor @Sendable () -> any UIApplicationDelegate)?
    private let watch: (@MainActor @Sendable () -> any WKApplicationDelegate)?

    /// A phone app. The closure makes its delegate, at the launch.
    public init(_ makeDelegate: @escaping @MainActor @Sendable () -> any UIApplicationDelegate) {
        phone = makeDelegate
        watch = nil
    }

    /// A watch app. The closure makes its delegate, at the launch.
    public init(watch makeDelegate: @escaping @MainActor @Sendable () -> any WKApplicationDelegate) {
        phone = nil
        watch = makeDelegate
    }

    @MainActor open func didFinishLaunching(inBackground: Bool) async {
        if let phone {
            let app = UIApplication.shared
            let delegate = phone()
            app.delegate = delegate
            _ = delegate.application(app, willFinishLaunchingWithOptions: nil)
            _ = delegate.application(app, didFinishLaunchingWithOptions: nil)
            post(UIApplication.didFinishLaunchingNotification, app)
            if !inBackground { becomeActive() }
        } else if let watch {
            let app = WKApplication.shared()
            app.delegate = watch()
            app.delegate?.applicationDidFinishLaunching()
            post(WKApplication.didFinishLaunchingNotification, app)
            if !inBackground { becomeActive() }
        }
    }

    @MainActor open func didEnterForeground() async {
        if phone != nil {
            let app = UIApplication.shared
            app.delegate?.applicationWillEnterForeground(app)
            post(UIApplication.willEnterForegroundNotification, app)
        } else {
            let app = WKApplication.shared()
            app.delegate?.applicationWillEnterForeground()
            post(WKApplication.willEnterForegroundNotification, app)
        }
        becomeActive()
    }

    @MainActor open func didEnterBackground() async {
        if phone != nil {
            let app = UIApplication.shared
            app.delegate?.applicationWillResignActive(app)
            post(UIApplication.willResignActiveNotification, app)
            app.delegate?.applicationDidEnterBackground(app)
            post(UIApplication.didEnterBackgroundNotification, app)
        } else {
            let app = WKApplication.shared()
            app.delegate?.applicationWillResignActive()
            post(WKApplication.willResignActiveNotification, app)
            app.delegate?.applicationDidEnterBackground()
            post(WKApplication.didEnterBackgroundNotification, app)
        }
    }

    @MainActor open func protectedDataDidBecomeAvailable() async {
        guard phone != nil else { return }
        let app = UIApplication.shared
        app.delegate?.applicationProtectedDataDidBecomeAvailable(app)
        post(UIApplication.protectedDataDidBecomeAvailableNotification, app)
    }

    @MainActor open func handleBackgroundTask(_ task: ConnectivityRefreshTask) async {
        let given: WKRefreshBackgroundTask = task.isOfSession ? task : WKApplicationRefreshBackgroundTask(task)
        WKApplication.shared().delegate?.handle([given])
    }

    open func perform(_ action: String, with value: ScenarioValue) async throws {
        throw AppActionError("this app has no action '\(action)'; override HostedApp.perform(_:with:)")
    }

    open func shown(_ name: String) async throws -> ScenarioValue {
        throw AppActionError("this app shows no '\(name)'; override HostedApp.shown(_:)")
    }

    @MainActor private func becomeActive() {
        if phone != nil {
            let app = UIApplication.shared
            app.delegate?.applicationDidBecomeActive(app)
            post(UIApplication.didBecomeActiveNotification, app)
        } else {
            let app = WKApplication.shared()
            app.delegate?.applicationDidBecomeActive()
            post(WKApplication.didBecomeActiveNotification, app)
        }
    }

    @MainActor private func post(_ name: Notification.Name, _ app: AnyObject) {
        SystemShims.NotificationCenter.default.post(name: name, object: app)
    }
}
