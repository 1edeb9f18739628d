/// Something that developers run into, and have published, which no scenario of the catalogue tells, and why.
package struct UntoldTrouble: Sendable, Hashable {
    /// In one sentence.
    package let sentence: String
    /// Where developers have told of it.
    package let sources: [String]
    /// What of it is told elsewhere, and what keeps the rest from being told.
    package let reason: String

    private init(_ sentence: String, _ sources: String..., reason: String) {
        self.sentence = sentence
        self.sources = sources
        self.reason = reason
    }

    /// All of them.
    package static let table = [
        UntoldTrouble(
            "A workout's session is not taken up again after a crash, or its mirror on the phone does not begin.", "TetraTrack #143, #144",
            reason:
                "Sessions of workouts, their recovery and their mirroring are HealthKit's, of which nothing is simulated but that a workout lets the app run on. What goes with the app is P45."
        ),
        UntoldTrouble(
            "In airplane mode the phone's Bluetooth stays on, and the watch goes on to load by way of the phone.", "pocket-casts-ios #19",
            reason:
                "The link is up or down; Bluetooth, Wi-Fi and the network are not told apart. To the session nothing happens, which is no trouble; a link that is gone is `link down`, and one that stays dead is P52."
        ),
        UntoldTrouble(
            "The battery is empty the sooner, the more is sent in the background.", "Trio #1109", "Apple forums 821989",
            reason:
                "Energy decides nothing here. That the same is sent hundreds of times is P42, that the system launches the app no more is P50."
        ),
        UntoldTrouble(
            "The keychain says now and then `errSecItemNotFound` of items that exist, for hours.", "radar 24956853",
            reason:
                "Nobody knows when. Before the first unlock the knob `keychain.readsAsAbsentBeforeFirstUnlock` has it so (P44), and a fault of the keychain at any time: `phone keychain fails next read with errSecItemNotFound`."
        ),
        UntoldTrouble(
            "The compiler's own check ends a process whose delegate belongs to the main actor.", "VivaDicta #316, #341, #361",
            reason:
                "It would end the simulation with it. P48 has a stand-in for the check, at the same place, which ends the simulated process."
        ),
    ]
}
