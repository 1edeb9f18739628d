import Foundation

/// Preferences of the app, of suites and of App Groups.
public actor UserDefaultsHelper {
    /// The helper of the current device (see ``StorageRouter/shared``).
    public static var shared: UserDefaultsHelper { StorageRouter.shared.defaults }

    let environment: StorageEnvironment

    init(environment: StorageEnvironment) {
        self.environment = environment
    }
}
