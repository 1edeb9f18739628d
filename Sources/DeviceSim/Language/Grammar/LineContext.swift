import DeviceSimCore

/// What is known of a scenario while its lines are read: names that lines can refer to, and a place for complaints.
final class LineContext {
    struct Key {
        let reference: KeyReference
        let type: ScenarioType
    }

    /// The devices of the scenario: a second watch only where a `start` line says so.
    var devices: [DeviceID] = [.phone, .watch]
    var keys: [String: Key] = [:]
    /// The names under which the keys are stored, each with what the file calls it.
    var storedNames: [String: String] = [:]
    /// The sources of external key material that keys of the file name; `nil` where keys may be declared elsewhere.
    var keyMaterialSources: Set<String>?
    /// False if lines or files that may declare keys could not be read: then nothing is said of unknown keys.
    var keysAreComplete = true
    /// The same for the names of messages, transfers, snapshots, backups and marks.
    var labelsAreComplete = true
    /// The names of the catalogs that list the keys.
    var catalogs: [String] = []
    var messages: Set<String> = []
    /// Those of ``messages`` that want a reply.
    var answerableMessages: Set<String> = []
    var transfers: Set<String> = []
    var snapshots: Set<String> = []
    var backups: Set<String> = []
    var marks: Set<String> = []
    /// How many bytes values may still grow to.
    var budget = ValueParser.budget
    private let report: (SourceRange, String, String?) -> Void

    init(report: @escaping (SourceRange, String, String?) -> Void) {
        self.report = report
    }

    func diagnose(_ range: SourceRange, _ message: String, hint: String? = nil) {
        report(range, message, hint)
    }
}
