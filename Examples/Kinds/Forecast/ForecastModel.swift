import Foundation
import WatchConnectivity

/// Tomorrow's weather. The phone asks a server for it, and tells the watch.
@MainActor
final class ForecastModel: NSObject {
    static let shared = ForecastModel()

    struct Forecast: Codable {
        var degrees: Int
        var sky: String
    }

    private(set) var text = "no forecast yet"

    func start() {
        WCSession.default.delegate = self
        WCSession.default.activate()
    }

    func refresh() async {
        guard let url = URL(string: "https://weather.example.com/tomorrow?place=here") else { return }
        do {
            let (data, response) = try await URLSession.shared.data(from: url)
            guard (response as? HTTPURLResponse)?.statusCode == 200 else {
                text = "no forecast today"
                return
            }
            let forecast = try JSONDecoder().decode(Forecast.self, from: data)
            show(forecast.degrees, forecast.sky)
            try WCSession.default.updateApplicationContext(["degrees": forecast.degrees, "sky": forecast.sky])
        } catch let error as URLError where error.code == .notConnectedToInternet {
            text += " (offline)"
        } catch {
            text = "no forecast today"
        }
    }

    private func show(_ degrees: Int, _ sky: String) {
        text = "\(degrees)°, \(sky)"
    }
}

extension ForecastModel: WCSessionDelegate {
    nonisolated func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?
    ) {}

    nonisolated func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        guard let degrees = applicationContext["degrees"] as? Int, let sky = applicationContext["sky"] as? String else { return }
        Task { @MainActor in show(degrees, sky) }
    }

    #if os(iOS)
        nonisolated func sessionDidBecomeInactive(_ session: WCSession) {}
        nonisolated func sessionDidDeactivate(_ session: WCSession) { session.activate() }
    #endif
}
