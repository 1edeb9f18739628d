import Foundation
import WatchConnectivity

/// One app process's end of its device's session: what `WCSession.default` asks in that process.
///
/// Confined to the simulation's thread.
final class SessionEndpoint: @unchecked Sendable {}
