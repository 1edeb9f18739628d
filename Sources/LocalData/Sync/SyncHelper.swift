import Foundation
import WatchConnectivity

/// Sends merged snapshots of the synced values to the counterpart, and keeps the ledger of their versions.
public actor SyncHelper {
    /// The helper of the current device (see ``StorageRouter/shared``).
    public static var shared: SyncHelper { StorageRouter.shared.sync }

    let environment: StorageEnvironment

    init(environment: StorageEnvironment) {
        self.environment = environment
    }
}
