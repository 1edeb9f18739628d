import Foundation

/// All keychain operations, with typed errors.
public actor KeychainHelper {
    /// The helper of the current device (see ``StorageRouter/shared``).
    public static var shared: KeychainHelper { StorageRouter.shared.keychain }

    let environment: StorageEnvironment

    init(environment: StorageEnvironment) {
        self.environment = environment
    }
}
