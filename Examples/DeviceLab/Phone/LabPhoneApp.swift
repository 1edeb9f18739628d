import SwiftUI
import UIKit

@main
struct LabPhoneApp: App {
    @UIApplicationDelegateAdaptor private var delegate: LabPhoneDelegate

    var body: some Scene {
        WindowGroup { LabView() }
    }
}

/// What the phone's system tells the app.
final class LabPhoneDelegate: NSObject, UIApplicationDelegate {
    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool {
        LabModel.shared.start(inBackground: application.applicationState == .background)
        return true
    }

    func applicationWillEnterForeground(_ application: UIApplication) {
        LabModel.shared.recorder.note("app.foreground")
    }

    func applicationDidEnterBackground(_ application: UIApplication) {
        LabModel.shared.recorder.note("app.background")
    }
}
