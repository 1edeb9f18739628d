import DeviceSimCore
import Foundation
import WatchConnectivity

/// P36. A delegate from the days of one watch, in Objective-C, where `sessionDidBecomeInactive` and `sessionDidDeactivate` may be left out. After a switch of
/// watches the system ends such an app as soon as it is in the background (W118), with what somebody had written and not saved.
class OneWatchApp: NSObject, NaiveApp, @unchecked Sendable {
    private var draft: String?

    var buttons: [String: (ScenarioValue) async throws -> Void] {
        ["write": { value in self.draft = String(value) }]
    }

    var screen: [String: ScenarioValue] { ["draft": .shown(draft)] }

    // A method that is left out, as far as the session can tell.
    func sessionDidBecomeInactive(_ session: WCSession) { session.backend?.delegateDoesNotImplement(.didBecomeInactive) }
    func sessionDidDeactivate(_ session: WCSession) { session.backend?.delegateDoesNotImplement(.didDeactivate) }
}
