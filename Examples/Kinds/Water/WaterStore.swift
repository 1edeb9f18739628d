import Combine
import SwiftUI
import WatchConnectivity

/// How many glasses were drunk today, the same on both devices. The views observe it.
final class WaterStore: NSObject, ObservableObject {
    static let shared = WaterStore()

    @Published var glasses = 0
    @Published private(set) var isCounterpartReachable = false
    private let received = PassthroughSubject<Int, Never>()
    private var cancellables: Set<AnyCancellable> = []

    override init() {
        super.init()
        // What is typed in quick succession is sent once.
        $glasses
            .dropFirst()
            .removeDuplicates()
            .debounce(for: .seconds(1), scheduler: DispatchQueue.main)
            .sink { [weak self] in self?.send($0) }
            .store(in: &cancellables)
        received
            .receive(on: DispatchQueue.main)
            .assign(to: &$glasses)
    }

    func start() {
        guard WCSession.isSupported() else { return }
        WCSession.default.delegate = self
        WCSession.default.activate()
    }

    func drink() {
        withAnimation { glasses += 1 }
    }

    private func send(_ glasses: Int) {
        try? WCSession.default.updateApplicationContext(["glasses": glasses])
    }
}

extension WaterStore: WCSessionDelegate {
    func session(_ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: Error?) {
        sessionReachabilityDidChange(session)
    }

    func sessionReachabilityDidChange(_ session: WCSession) {
        let isReachable = session.isReachable
        DispatchQueue.main.async { self.isCounterpartReachable = isReachable }
    }

    func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        if let glasses = applicationContext["glasses"] as? Int { received.send(glasses) }
    }

    #if os(iOS)
        func sessionDidBecomeInactive(_ session: WCSession) {}
        func sessionDidDeactivate(_ session: WCSession) { session.activate() }
    #endif
}

struct WaterView: View {
    @ObservedObject var store: WaterStore

    var body: some View {
        VStack {
            Text("\(store.glasses)").font(.largeTitle)
            Button("Drink") { store.drink() }.disabled(!store.isCounterpartReachable)
        }
    }
}
