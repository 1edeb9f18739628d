import DeviceSim
import Testing
import WatchConnectivity

@testable import DeviceSimCore

@Suite struct SendConditionsTests {
    static let reachable = SessionState(isPaired: true, isCounterpartInstalled: true, isReachable: true)

    /// Everything wrong at once, then one thing after the other set right: each time the next in order is named.
    @Test("W103 W51 W60 the order of the checks", arguments: bothSides)
    func order(on device: DeviceID) {
        var conditions = SendConditions(activation: .notActivated, hasDelegate: false, state: SessionState(), device: device)
        func expect(_ code: WCError.Code?, _ channel: SendChannel = .message, line: Int = #line) {
            #expect(conditions.refusal(for: channel) == code, "line \(line)")
        }
        expect(.sessionNotActivated)
        expect(.sessionNotActivated, .applicationContext)
        conditions.activation = .inactive
        expect(.sessionInactive)
        expect(.sessionInactive, .applicationContext)
        conditions.activation = .activated
        expect(.sessionMissingDelegate)
        expect(.sessionMissingDelegate, .applicationContext)
        conditions.hasDelegate = true
        expect(.deviceNotPaired)
        expect(.deviceNotPaired, .applicationContext)
        conditions.state.isPaired = true
        expect(device.isPhone ? .watchAppNotInstalled : .companionAppNotInstalled)
        expect(device.isPhone ? .watchAppNotInstalled : .companionAppNotInstalled, .applicationContext)
        conditions.state.isCounterpartInstalled = true
        expect(.notReachable)
        expect(nil, .applicationContext)
        conditions.state.isReachable = true
        expect(nil)
    }
}
