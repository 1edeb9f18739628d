import DeviceSimCore

/// The remedy of P4: each request has a number, and what is not newer than the last one that was acted on is not acted on.
final class NumberedContextApp: EveryContextApp, @unchecked Sendable {
    override func request(_ episode: Any) -> [String: Any] {
        let number = UserDefaults.standard.integer(forKey: "requests") + 1
        UserDefaults.standard.set(number, forKey: "requests")
        return ["episode": episode, "number": number]
    }

    override func play(_ request: [String: Any]) {
        guard let number = request["number"] as? Int, number > UserDefaults.standard.integer(forKey: "last request") else { return }
        UserDefaults.standard.set(number, forKey: "last request")
        super.play(request)
    }
}
