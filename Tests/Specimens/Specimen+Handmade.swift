import DeviceSim

/// Apps that keep and sync values by code of their own.
extension Specimen {
    static let handmadeWorld = SearchSpace(
        specimen: "handmade",
        """
        key theme: String
            domain    fileSystem documents
            security  none
            sync      automaticSmall
        key volume: Int
            domain    fileSystem documents
            security  none
            sync      automaticSmall
        key place: String
            domain    fileSystem documents
            security  none
        key profile: String
            domain    fileSystem documents
            security  none
            sync      automaticSmall
            migrates  from oldProfile
        key oldProfile: String
            security  none
            until     0.9
        """)

    package static let handmade = HandmadeMistake.allCases.map { mistake in
        Specimen(
            name: mistake.sentence, kind: .handmade, breaks: mistake.breaks, world: handmadeWorld, bad: options(mistake),
            right: options(nil), isQuick: mistake.isQuick, isShrunkInTests: [.lostUpdate, .answersContexts].contains(mistake))
    }

    private static func options(_ mistake: HandmadeMistake?) -> RunOptions {
        var options = RunOptions()
        options.makeConfiguredApp = { _, _ in HandmadeApp(mistake) }
        return options
    }
}
