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
    case catalog = "CATALOG"

    // Anything of a kind
    case name = "NAME"
    case string = "STRING"
    case value = "VALUE"
    case object = "OBJECT"
    case bytes = "BYTES"
    case count = "COUNT"
    case number = "NUMBER"
    case seed = "SEED"
    case time = "TIME"
    case version = "VERSION"
    case type = "TYPE"
    case facts = "FACTS"
    case arguments = "ARGUMENTS"
    case rest = "ANYTHING"
    case setting = "SETTING"
}

/// What a slot is: all that there is to say of it.
struct SlotDefinition: Sendable {
    typealias Reader = @Sendable (Slot, [Token], Int, LineContext) -> SlotReading

    /// The words that can stand here, if they are fixed, in the order in which lists show them.
    let words: [String]?
    fileprivate let wordSet: Set<String>?
    /// What can stand here, for messages: "expected …".
    let expected: String
    /// What can stand here, for the grammar.
    let help: String
    /// Reads anything but fixed words, at a token that is there.
    fileprivate let read: Reader?

    /// One of a list of words; the list is what messages show where nothing else is told.
    fileprivate static func words(_ words: [String], expected: String? = nil, help: String) -> SlotDefinition {
        SlotDefinition(words: words, wordSet: Set(words), expected: expected ?? Suggestion.list(words, limit: 6), help: help, read: nil)
    }

    fileprivate static func read(expected: String, help: String, _ read: @escaping Reader) -> SlotDefinition {
        SlotDefinition(words: nil, wordSet: nil, expected: expected, help: help, read: read)
    }
}

