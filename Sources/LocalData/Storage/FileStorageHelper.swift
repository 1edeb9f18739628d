import Foundation

/// Durable, atomic files.
public actor FileStorageHelper {
    /// The helper of the current device (see ``StorageRouter/shared``).
    public static var shared: FileStorageHelper { StorageRouter.shared.files }

    let environment: StorageEnvironment

    init(environment: StorageEnvironment) {
        self.environment = environment
    }
}
