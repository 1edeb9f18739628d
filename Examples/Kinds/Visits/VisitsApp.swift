import SwiftUI
import WatchConnectivity
import os

#if os(watchOS)
    import WatchKit
#else
    import UIKit
#endif

private let log = Logger(subsystem: "com.example.visits", category: "session")

@main
struct VisitsApp: App {
    #if os(watchOS)
        @WKApplicationDelegateAdaptor private var delegate: AppDelegate
    #else
        @UIApplicationDelegateAdaptor private var delegate: AppDelegate
    #endif
    @Environment(\.scenePhase) private var phase

    var body: some Scene {
        WindowGroup {
            Text("\(Visits.shared.received)")
        }
        .onChange(of: phase) { _, phase in
            if phase == .active { Visits.shared.refresh() }
        }
    }
}

/// How often the counterpart was opened, as far as it was heard.
final class Visits: NSObject, WCSessionDelegate {
    static let shared = Visits()

    @AppStorage("visits.own") var own = 0
    @AppStorage("visits.received") var received = 0
    private(set) var refreshes = 0
    /// The last visit that was handed to the session.
    private var sent = 0
    /// Is called when the session has nothing more to hand over.
    var onIdle: (() -> Void)?

    func start() {
        WCSession.default.delegate = self
        WCSession.default.activate()
    }

    func refresh() {
        refreshes += 1
    }

    func visited() {
        own += 1
        log.info("visit \(self.own)")
        send()
    }

    /// A visit before the session is activated is sent once it is.
    private func send() {
        guard WCSession.default.activationState == .activated, sent < own else { return }
        sent = own
        WCSession.default.transferUserInfo(["visits": own])
    }

    func session(_ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: Error?) {
        DispatchQueue.main.async {
            self.send()
            self.onIdle?()
        }
    }

    func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any] = [:]) {
        DispatchQueue.main.async {
            self.received = userInfo["visits"] as? Int ?? self.received
            #if os(iOS)
                log.notice("heard of \(self.received, privacy: .public)")
            #endif
            self.onIdle?()
        }
    }

    #if os(iOS)
        func sessionDidBecomeInactive(_ session: WCSession) {}
        func sessionDidDeactivate(_ session: WCSession) { session.activate() }
    #endif
}

#if os(watchOS)
    final class AppDelegate: NSObject, WKApplicationDelegate {
        private var tasks: [WKWatchConnectivityRefreshBackgroundTask] = []

        func applicationDidFinishLaunching() {
            Visits.shared.onIdle = { [weak self] in MainActor.assumeIsolated { self?.completeTasks() } }
            Visits.shared.start()
        }

        func applicationDidBecomeActive() {
            Visits.shared.visited()
        }

        func handle(_ backgroundTasks: Set<WKRefreshBackgroundTask>) {
            for task in backgroundTasks {
                switch task {
                case let task as WKWatchConnectivityRefreshBackgroundTask: tasks.append(task)
                default: task.setTaskCompletedWithSnapshot(false)
                }
            }
            completeTasks()
        }

        private func completeTasks() {
            guard WCSession.default.activationState == .activated, !WCSession.default.hasContentPending else { return }
            for task in tasks { task.setTaskCompletedWithSnapshot(false) }
            tasks = []
        }
    }
#else
    final class AppDelegate: NSObject, UIApplicationDelegate {
        func application(
            _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
        ) -> Bool {
            Visits.shared.start()
            _ = NotificationCenter.default.addObserver(forName: UIApplication.didBecomeActiveNotification, object: nil, queue: .main) { _ in
                Visits.shared.visited()
            }
            return true
        }

        func applicationDidEnterBackground(_ application: UIApplication) {
            var identifier = UIBackgroundTaskIdentifier.invalid
            identifier = application.beginBackgroundTask(withName: "goodbye") {
                application.endBackgroundTask(identifier)
            }
            DispatchQueue.main.asyncAfter(deadline: .now() + 2) {
                MainActor.assumeIsolated { application.endBackgroundTask(identifier) }
            }
        }
    }
#endif
