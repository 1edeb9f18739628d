import DeviceSim
import Testing

@testable import DeviceSimCore

@Suite struct PairFactsTests {
    /// All is well: both apps in the foreground, sessions activated.
    static let good: PairFacts = {
        var facts = PairFacts()
        facts.phone.appState = .foreground
        facts.watch.appState = .foreground
        facts.phone.isSessionActivated = true
        facts.watch.isSessionActivated = true
        return facts
    }()

    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let change: @Sendable (inout PairFacts) -> Void
        let watchReaches: Bool
        let phoneReaches: Bool

        init(_ name: String, watch: Bool, phone: Bool, _ change: @escaping @Sendable (inout PairFacts) -> Void) {
            testDescription = name
            watchReaches = watch
            phoneReaches = phone
            self.change = change
        }
    }

    @Test(
        "W30 W31 W38 who reaches whom",
        arguments: [
            Case("all is well", watch: true, phone: true) { _ in },
            Case("link down", watch: false, phone: false) { $0.isLinkUp = false },
            Case("unpaired", watch: false, phone: false) { $0.isPaired = false },
            Case("phone off", watch: false, phone: false) { $0.phone.isPoweredOn = false },
            Case("watch off", watch: false, phone: false) { $0.watch.isPoweredOn = false },
            Case("phone app not running", watch: true, phone: true) {
                $0.phone.appState = nil
                $0.phone.isSessionActivated = false
            },
            Case("phone app in the background", watch: true, phone: true) { $0.phone.appState = .background },
            Case("phone app suspended", watch: true, phone: true) { $0.phone.appState = .suspended },
            Case("phone app not installed", watch: false, phone: false) { $0.phone.isAppInstalled = false },
            Case("watch app in the background", watch: false, phone: false) { $0.watch.appState = .background },
            Case("watch app suspended", watch: false, phone: false) { $0.watch.appState = .suspended },
            Case("watch app not running", watch: false, phone: false) { $0.watch.appState = nil },
            Case("watch app not installed", watch: false, phone: false) { $0.watch.isAppInstalled = false },
            Case("watch session not activated", watch: true, phone: false) { $0.watch.isSessionActivated = false },
            Case("phone before first unlock", watch: false, phone: false) { $0.phone.wasUnlockedSinceBoot = false },
        ])
    func reachability(_ example: Case) {
        var facts = Self.good
        example.change(&facts)
        #expect(facts.state(of: .watch).isReachable == example.watchReaches)
        #expect(facts.state(of: .phone).isReachable == example.phoneReaches)
    }

    @Test("W38 only the watch's session says that the phone needs to be unlocked")
    func needsUnlock() {
        var facts = Self.good
        #expect(!facts.state(of: .watch).phoneNeedsUnlock)
        facts.phone.wasUnlockedSinceBoot = false
        #expect(facts.state(of: .watch).phoneNeedsUnlock)
        #expect(!facts.state(of: .phone).phoneNeedsUnlock)
        facts.isLinkUp = false
        #expect(!facts.state(of: .watch).phoneNeedsUnlock, "out of range nobody knows")
    }

    @Test("W20 W21 installed means installed on the paired counterpart", arguments: bothSides)
    func installed(on device: DeviceID) {
        var facts = Self.good
        #expect(facts.state(of: device).isPaired)
        #expect(facts.state(of: device).isCounterpartInstalled)
        facts.isPaired = false
        #expect(!facts.state(of: device).isPaired)
        #expect(!facts.state(of: device).isCounterpartInstalled)
        facts = Self.good
        if device.isPhone { facts.watch.isAppInstalled = false } else { facts.phone.isAppInstalled = false }
        #expect(!facts.state(of: device).isCounterpartInstalled)
    }

    @Test("W41 contexts go without reachability and without apps")
    func transfer() {
        var facts = PairFacts()
        facts.phone.wasUnlockedSinceBoot = false
        #expect(!facts.state(of: .watch).isReachable)
        #expect(facts.canTransfer(from: .phone))
        #expect(facts.canTransfer(from: .watch))
        facts.watch.isAppInstalled = false
        #expect(!facts.canTransfer(from: .phone))
        #expect(facts.canTransfer(from: .watch))
        facts = PairFacts()
        facts.isLinkUp = false
        #expect(!facts.canTransfer(from: .phone))
    }

    @Test("W22 W23 W34 a callback for each property that differs, none for one that does not")
    func callbacks() {
        let nothing = SessionState()
        let all = SessionState(isPaired: true, isCounterpartInstalled: true, isReachable: true)
        #expect(all.callbacks(since: all, on: .phone).isEmpty)
        #expect(all.callbacks(since: nothing, on: .phone) == [.watchState, .reachability])
        #expect(all.callbacks(since: nothing, on: .watch) == [.companionAppInstalled, .reachability])
        let unreachable = SessionState(isPaired: true, isCounterpartInstalled: true)
        #expect(unreachable.callbacks(since: all, on: .phone) == [.reachability])
        #expect(SessionState(isPaired: true).callbacks(since: nothing, on: .phone) == [.watchState])
        #expect(SessionState(phoneNeedsUnlock: true).callbacks(since: nothing, on: .watch).isEmpty)
    }
}
