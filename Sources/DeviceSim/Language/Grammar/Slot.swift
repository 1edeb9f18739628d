import DeviceSimCatalogue
import DeviceSimCore
import LocalData
import WatchConnectivity

/// What can stand at a place of a line that varies. The raw values are what the tables of the grammar show.
package enum Slot: String, Sendable, Hashable, CaseIterable {
    // Words of a fixed list
    case device = "DEVICE"
    case watch = "WATCH"
    case subject = "SUBJECT"
    case expect = "EXPECT"
    case error = "ERROR"
    case errno = "ERRNO"
    case status = "STATUS"
    case diskOperation = "DISK-OPERATION"
    case keychainOperation = "KEYCHAIN-OPERATION"
    case preferencesOperation = "PREFERENCES-OPERATION"
    case remainder = "REMAINDER"
    case lie = "LIE"
    case biometry = "BIOMETRY"
    case event = "EVENT"
    case end = "END"
    case flagProperty = "FLAG"
    case contextProperty = "CONTEXT"
    case activationState = "ACTIVATION"
    case method = "METHOD"
    case protection = "PROTECTION"
    case appState = "APP-STATE"
    case accessibility = "ACCESSIBILITY"
    case accessControl = "ACCESS-CONTROL"
    case directory = "DIRECTORY"
    case availability = "AVAILABILITY"
    case sync = "SYNC"
    case transformation = "TRANSFORMATION"
    case combination = "COMBINATION"
    case migration = "MIGRATION"
    case app = "APP"
    case knob = "KNOB"

    // Words that the file itself introduces
    case key = "KEY"
    case message = "MESSAGE"
    case transfer = "TRANSFER"
    case snapshot = "SNAPSHOT"
    case backup = "BACKUP"
    case mark = "MARK"

    // Anything of a kind
    case name = "NAME"
    case string = "STRING"
    case value = "VALUE"
    case object = "OBJECT"
    case bytes = "BYTES"
    case count = "COUNT"
    case number = "NUMBER"
    case time = "TIME"
    case version = "VERSION"
    case type = "TYPE"
    case facts = "FACTS"
    case arguments = "ARGUMENTS"
    case rest = "ANYTHING"
    case setting = "SETTING"
}

extension Slot {
    /// The words that can stand here, if they are fixed, in the order in which lists show them.
    package var words: [String]? { Self.wordLists[self] }

    func has(_ word: String) -> Bool? { Self.wordSets[self]?.contains(word) }

    private static let wordLists: [Slot: [String]] = Dictionary(
        allCases.compactMap { slot in slot.makeWords().map { (slot, $0) } }, uniquingKeysWith: { first, _ in first })
    private static let wordSets = wordLists.mapValues { Set($0) }

    private func makeWords() -> [String]? {
        switch self {
        case .device: ["phone", "watch", "watch2"]
        case .watch: ["watch", "watch2"]
        case .subject: ["phone", "watch", "watch2", "apps", "devices"]
        case .expect: ["expect", "never"]
        case .error: ScenarioErrorName.allCases.map(\.name)
        case .errno: ErrnoName.allCases.map(\.rawValue)
        case .status: KeychainStatusName.allCases.map(\.rawValue)
        case .diskOperation: FaultStep.DiskOperation.allCases.map(\.rawValue)
        case .keychainOperation: FaultStep.KeychainOperation.allCases.map(\.rawValue)
        case .preferencesOperation: FaultStep.PreferencesOperation.allCases.map(\.rawValue)
        case .remainder: PowerLossRemainder.allCases.map(\.rawValue)
        case .lie: CounterpartLie.allCases.map(\.rawValue)
        case .biometry: Biometry.Change.allCases.map(\.rawValue)
        case .event: TraceEvent.Kind.allCases.map(\.rawValue)
        case .end: Expectation.DeliveryEnd.allCases.map(\.rawValue)
        case .flagProperty: Expectation.SessionProperty.allCases.filter(\.isFlag).map(\.rawValue)
        case .contextProperty: Expectation.SessionProperty.allCases.filter(\.isContext).map(\.rawValue)
        case .activationState: Expectation.SessionProperty.activationStates
        case .method: WCSessionDelegateMethod.allCases.map(\.scenarioName)
        case .protection: FileProtection.allCases.map(\.rawValue)
        case .appState: AppState.allCases.map(\.rawValue)
        case .accessibility: KeychainAccessibility.allCases.map(\.rawValue)
        case .accessControl: KeychainAccessControl.allCases.map(\.rawValue)
        case .directory: ["documents", "caches"]
        case .availability: PlatformAvailability.allCases.map(\.rawValue)
        case .sync: SyncPolicy.allCases.map(\.rawValue)
        case .transformation: MigrationDeclaration.Transformation.allCases.map(\.rawValue)
        case .combination: MigrationDeclaration.Combination.allCases.map(\.rawValue)
        case .migration: Expectation.MigrationState.allCases.filter { !$0.hasReason }.map(\.rawValue)
        case .app: NamedApp.table.map(\.name)
        case .knob: Knobs.table.map(\.name)
        default: nil
        }
    }

