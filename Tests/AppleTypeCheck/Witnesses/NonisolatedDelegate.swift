import LocalData
import WatchConnectivity

// The session calls its delegate on a queue of its own, also in a project whose code belongs to the main actor by default. A delegate of that actor compiles there,
// and ends the app at its first call (P48); what is asked of it here it does not bear.

nonisolated func delegate(_ app: ReferenceApp) -> any WCSessionDelegate & Sendable { app }

nonisolated func callback(of work: BackgroundWork) {
    work.check()
    work.giveUp()
}
