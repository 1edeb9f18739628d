extension SessionRule {
    /// Every rule, by topic, in each in the order of their numbers.
    public static let topics: [(title: String, rules: [SessionRule])] = [
        ("Activation", activation),
        ("Pairing, installation, reachability", pairing),
        ("Application context", contexts),
        ("Messages", messages),
        ("User infos, files, complications", transfers),
        ("Payloads", payloads),
        ("Waking", waking),
        ("The watch, and what else Apple says", watch),
    ]

    /// Every rule, in the order of their numbers.
    public static let table: [SessionRule] = topics.flatMap(\.rules).sorted { $0.number < $1.number }
}