    /// What can stand here, for messages: "expected …".
    var expectation: String {
        switch self {
        case .device: "`phone` or `watch`"
        case .watch: "`watch` or `watch2`"
        case .key: "a key"
        case .message: "the label of a message"
        case .transfer: "the label of a transfer"
        case .snapshot: "the name of a snapshot"
        case .backup: "the name of a backup"
        case .mark: "the name of a mark"
        case .name: "a name"
        case .string: "a text in quotation marks"
        case .value: "a value"
        case .object: "an object such as `{\"theme\": \"dark\"}`"
        case .bytes: "a number of bytes such as `100 bytes`"
        case .count: "a number from 1 on"
        case .number: "a whole number"
        case .time: "a time such as `200ms`, `5s` or `2min`"
        case .version: "a version such as `2.0`"
        case .type: "a type such as `String`"
        case .facts: "facts such as `key \"theme\"`"
        case .arguments: "arguments such as `size 100`"
        case .rest: "a value or words"
        case .setting: "a setting such as `200ms`, `true`, `100 bytes`, `50` or `errSecIO`"
        case .error: "the name of an error such as `locked`"
        case .event: "the name of an event such as `context.delivered`"
        default: Suggestion.list(words ?? [], limit: 6)
        }
    }

    /// What can stand here, for the grammar.
    package var help: String {
        switch self {
        case .device: "one of the two devices, or the second watch, where a `start` line says that there is one"
        case .watch: "one of the phone's watches"
        case .subject: "a device, or all of them: their apps, or the devices themselves"
        case .expect: "`expect`, or `never` for what must not hold at any instant `for TIME`"
        case .error: "an error of LocalData, of a migration or of the session"
        case .errno: "an error of the file system"
        case .status: "an error of the keychain"
        case .diskOperation: "what the file system is asked to do; `operation` is any of them"
        case .keychainOperation: "what the keychain is asked to do; `operation` is any of them"
        case .preferencesOperation: "what the preferences are asked to do; `operation` is any of them"
        case .remainder:
            "what is left of what was not synchronized: `entries` of directories without the bytes of their files, or `contents` without new entries; both with `halves` or `garbage` for bytes; or `anything`, as the seed draws"
        case .lie:
            "`counters`, `lineages`: greatest versions; `sequence`, `numbers`: a snapshot's greatest number, taken or absurd; `acknowledgement` of what was never sent; `deletions` of everything; `values` that do not decode; `forms` that no app will ever know; malformed (`shape`) or missing (`part`) entries; long `names`; large values (`size`); `repeat`: the first context again"
        case .biometry: "what happens to the enrolled faces or fingers; `changed` gives the set another identity"
        case .event: "a kind of event in the trace"
        case .end:
            "`sent`: accepted by this device's session; `delivered`: sent by it and handed to the counterpart's app; `received`: handed to its own app"
        case .flagProperty: "a property of the session that is true or false"
        case .contextProperty: "a property of the session that is a dictionary"
        case .activationState: "the state of the session"
        case .method: "an optional method of the session's delegate"
        case .protection: "the data protection class of a file"
        case .appState: "the state of a running app"
        case .accessibility: "when a keychain item can be read"
        case .accessControl: "what a person must do before"
        case .directory: "a directory of a container"
        case .availability: "the devices that a key exists on"
        case .sync: "whether a value travels to the counterpart"
        case .transformation: "how an old value becomes the new one: in capitals, the number that a text says, a number as text"
        case .combination: "how several old values become the new one: texts one after the other, the sum of numbers, the one that all have"
        case .migration:
            "what a migration would do: nothing, bring a value over, delete what was left, wait for its condition or for more values; or why not: the value was removed, or moved on by a newer version of the app"
        case .app: "an app that makes a mistake, or avoids one, see the table of apps"
        case .knob: "a setting of the simulation, see the table of knobs"
        case .key: "the name of a key that the file declares, includes, or has from a catalog"
        case .message: "a label that a `send … as NAME` gave"
        case .transfer: "a label that a `transfer … as NAME` gave"
        case .snapshot: "a name that `take snapshot as NAME` gave"
        case .backup: "a name that `backup as NAME` gave"
        case .mark: "a name that `mark NAME` gave"
        case .name: "letters, digits, `_`, and `.` or `-` within"
        case .string: "a text in quotation marks, with the escapes of JSON"
        case .value: "a value of JSON, or one of the notations below"
        case .object: "an object of JSON, whose values may be notations below"
        case .bytes: "such as `100 bytes`"
        case .count: "a whole number from 1 on"
        case .number: "a whole number from 0 on"
        case .time: "such as `250us`, `200ms`, `1.5s`, `2min`, `1h`, `7d`"
        case .version: "one to four numbers joined by dots, such as `2.0`"
        case .type: "`String`, `Int`, `Double`, `Bool`, `Data`, `Date`, a list such as `[Int]`, or `Any` (anything JSON can say)"
        case .facts: "names and values of an event's facts, separated by commas, such as `key \"theme\", count 2`"
        case .arguments: "names and values for the parameters of the file, separated by commas, such as `size 100, name \"x\"`"
        case .rest: "a value, or words of a line"
        case .setting:
            "a time, `true` or `false`, a number, a number of bytes, an error of the keychain or another word, as the knob has it"
        }
    }
}

extension Expectation.SessionProperty {
    static let activationStates = ["notActivated", "inactive", "activated"]

    var isContext: Bool { self == .applicationContext || self == .receivedApplicationContext }
    var isFlag: Bool { !isContext && self != .activationState }
}

extension WCSessionDelegateMethod {
    /// As scenario files write it: the case's name.
    public var scenarioName: String { String(describing: self) }

    init?(scenarioName: String) {
        guard let found = Self.allCases.first(where: { $0.scenarioName == scenarioName }) else { return nil }
        self = found
    }
}
