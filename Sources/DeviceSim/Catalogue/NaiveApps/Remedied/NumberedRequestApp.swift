import DeviceSimCore
import SimulatedSystem

/// The remedy of P39: each request has an identifier of its own. Two deliveries of one have the same, two requests never.
final class NumberedRequestApp: SilencedAgainApp, @unchecked Sendable {
    override func request(for episode: Int) -> [String: Any] {
        ["episode": episode, "id": SystemShims.uuid().uuidString]
    }

    override func mark(of request: [String: Any]) -> String { request["id"] as? String ?? "" }
}
