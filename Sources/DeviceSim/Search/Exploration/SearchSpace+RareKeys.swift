/// The built-in keys that are drawn beside the others, by names.
extension SearchSpace {
    /// Those of the built-in keys that few runs are about, drawn beside the others: what is drawn of those is the same with and without them.
    static let rare: Set<String> = [
        "remote", "diary", "clip", "ballot", "figures", "gauge", "locket", "crest", "relic", "trinket", "shelf", "drawer", "closet",
        "plaque",
        "medal",
    ]

    /// Those that are drawn most often beside a widget, which finds them in its keychain.
    static let sharedSecrets: Set<String> = ["amulet", "charm"]

    /// Keys that are there where another one is, since what is wrong with one may show in both alone: such as whose derivations share a salt.
    static let companions = ["diary": "journal"]
}