extension Slot {
    /// What the slot is. The compiler asks here for all of a new one.
    private func define() -> SlotDefinition {
        switch self {
        // Words of a fixed list
        case .device:
            .words(
                ["phone", "watch", "watch2"], expected: "`phone` or `watch`",
                help: "one of the two devices, or the second watch, where a `start` line says that there is one")
        case .watch: .words(["watch", "watch2"], expected: "`watch` or `watch2`", help: "one of the phone's watches")
        case .subject:
            .words(
                ["phone", "watch", "watch2", "apps", "devices"], help: "a device, or all of them: their apps, or the devices themselves")
        case .expect: .words(["expect", "never"], help: "`expect`, or `never` for what must not hold at any instant `for TIME`")
        case .error:
            .words(
                ScenarioErrorName.allCases.map(\.name), expected: "the name of an error such as `locked`",
                help: "an error of LocalData, of a migration or of the session")
        case .errno: .words(ErrnoName.allCases.map(\.rawValue), help: "an error of the file system")
        case .status: .words(KeychainStatusName.allCases.map(\.rawValue), help: "an error of the keychain")
        case .diskOperation:
            .words(
                FaultStep.DiskOperation.allCases.map(\.rawValue), help: "what the file system is asked to do; `operation` is any of them")
        case .keychainOperation:
            .words(
                FaultStep.KeychainOperation.allCases.map(\.rawValue), help: "what the keychain is asked to do; `operation` is any of them")
        case .preferencesOperation:
            .words(
                FaultStep.PreferencesOperation.allCases.map(\.rawValue),
                help: "what the preferences are asked to do; `operation` is any of them")
        case .remainder:
            .words(
                PowerLossRemainder.allCases.map(\.rawValue),
                help:
                    "what is left of what was not synchronized: `entries` of directories without the bytes of their files, or `contents` without new entries; both with `halves` or `garbage` for bytes; or `anything`, as the seed draws"
            )
        case .lie:
            .words(
                CounterpartLie.allCases.map(\.rawValue),
                help:
                    "`counters`, `lineages`: greatest versions; `sequence`, `numbers`: a snapshot's greatest number, taken or absurd; `acknowledgement` of what was never sent; `deletions` of everything; `values` that do not decode; `forms` that no app will ever know; later versions of everything that there was no room for (`omissions`); malformed (`shape`) or missing (`part`) entries; long `names`; large values (`size`); `repeat`: the first context again; `additions`: no lie, but members of a later version on every level"
            )
        case .biometry:
            .words(
                Biometry.Change.allCases.map(\.rawValue),
                help: "what happens to the enrolled faces or fingers; `changed` gives the set another identity")
        case .event:
            .words(
                TraceEvent.Kind.allCases.map(\.rawValue), expected: "the name of an event such as `context.delivered`",
                help: "a kind of event in the trace")
        case .end:
            .words(
                Expectation.DeliveryEnd.allCases.map(\.rawValue),
                help:
                    "`sent`: accepted by this device's session; `delivered`: sent by it and handed to the counterpart's app; `received`: handed to its own app"
            )
        case .flagProperty:
            .words(
                Expectation.SessionProperty.allCases.filter(\.isFlag).map(\.rawValue),
                help: "a property of the session that is true or false")
        case .contextProperty:
            .words(
                Expectation.SessionProperty.allCases.filter(\.isContext).map(\.rawValue),
                help: "a property of the session that is a dictionary")
        case .activationState: .words(Expectation.SessionProperty.activationStates, help: "the state of the session")
        case .method: .words(WCSessionDelegateMethod.allCases.map(\.scenarioName), help: "an optional method of the session's delegate")
        case .protection: .words(FileProtection.allCases.map(\.rawValue), help: "the data protection class of a file")
        case .appState: .words(AppState.allCases.map(\.rawValue), help: "the state of a running app")
        case .accessibility: .words(KeychainAccessibility.allCases.map(\.rawValue), help: "when a keychain item can be read")
        case .accessControl: .words(KeychainAccessControl.allCases.map(\.rawValue), help: "what a person must do before")
        case .directory: .words(["documents", "caches"], help: "a directory of a container")
        case .availability: .words(PlatformAvailability.allCases.map(\.rawValue), help: "the devices that a key exists on")
        case .sync: .words(SyncPolicy.allCases.map(\.rawValue), help: "whether a value travels to the counterpart")
        case .transformation:
            .words(
                MigrationDeclaration.Transformation.allCases.map(\.rawValue),
                help: "how an old value becomes the new one: in capitals, the number that a text says, a number as text")
        case .combination:
            .words(
                MigrationDeclaration.Combination.allCases.map(\.rawValue),
                help:
                    "how several old values become the new one: texts one after the other with a space between, the sum of numbers, the one that all have"
            )
        case .migration:
            .words(
                Expectation.MigrationState.allCases.filter { !$0.hasReason }.map(\.rawValue),
                help:
                    "what a migration would do: nothing, bring a value over, delete what was left, wait for its condition or for more values; or why not: the value was removed, or moved on by a newer version of the app"
            )
        case .app: .words(NamedApp.table.map(\.name), help: "an app that makes a mistake, or avoids one, see the table of apps")
        case .knob: .words(Knobs.table.map(\.name), help: "a setting of the simulation, see the table of knobs")
        // Words that the file itself introduces
        case .key:
            .read(expected: "a key", help: "the name of a key that the file declares, includes, or has from a catalog") {
                slot, tokens, index, context in slot.readKey(tokens[index], next: index + 1, in: context)
            }
        case .message:
            .read(expected: "the label of a message", help: "a label that a `send … as NAME` gave") { slot, tokens, index, context in
                slot.readName(tokens[index], of: context.messages, next: index + 1, in: context)
            }
        case .transfer:
            .read(expected: "the label of a transfer", help: "a label that a `transfer … as NAME` gave") { slot, tokens, index, context in
                slot.readName(tokens[index], of: context.transfers, next: index + 1, in: context)
            }
        case .snapshot:
            .read(expected: "the name of a snapshot", help: "a name that `take snapshot as NAME` gave") { slot, tokens, index, context in
                slot.readName(tokens[index], of: context.snapshots, next: index + 1, in: context)
            }
        case .backup:
            .read(expected: "the name of a backup", help: "a name that `backup as NAME` gave") { slot, tokens, index, context in
                slot.readName(tokens[index], of: context.backups, next: index + 1, in: context)
            }
        case .mark:
            .read(expected: "the name of a mark", help: "a name that `mark NAME` gave") { slot, tokens, index, context in
                slot.readName(tokens[index], of: context.marks, next: index + 1, in: context)
            }
        case .catalog:
            .read(
                expected: "the name of a catalog",
                help: "a catalog that keys of the file name, or `Scenario`, which lists those that name none"
            ) {
                slot, tokens, index, context in slot.readName(tokens[index], of: Set(context.catalogs), next: index + 1, in: context)
            }
        // Anything of a kind
        case .name:
            .read(expected: "a name", help: "letters, digits, `_`, and `.` or `-` within") { slot, tokens, index, _ in
                tokens[index].kind == .word ? slot.found(.word(tokens[index].text), tokens[index], next: index + 1) : .other
            }
        case .string:
            .read(expected: "a text in quotation marks", help: "a text in quotation marks, with the escapes of JSON") {
                slot, tokens, index, _ in slot.readString(tokens[index], next: index + 1)
            }
        case .value:
            .read(expected: "a value", help: "a value of JSON, or one of the notations below") { slot, tokens, index, context in
                slot.readValue(tokens, at: index, in: context)
            }
        case .object:
            .read(expected: "an object such as `{\"theme\": \"dark\"}`", help: "an object of JSON, whose values may be notations below") {
                slot, tokens, index, context in slot.readValue(tokens, at: index, in: context)
            }
        case .bytes:
            .read(expected: "a number of bytes such as `100 bytes`", help: "such as `100 bytes`") { slot, tokens, index, _ in
                slot.readBytes(tokens, at: index)
            }
        case .count:
            .read(expected: "a number from 1 on", help: "a whole number from 1 on") { slot, tokens, index, _ in
                slot.readNumber(tokens[index], at: index)
            }
        case .number:
            .read(expected: "a whole number", help: "a whole number from 0 on") { slot, tokens, index, _ in
                slot.readNumber(tokens[index], at: index)
            }
        case .seed:
            .read(expected: "a seed such as `42`", help: "a whole number from 0 on, of up to 64 bits") { slot, tokens, index, _ in
                slot.readSeed(tokens[index], at: index)
            }
        case .time:
            .read(expected: "a time such as `200ms`, `5s` or `2min`", help: "such as `250us`, `200ms`, `1.5s`, `2min`, `1h`, `7d`") {
                slot, tokens, index, _ in slot.readTime(tokens, at: index)
            }
        case .version:
            .read(expected: "a version such as `2.0`", help: "one to four numbers joined by dots, such as `2.0`") {
                slot, tokens, index, _ in slot.readVersion(tokens[index], next: index + 1)
            }
        case .type:
            .read(
                expected: "a type such as `String`",
                help: "`String`, `Int`, `Double`, `Bool`, `Data`, `Date`, a list such as `[Int]`, or `Any` (anything JSON can say)"
            ) { slot, tokens, index, _ in slot.readType(tokens, at: index) }
        case .facts:
            .read(
                expected: "facts such as `key \"theme\"`",
                help: "names and values of an event's facts, separated by commas, such as `key \"theme\", number 2`"
            ) { slot, tokens, index, context in slot.readFacts(tokens, at: index, in: context) }
        case .arguments:
            .read(
                expected: "arguments such as `size 100`",
                help: "names and values for the parameters of the file, separated by commas, such as `size 100, name \"x\"`"
            ) { slot, tokens, index, _ in slot.readArguments(tokens, at: index) }
        case .rest:
            .read(expected: "a value or words", help: "a value, or words of a line") { slot, tokens, index, _ in
                slot.readRest(tokens, at: index)
            }
        case .setting:
            .read(
                expected: "a setting such as `200ms`, `true`, `100 bytes`, `50` or `errSecIO`",
                help: "a time, `true` or `false`, a number, a number of bytes, an error of the keychain or another word, as the knob has it"
            ) { slot, tokens, index, _ in slot.readRest(tokens, at: index) }
        }
    }

