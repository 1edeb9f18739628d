import LocalData
import UIKit

/// What the phone's system tells the app.
final class PhoneDelegate: NSObject, UIApplicationDelegate {
    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool {
        // Now: when the task runs, the system does not tell any more that it has prewarmed the process.
        _ = StorageRouter.shared
        Task { await SampleModel.shared.start() }
        return true
    }

    func applicationDidBecomeActive(_ application: UIApplication) {
        Task { await SampleModel.shared.catchUp() }
    }

    func applicationProtectedDataDidBecomeAvailable(_ application: UIApplication) {
        Task { await SampleModel.shared.catchUp() }
    }

    func applicationDidEnterBackground(_ application: UIApplication) {
        VaultModel.shared.hide()
        Task { await DiaryModel.shared.close() }
    }
}
