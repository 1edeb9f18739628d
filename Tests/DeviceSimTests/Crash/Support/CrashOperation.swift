import DeviceSim
import LocalData

/// Something that an app does with LocalData, to be cut short at every storage operation, and what may be found afterwards.
///
/// To add one, say what is there before (``prepare``), what is done (``act``), and what each key may read as then (``facts``).
struct CrashOperation: Sendable {
    let name: String
    /// What the app's catalog lists, on both devices.
    var keys: [CrashKey]
    /// What is there before. Runs in the phone's app.
    var prepare: @Sendable (StorageRouter) async throws -> Void = { _ in }
    /// Changes more before, with both devices at hand. Only for operations that sync.
    var prepareWorld: @Sendable (CrashWorld) throws -> Void = { _ in }
    /// What is cut short. Runs in the phone's app. Doing it again must do no harm.
    var act: @Sendable (StorageRouter) async throws -> Void
    /// What the keys may read as.
    var facts: [Fact]
    /// Secrets, with the places that may hold them readable: beginnings of what ``DeviceStorage/places(containing:)`` says. Until the end of the recovery,
    /// which is later where an operation ``settlesLater``, the places of ``Secret/earlier`` may, too.
    var secrets: [Secret] = []
    /// Values that are to be readable at the place of one of these keys at every moment.
    var movingValues: [(value: String, keys: [CrashKey])] = []
    /// Whether values come into preferences from elsewhere: their sources go when a later process sees them there, a minute after an earlier one.
    var settlesLater = false
    /// Whether the watch takes part. Both devices must agree in the end.
    var syncs = false
    /// What it has to come to in the end on both devices, where that is not what survived.
    var finalValues: [String: String?] = [:]
    /// How many master keys there may be in the end: more than one only where the operation adds one.
    var maximumKeyCount = 1
    /// The states that a row of changes goes through: of each, what the keys of the facts read as. Says more than the facts do of each by itself.
    var states: [[String?]] = []

    struct Fact: Sendable {
        let key: CrashKey
        /// `nil` is absence.
        let old: String?
        let new: String?
        /// Whether a power loss may take an acknowledged change: see ``CrashPlace/isPreference``.
        var mayLose = false
    }

    struct Secret: Sendable {
        let value: String
        var places: [String] = []
        var earlier: [String] = []
    }
}

extension CrashOperation: CustomStringConvertible {
    var description: String { name }
}

extension CrashOperation.Fact {
    init(_ key: CrashKey, at place: CrashPlace, from old: String?, to new: String?) {
        self.init(key: key, old: old, new: new, mayLose: place.isPreference)
    }

    /// A value that is the same before and after.
    init(_ key: CrashKey, is value: String) {
        self.init(key: key, old: value, new: value)
    }
}

extension CrashOperation.Secret {
    /// A value at a place; nothing is secret about one that is declared to be stored as it is.
    static func at(_ place: CrashPlace, _ value: String?) -> [CrashOperation.Secret] {
        guard let value else { return [] }
        switch (place.domain, place.security) {
        case (_, .encrypted): return [CrashOperation.Secret(value: value)]
        case (.keychain, _): return [CrashOperation.Secret(value: value, places: ["keychain "])]
        default: return []
        }
    }
}
