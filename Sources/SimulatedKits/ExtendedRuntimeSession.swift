internal import DeviceSimCore
public import Foundation
internal import SimulatedSystem

/// Where an extended session is in its life.
public enum WKExtendedRuntimeSessionState: Int, Sendable {
    /// Not begun.
    case notStarted
    /// To begin at a later time.
    case scheduled
    /// Begun, and not ended.
    case running
    /// Ended.
    case invalid
}

/// Why an extended session ended.
public enum WKExtendedRuntimeSessionInvalidationReason: Int, Sendable {
    /// Something failed.
    case error = -1
    /// It was invalidated.
    case none
    /// Another session was in the way.
    case sessionInProgress
    /// Its time was over.
    case expired
    /// The app left the front.
    case resignedFrontmost
    /// The system had no room for it.
    case suppressedBySystem
}

/// Is told of an extended session's life.
@MainActor public protocol WKExtendedRuntimeSessionDelegate: NSObjectProtocol {
    /// It has begun.
    func extendedRuntimeSessionDidStart(_ extendedRuntimeSession: WKExtendedRuntimeSession)
    /// It ends soon.
    func extendedRuntimeSessionWillExpire(_ extendedRuntimeSession: WKExtendedRuntimeSession)
    /// It has ended.
    func extendedRuntimeSession(
        _ extendedRuntimeSession: WKExtendedRuntimeSession,
        didInvalidateWith reason: WKExtendedRuntimeSessionInvalidationReason, error: (any Error)?)
}

/// Time in which a watch app runs on, as WatchKit has it: its states and its calls. It is recorded; that the app is not suspended meanwhile is said by a
/// scenario (`watch begins …`). It expires after ten minutes.
@MainActor public final class WKExtendedRuntimeSession: NSObject {
    /// Is told of its life.
    public weak var delegate: (any WKExtendedRuntimeSessionDelegate)?
    /// Where it is in its life.
    public private(set) var state = WKExtendedRuntimeSessionState.notStarted
    /// When it expires; `nil` unless it runs.
    public private(set) var expirationDate: Date?
    private static let span: TimeInterval = 600

    /// A session that has not begun.
    public nonisolated override init() {}

    /// Begins it. Only an app in front may.
    public func start() {
        guard state == .notStarted else { return }
        guard WKApplication.shared().applicationState == .active else { return end(.error) }
        state = .running
        expirationDate = SystemShims.now.addingTimeInterval(Self.span)
        record("start")
        later(0) { $0.delegate?.extendedRuntimeSessionDidStart($0) }
        later(Self.span - 30) { $0.delegate?.extendedRuntimeSessionWillExpire($0) }
        later(Self.span) { $0.end(.expired) }
    }

    /// Begins it at a later time.
    public func start(at date: Date) {
        guard state == .notStarted else { return }
        state = .scheduled
        SystemShims.DispatchQueue.main.asyncAfter(deadline: .now().advanced(by: max(date.timeIntervalSince(SystemShims.now), 0))) {
            MainActor.assumeIsolated {
                guard self.state == .scheduled else { return }
                self.state = .notStarted
                self.start()
            }
        }
    }

    /// Ends it.
    public func invalidate() { end(.none) }

    private func end(_ reason: WKExtendedRuntimeSessionInvalidationReason) {
        guard state != .invalid else { return }
        state = .invalid
        expirationDate = nil
        record("invalidate")
        SystemShims.DispatchQueue.main.async {
            MainActor.assumeIsolated { self.delegate?.extendedRuntimeSession(self, didInvalidateWith: reason, error: nil) }
        }
    }

    private func later(_ seconds: TimeInterval, _ action: @escaping @MainActor @Sendable (WKExtendedRuntimeSession) -> Void) {
        SystemShims.DispatchQueue.main.asyncAfter(deadline: .now().advanced(by: seconds)) { [weak self] in
            MainActor.assumeIsolated {
                if let self, self.state == .running { action(self) }
            }
        }
    }

    private func record(_ call: String) {
        ProcessContext.current?.record(.log, .init("call", .text("WKExtendedRuntimeSession.\(call)")))
    }
}
