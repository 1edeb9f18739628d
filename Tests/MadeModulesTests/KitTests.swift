import DeviceSim
import Foundation
import SimulatedOS
import SimulatedSwiftUI
import Testing

/// What Apple's frameworks for apps are to app code: delegates, notifications, tasks, widgets, logs.
@Suite struct KitTests {
    @Test func aPhonesLifeReachesItsDelegate() throws {
        let simulation = made { HostedApp { PhoneDelegate() } }
        defer { simulation.shutDown() }
        let phone = simulation.phone
        try simulation.finish(phone.launch())
        try simulation.finish(phone.background())
        try simulation.wait(.seconds(1))
        try simulation.finish(phone.foreground())
        #expect(
            said(simulation) == [
                "will finish", "did finish active", "active active", "posted active", "resign", "background background",
                "enter foreground", "active active", "posted active",
            ])
    }

    @Test func aBackgroundTaskThatIsNotEndedExpires() throws {
        let simulation = made { HostedApp { PhoneDelegate() } }
        defer { simulation.shutDown() }
        try simulation.finish(simulation.phone.launch())
        try simulation.run(on: simulation.phone) {
            await MainActor.run {
                let app = UIApplication.shared
                _ = app.beginBackgroundTask(withName: "kept") { Logger().info("expired") }
                app.endBackgroundTask(app.beginBackgroundTask { Logger().info("never") })
            }
        }
        try simulation.wait(.seconds(29))
        #expect(!said(simulation).contains("expired"))
        try simulation.wait(.seconds(2))
        #expect(said(simulation).contains("expired") && !said(simulation).contains("never"))
    }

    @Test func aWatchsTasksAreGivenAsASet() throws {
        let simulation = made { HostedApp(watch: { WatchDelegate() }) }
        defer { simulation.shutDown() }
        try simulation.finish(simulation.watch.launch())
        try simulation.finish(simulation.watch.background())
        simulation.watch.wakeApp(for: .refresh)
        try simulation.settle()
        #expect(said(simulation) == ["launched", "active", "given application"])
        #expect(simulation.trace.events.contains { $0.kind == .backgroundTaskCompleted })
    }

    @Test func anExtendedSessionExpires() throws {
        let simulation = made { HostedApp(watch: { WatchDelegate() }) }
        defer { simulation.shutDown() }
        try simulation.finish(simulation.watch.launch())
        try simulation.run(on: simulation.watch) {
            await MainActor.run { (WKApplication.shared().delegate as? WatchDelegate)?.extend() }
        }
        try simulation.wait(.seconds(601))
        #expect(said(simulation).suffix(3) == ["running", "soon over", "over expired"])
    }

    @Test func widgetsHaveABudgetInTheBackground() throws {
        let simulation = made { HostedApp { PhoneDelegate() } }
        defer { simulation.shutDown() }
        try simulation.finish(simulation.phone.launch())
        try simulation.run(on: simulation.phone) { WidgetCenter.shared.reloadAllTimelines() }
        try simulation.finish(simulation.phone.background())
        try simulation.run(on: simulation.phone) { for _ in 1...41 { WidgetCenter.shared.reloadTimelines(ofKind: "clock") } }
        let budgets = simulation.trace.events.compactMap { $0.text("budget") }
        #expect(budgets.first == "not counted" && budgets.dropFirst().first == "39 left")
        #expect(budgets.suffix(2) == ["0 left", "refused"])
    }

    @Test func whatIsFeltAndShownOnFacesIsRecorded() throws {
        let simulation = made { HostedApp { PhoneDelegate() } }
        defer { simulation.shutDown() }
        try simulation.launchBoth()
        try simulation.run(on: simulation.phone) {
            await MainActor.run {
                UIImpactFeedbackGenerator(style: .heavy).impactOccurred()
                UINotificationFeedbackGenerator().notificationOccurred(.warning)
            }
        }
        #expect(simulation.trace.events.compactMap { $0.text("haptic") } == ["heavy", "warning"])
        let reload: @Sendable () -> Int = {
            let server = CLKComplicationServer.sharedInstance()
            for complication in server.activeComplications ?? [] { server.reloadTimeline(for: complication) }
            return server.activeComplications?.count ?? 0
        }
        #expect(try simulation.run(on: simulation.watch) { reload() } == 0)
        simulation.watch.hasComplication = true
        #expect(try simulation.run(on: simulation.watch) { reload() } == 1)
        let calls = simulation.trace.events.compactMap { $0.text("call") }
        #expect(
            calls.suffix(3) == ["UIImpactFeedbackGenerator", "UINotificationFeedbackGenerator", "CLKComplicationServer.reloadTimeline"])
    }

    @Test func aRefreshIsGivenToItsHandler() throws {
        let simulation = made { HostedApp { PhoneDelegate() } }
        defer { simulation.shutDown() }
        try simulation.finish(simulation.phone.launch())
        try simulation.run(on: simulation.phone) {
            let scheduler = BGTaskScheduler.shared
            let refused = #expect(throws: BGTaskScheduler.Error.self) { try scheduler.submit(BGAppRefreshTaskRequest(identifier: "a")) }
            #expect(refused?.code == .notPermitted)
            scheduler.register(forTaskWithIdentifier: "a", using: nil) { task in
                Logger().info("refreshed \(task is BGAppRefreshTask)")
                task.setTaskCompleted(success: true)
            }
            let request = BGAppRefreshTaskRequest(identifier: "a")
            request.earliestBeginDate = SystemShims.now.addingTimeInterval(60)
            try scheduler.submit(request)
        }
        try simulation.wait(.seconds(59))
        #expect(!said(simulation).contains("refreshed true"))
        try simulation.wait(.seconds(2))
        #expect(said(simulation).contains("refreshed true"))
    }

    @Test func aLogKeepsPrivateValuesToItself() throws {
        let simulation = made { HostedApp { PhoneDelegate() } }
        defer { simulation.shutDown() }
        try simulation.finish(simulation.phone.launch())
        try simulation.run(on: simulation.phone) {
            let name = "secret"
            Logger(subsystem: "s", category: "c").error("\(name) \(name, privacy: .public) \(7) \(7, privacy: .private) \(0.5)")
        }
        let event = simulation.trace.events.last { $0.kind == .log }
        #expect(event?.text("text") == "<private> secret 7 <private> 0.5")
        #expect(event?.text("level") == "error" && event?.text("subsystem") == "s" && event?.text("category") == "c")
    }

    @Test func storedPropertiesAreTheDevices() throws {
        struct Settings {
            @AppStorage("count") var count = 3
            @AppStorage("name") var name: String?
        }
        let simulation = made { HostedApp { PhoneDelegate() } }
        defer { simulation.shutDown() }
        try simulation.launchBoth()
        let found = try simulation.run(on: simulation.phone) {
            let settings = Settings()
            settings.$count.wrappedValue += 1
            settings.name = "n"
            return [String(settings.count), settings.name ?? "-", String(SystemShims.UserDefaults.standard.integer(forKey: "count"))]
        }
        #expect(found == ["4", "n", "4"])
        #expect(try simulation.run(on: simulation.watch) { Settings().count } == 3)
    }

    private func made(_ make: @escaping @Sendable () -> any SimulatedApp) -> Simulation {
        var options = SimulationOptions()
        options.makeApp = { _ in make() }
        return Simulation(options: options)
    }

    private func said(_ simulation: Simulation) -> [String] {
        simulation.trace.events.filter { $0.kind == .log }.compactMap { $0.text("text") }
    }
}

