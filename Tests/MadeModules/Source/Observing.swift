import Foundation
import WatchConnectivity

/// A delegate as it is written for Objective-C's runtime: observed properties, optional methods that are called, attributes.
@objcMembers
public final class Observing: NSObject, WCSessionDelegate, @unchecked Sendable {
    static let shared = Observing()
    @objc dynamic var changes = 0
    private var log: (String) -> Void = { _ in }
    private var observation: NSKeyValueObservation?
    weak var next: (any WCSessionDelegate)?

    func begin(_ log: @escaping (String) -> Void) {
        self.log = log
        next = self
        WCSession.default.delegate = self
        WCSession.default.activate()
    }

    public func session(_ session: WCSession, activationDidCompleteWith state: WCSessionActivationState, error: (any Error)?) {
        log("activated")
        observation = session.observe(\.isReachable, options: [.initial, .new]) { [weak self] _, change in
            self?.log("observed \(change.newValue ?? false)")
        }
        next?.session?(session, didReceiveUserInfo: ["n": 1])
        next?.sessionWatchStateDidChange?(session)
    }

    @objc(reached:) public func sessionReachabilityDidChange(_ session: WCSession) {
        changes += 1
        log("told \(session.isReachable)")
    }

    public func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any]) { log("forwarded \(userInfo.keys.sorted())") }
    public func sessionDidBecomeInactive(_ session: WCSession) {}
    public func sessionDidDeactivate(_ session: WCSession) {}
}
