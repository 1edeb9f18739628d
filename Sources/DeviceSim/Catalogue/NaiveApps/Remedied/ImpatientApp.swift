import DeviceSimCore
import Foundation
import SimulatedSystem
import WatchConnectivity

/// The remedy of P20: what has been outstanding for longer than transfers take is cancelled and handed over anew, when the app comes to the foreground. It
/// may have arrived all the same (W86): the receiver takes each note once.
final class ImpatientApp: OneAtATimeApp, @unchecked Sendable {
    override func handOver(_ note: String) {
        UserDefaults.standard.set(SystemShims.now, forKey: "handed over")
        super.handOver(note)
    }

    override func didEnterForeground() async {
        guard let since = UserDefaults.standard.object(forKey: "handed over") as? Date, SystemShims.now.timeIntervalSince(since) > 3600
        else { return }
        let stuck = WCSession.default.outstandingUserInfoTransfers
        outbox = stuck.compactMap { $0.userInfo["note"] as? String } + outbox
        for transfer in stuck { transfer.cancel() }
        sendNext()
    }
}
