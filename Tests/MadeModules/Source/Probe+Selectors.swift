import Foundation

extension Notification.Name {
    static let struck = Notification.Name("struck")
}

/// As code was written before closures: the system calls methods by their selectors.
private final class Clock: NSObject {
    private let probe: Probe
    private var count = 0
    private var timer: Timer?

    init(_ probe: Probe) {
        self.probe = probe
        super.init()
        NotificationCenter.default.addObserver(self, selector: #selector(struck(_:)), name: .struck, object: nil)
    }

    deinit { probe.note("gone") }

    func begin() {
        timer = Timer.scheduledTimer(timeInterval: 0.5, target: self, selector: #selector(tick), userInfo: "user", repeats: true)
        perform(#selector(Clock.stopped))
    }

    @objc private func tick(timer: Timer) {
        count += 1
        probe.note("tick \(count) \(timer.userInfo as? String ?? "-")")
        NotificationCenter.default.post(name: .struck, object: self, userInfo: ["count": count])
        if count == 2 { timer.invalidate() }
    }

    @objc func struck(_ notification: Notification) {
        probe.note("struck \(notification.userInfo?["count"] ?? "-")")
        if count == 2 { NotificationCenter.default.removeObserver(self, name: .struck, object: nil) }
    }

    @objc private func stopped() { probe.note("stopped") }
}

extension Probe {
    func useSelectors() {
        Clock(self).begin()
        DispatchQueue.main.asyncAfter(deadline: .now() + 2) { NotificationCenter.default.post(name: .struck, object: nil) }
        let equal = #selector(useSelectors) == #selector(Probe.useSelectors)
        log("equal \(equal)")
    }
}
