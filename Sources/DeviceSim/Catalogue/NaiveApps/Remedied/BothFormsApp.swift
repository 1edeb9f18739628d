import DeviceSimCore

/// The remedy of P43: 2.0 sends the new form beside the old one, under a name of its own, and takes either.
final class BothFormsApp: NewFormApp, @unchecked Sendable {
    override func message(of theme: String) -> [String: Any] {
        isNew ? ["theme": theme, "theme.2": ["name": theme, "accent": "blue"]] : ["theme": theme]
    }

    override func read(_ message: [String: Any]) -> String? {
        let new = isNew ? (message["theme.2"] as? [String: Any])?["name"] as? String : nil
        return new ?? message["theme"] as? String
    }
}
