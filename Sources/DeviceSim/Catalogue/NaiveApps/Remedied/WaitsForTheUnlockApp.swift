import DeviceSimCore

/// The remedy of P44: what cannot be read is not taken for empty. Until it can be, what is new stays beside it, and nothing is stored.
final class WaitsForTheUnlockApp: StartsFromNothingApp, @unchecked Sendable {
    private var isLoaded = false

    override func load() {
        guard !isLoaded else { return }
        do {
            notes = try (NaiveFiles.exists(NaiveFiles.url(of: "Documents/notes")) ? stored() : []) + notes
            isLoaded = true
        } catch {
            // Locked, or a disk that does not answer: it is tried again when the device is unlocked, and when somebody opens the app.
            return
        }
        if !notes.isEmpty { save() }
    }

    override func save() {
        if isLoaded { super.save() }
    }

    override func protectedDataDidBecomeAvailable() async { load() }
    override func didEnterForeground() async { load() }
}
