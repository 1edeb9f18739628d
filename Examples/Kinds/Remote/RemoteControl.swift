import Foundation
import WatchConnectivity

#if os(iOS)
    import UIKit
#endif

@objc protocol RemoteControlDelegate: NSObjectProtocol {
    func remoteControl(_ remoteControl: RemoteControl, didChangeVolume volume: Int)
    func remoteControl(_ remoteControl: RemoteControl, didSend fractionCompleted: Double)
}

/// Turns the volume of the other device up and down. Written as for Objective-C: a delegate, and observed properties.
@objcMembers
final class RemoteControl: NSObject {
    static let shared = RemoteControl()

    weak var delegate: RemoteControlDelegate?
    /// Observed by the screens.
    @objc dynamic private(set) var volume: Int = 5
    @objc dynamic private(set) var isEnabled: Bool = false

    private var reachability: NSKeyValueObservation?
    private var progress: NSKeyValueObservation?

    @objc func start() {
        let session = WCSession.default
        session.delegate = self
        session.activate()
    }

    @objc func turn(by steps: Int) {
        volume = max(0, min(10, volume + steps))
        WCSession.default.sendMessage(["volume": volume], replyHandler: nil, errorHandler: nil)
    }

    /// A list of what can be played, as a file.
    @objc func sendList(at url: URL) {
        let transfer = WCSession.default.transferFile(url, metadata: nil)
        progress = transfer.progress.observe(\.fractionCompleted, options: [.new]) { [weak self] progress, _ in
            guard let self else { return }
            self.delegate?.remoteControl(self, didSend: progress.fractionCompleted)
        }
    }
}

extension RemoteControl: WCSessionDelegate {
    func session(_ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: Error?) {
        guard activationState == .activated else { return }
        reachability = session.observe(\.isReachable, options: [.new]) { [weak self] _, change in
            self?.isEnabled = change.newValue ?? false
        }
    }

    func session(_ session: WCSession, didReceiveMessage message: [String: Any]) {
        guard let volume = message["volume"] as? Int else { return }
        self.volume = volume
        delegate?.remoteControl(self, didChangeVolume: volume)
    }

    #if os(iOS)
        func sessionDidBecomeInactive(_ session: WCSession) {}
        func sessionDidDeactivate(_ session: WCSession) { session.activate() }
    #endif
}

/// A screen without its views: what it shows, it observes.
final class RemoteScreen: NSObject, RemoteControlDelegate {
    static let shared = RemoteScreen()

    private(set) var label = ""
    private(set) var sent = 0.0
    private var observations: [NSKeyValueObservation] = []

    func open() {
        let remote = RemoteControl.shared
        remote.delegate = self
        observations = [
            remote.observe(\.volume, options: [.initial, .new]) { [weak self] remote, _ in self?.refresh(remote) },
            remote.observe(\.isEnabled, options: [.initial, .new]) { [weak self] remote, _ in self?.refresh(remote) },
        ]
        remote.start()
    }

    func close() {
        for observation in observations { observation.invalidate() }
    }

    private func refresh(_ remote: RemoteControl) {
        label = remote.isEnabled ? "\(remote.volume)" : "\(remote.volume) (off)"
    }

    func remoteControl(_ remoteControl: RemoteControl, didChangeVolume volume: Int) {}

    func remoteControl(_ remoteControl: RemoteControl, didSend fractionCompleted: Double) {
        sent = fractionCompleted
    }
}