extension TraceEvent {
    fileprivate func text(_ name: String) -> String? {
        guard case .text(let text) = facts.first(where: { $0.name == name })?.value else { return nil }
        return text
    }
}

private func say(_ text: String) { Logger().info("\(text, privacy: .public)") }

private final class PhoneDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?
    private var token: (any NSObjectProtocol)?

    func application(
        _ application: UIApplication, willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        say("will finish")
        return true
    }

    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        window = UIWindow()
        window?.makeKeyAndVisible()
        say("did finish \(application.applicationState)\(window?.isKeyWindow == true ? "" : " without a window")")
        token = SystemShims.NotificationCenter.default.addObserver(
            forName: UIApplication.didBecomeActiveNotification, object: nil, queue: nil
        ) { _ in say("posted active") }
        return true
    }

    func applicationDidBecomeActive(_ application: UIApplication) { say("active \(application.applicationState)") }
    func applicationWillResignActive(_ application: UIApplication) { say("resign") }
    func applicationDidEnterBackground(_ application: UIApplication) { say("background \(application.applicationState)") }
    func applicationWillEnterForeground(_ application: UIApplication) { say("enter foreground") }
}

private final class WatchDelegate: NSObject, WKApplicationDelegate, WKExtendedRuntimeSessionDelegate {
    private var session: WKExtendedRuntimeSession?

    func applicationDidFinishLaunching() { say("launched") }
    func applicationDidBecomeActive() { say("active") }

    func handle(_ backgroundTasks: Set<WKRefreshBackgroundTask>) {
        for task in backgroundTasks {
            switch task {
            case is WKWatchConnectivityRefreshBackgroundTask: say("given connectivity")
            case is WKApplicationRefreshBackgroundTask: say("given application")
            default: say("given something else")
            }
            task.setTaskCompletedWithSnapshot(false)
        }
    }

    func extend() {
        session = WKExtendedRuntimeSession()
        session?.delegate = self
        session?.start()
    }

    func extendedRuntimeSessionDidStart(_ extendedRuntimeSession: WKExtendedRuntimeSession) { say("\(extendedRuntimeSession.state)") }
    func extendedRuntimeSessionWillExpire(_ extendedRuntimeSession: WKExtendedRuntimeSession) { say("soon over") }
    func extendedRuntimeSession(
        _ extendedRuntimeSession: WKExtendedRuntimeSession,
        didInvalidateWith reason: WKExtendedRuntimeSessionInvalidationReason, error: (any Error)?
    ) { say("over \(reason)") }
}
