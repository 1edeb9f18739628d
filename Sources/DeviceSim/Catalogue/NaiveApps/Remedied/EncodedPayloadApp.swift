import DeviceSimCore
import Foundation

/// The remedy of P14: what is not made of property-list types travels as data, encoded by what encodes it elsewhere.
final class EncodedPayloadApp: NullPayloadApp, @unchecked Sendable {
    override func payload(of profile: [String: Any]) throws -> [String: Any] {
        ["profile": try JSONSerialization.data(withJSONObject: profile, options: .sortedKeys)]
    }

    override func profile(in payload: [String: Any]) -> [String: Any] {
        guard let data = payload["profile"] as? Data, let profile = try? JSONSerialization.jsonObject(with: data) else { return [:] }
        return profile as? [String: Any] ?? [:]
    }
}