    private static let definitions = Dictionary(
        allCases.map { ($0, $0.define()) }, uniquingKeysWith: { first, _ in first })

    private var definition: SlotDefinition { Self.definitions[self] ?? define() }

    /// The words that can stand here, if they are fixed, in the order in which lists show them.
    package var words: [String]? { definition.words }

    /// Whether a word is one of the fixed ones; `nil` where none are.
    func has(_ word: String) -> Bool? { definition.wordSet?.contains(word) }

    /// What can stand here, for messages: "expected …".
    var expectation: String { definition.expected }

    /// What can stand here, for the grammar.
    package var help: String { definition.help }

    /// Reads the slot's content at `index`.
    func read(_ tokens: [Token], at index: Int, in context: LineContext) -> SlotReading {
        guard tokens.indices.contains(index) else { return .other }
        let definition = definition
        guard let words = definition.wordSet else { return definition.read?(self, tokens, index, context) ?? .other }
        return readWord(tokens[index], at: index, of: words, in: context)
    }
}

extension WCSessionDelegateMethod {
    /// As scenario files write it: the case's name.
    public var scenarioName: String { String(describing: self) }

    init?(scenarioName: String) {
        guard let found = Self.allCases.first(where: { $0.scenarioName == scenarioName }) else { return nil }
        self = found
    }
}
