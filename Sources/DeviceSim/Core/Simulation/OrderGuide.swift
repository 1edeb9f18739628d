/// What a piece of work touched: two pieces that have nothing of this in common commute.
///
/// Noted wherever code can reach beyond its own process, and too much rather than too little. App code has its process, its device's storage, and what lies
/// behind its session; whoever gets at the latter through `SessionEndpoint.daemon` or `Device.network` is noted as touching ``network``, whatever it does
/// there. Work that belongs to no process (timers, daemons, the simulation's own) counts as touching ``everything``.
package struct Footprint: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The processes, the storage and the state of a device.
    package static let phone = Footprint(rawValue: 1)
    package static let watch = Footprint(rawValue: 2)
    package static let watch2 = Footprint(rawValue: 4)
    /// The link, the connectivity daemons of all devices, and what sessions show of their counterparts.
    package static let network = Footprint(rawValue: 8)
    package static let everything: Footprint = [.phone, .watch, .watch2, .network]

    /// All that belongs to a device alone.
    package static func device(_ id: DeviceID) -> Footprint {
        switch id {
        case .phone: .phone
        case .watch: .watch
        case .watch2: .watch2
        default: .everything
        }
    }

    /// Whether two pieces of work may come out otherwise in another order.
    package func isDependent(on other: Footprint) -> Bool { !isDisjoint(with: other) }
}

/// A piece of work as an ``OrderGuide`` knows it: the same number in every run in which the same piece made it, as its n-th.
///
/// Stable where pieces that commute change places, unlike its place in the queue.
package typealias WorkIdentity = UInt64

/// Decides in the place of a ``ReadyOrder`` which piece of ready work runs next, and is told what each touched.
///
/// Called on the simulation's thread.
package protocol OrderGuide: AnyObject {
    /// - Parameter ready: What is ready, in the order in which it became so; at least one.
    /// - Returns: The place of what runs next; `nil` to give the run up.
    func choose(among ready: [WorkIdentity]) -> Int?
    /// The piece that was chosen last of those that have not ended has ended.
    /// - Parameter parent: Who made it ready, in this instant or before; 0 for what is no piece of work.
    func didRun(_ identity: WorkIdentity, madeReadyBy parent: WorkIdentity, touching footprint: Footprint)
    /// The running piece lets others run in its midst.
    func didBlock()
    /// Nothing is ready any more: what comes next comes after all that ran.
    func instantIsOver()
}
