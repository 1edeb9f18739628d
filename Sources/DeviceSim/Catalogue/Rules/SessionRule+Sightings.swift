extension SessionRule {
    /// What a log of real devices has said of a rule, as `pairsim observe` reads it.
    package struct Sighting: Sendable, Hashable {
        /// The number of the rule.
        let rule: Int
        /// Such as `iPhone15,2 with iOS 17.5 and Watch6,1 with watchOS 10.4`.
        let devices: String
        /// Whether the devices kept the rule.
        let isKept: Bool

        /// For a person: what was seen on which devices.
        package var phrase: String { isKept ? "kept: \(devices)" : "not kept: \(devices)" }
    }

    /// One entry for each rule and pair of devices of which somebody has sent a log. Nobody has yet.
    static let allSightings: [Sighting] = []

    /// What logs of real devices have said of this rule.
    package var sightings: [Sighting] { Self.allSightings.filter { $0.rule == number } }
}
