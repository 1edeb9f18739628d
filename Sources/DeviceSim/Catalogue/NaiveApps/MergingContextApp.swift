import DeviceSimCore
import Foundation
import SimulatedSystem
import WatchConnectivity

/// P2. Several features merge their keys into the context that was sent last: they read it, prepare what they add, and write the whole. Who prepares longer
/// takes back what the others wrote meanwhile; and since nothing is ever taken out, the context grows until it is refused (W101).
final class MergingContextApp: NSObject, NaiveApp, @unchecked Sendable {
    private typealias DispatchQueue = SystemShims.DispatchQueue

    private var received: [String: Any] = [:]

    var buttons: [String: (ScenarioValue) async throws -> Void] {
        [
            "choose theme": { value in self.merge(["theme": value.foundationValue]) },
            // Draws the rings first, which takes a moment.
            "set goal": { value in self.merge(["goal": value.foundationValue], after: 0.1) },
            "add photo": { value in
                let number = Self.photoCount(WCSession.default.applicationContext) + 1
                self.merge(["photo \(number)": value.foundationValue])
            },
        ]
    }

    var screen: [String: ScenarioValue] {
        let theme = received["theme"] as? String
        let goal = received["goal"] as? Int
        return ["theme": .shown(theme), "goal": .shown(goal), "photos": .shown(Self.photoCount(received))]
    }

    private static func photoCount(_ context: [String: Any]) -> Int {
        context.keys.count { $0.hasPrefix("photo ") }
    }

    private func merge(_ entries: [String: Any], after seconds: Double = 0) {
        var merged = WCSession.default.applicationContext
        merged.merge(entries) { $1 }
        nonisolated(unsafe) let context = merged
        DispatchQueue.main.asyncAfter(deadline: .now().advanced(by: seconds)) {
            try? WCSession.default.updateApplicationContext(context)
        }
    }

    func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        received = applicationContext
    }
}
