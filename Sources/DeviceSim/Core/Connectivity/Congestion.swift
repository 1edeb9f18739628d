/// Context updates that follow each other too fast hold up contexts and messages (W52).
struct Congestion: Sendable, Hashable {
    /// Two updates of one device within this span are too many.
    static let span = VirtualDuration.seconds(2)

    /// Until then nothing leaves.
    private(set) var end = VirtualTime.start
    private var lastUpdate: [DeviceID: VirtualTime] = [:]

    mutating func contextWasUpdated(by device: DeviceID, at now: VirtualTime, delay: VirtualDuration) {
        if let last = lastUpdate[device], now - last < Self.span { end = now + delay }
        lastUpdate[device] = now
    }
}
