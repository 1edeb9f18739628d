import DeviceSim

/// What tells one run of a scenario from another.
struct RunVariation: Sendable, Hashable {
    let seed: UInt64
    /// 0 is what the scenario names, or first in, first out; any other number seeds the order of ready work.
    let order: UInt64

    var readyOrder: ReadyOrder? { order == 0 ? nil : .seeded(order) }
}
