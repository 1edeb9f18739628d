import DeviceSimCore
import LocalData

extension Expectation {
    /// What must be known of a file.
    public enum FileCondition: Sendable, Hashable {
        /// A file is there.
        case exists
        /// Nothing is there.
        case missing
        /// It has so many bytes.
        case byteCount(Int)
        /// It has this data protection class.
        case protection(FileProtection)
        /// Whether backups leave it out.
        case excludedFromBackup(Bool)
    }

    /// What seals a value.
    public enum SealCondition: Sendable, Hashable {
        /// The master key that seals new values.
        case primaryKey
        /// Another master key, there or not.
        case oldKey
        /// External key material of that source.
        case source(String)
    }
}

extension Expectation.FileCondition {
    /// As a scenario file writes it.
    public var notation: String {
        switch self {
        case .exists: "exists"
        case .missing: "missing"
        case .byteCount(let count): "has \(count.bytesNotation)"
        case .protection(let protection): "has protection \(protection.rawValue)"
        case .excludedFromBackup(true): "is excluded from backup"
        case .excludedFromBackup(false): "is backed up"
        }
    }
}

extension Expectation.SealCondition {
    /// As a scenario file writes it.
    public var notation: String {
        switch self {
        case .primaryKey: "primary key"
        case .oldKey: "old key"
        case .source(let id): "source \(ScenarioValue.quoted(id))"
        }
    }
}

extension Vocabulary {
    static let storageForms: [Form] = [
        Form(
            .expect, "EXPECT DEVICE disk contains KEY [TIMING]", "something lies in the key's place, readable or not",
            example: "expect phone disk contains theme"
        ) {
            keyed($0) { .stored($0, $1, true) }
        },
        Form(
            .expect, "EXPECT DEVICE disk lacks KEY [TIMING]", "nothing lies in the key's place", example: "expect phone disk lacks oldTheme"
        ) {
            keyed($0) { .stored($0, $1, false) }
        },
        Form(
            .expect, "EXPECT no plaintext of KEY on DEVICE [TIMING]",
            "nothing that the device stores, and no session holds, has a value that a step gave the key, on whichever device, as text, serialized, in Base64 or as a digest; "
                + "the keychain counts unless the key, or one that migrates from it, is kept there; a number and a text of fewer than 4 bytes count as a value of its own; of `true`, `false`, `null`, shorter numbers and words that LocalData itself writes down nothing can be said",
            example: "expect no plaintext of token on phone"
        ) { keyed($0) { .noPlaintext($0, $1) } },
        file(
            "EXPECT DEVICE file STRING exists [TIMING]", "a file is there; the path is relative to the app's container",
            example: "expect phone file \"Documents/notes\" exists"
        ) {
            _ in .exists
        },
        file("EXPECT DEVICE file STRING missing [TIMING]", "no file is there", example: "expect phone file \"Documents/notes\" missing") {
            _ in .missing
        },
        file(
            "EXPECT DEVICE file STRING has BYTES [TIMING]", "a file has that size",
            example: "expect phone file \"Documents/notes\" has 12 bytes"
        ) {
            $0.count(.bytes).map { .byteCount($0) }
        },
        file(
            "EXPECT DEVICE file STRING has protection PROTECTION [TIMING]", "a file has that protection class",
            example: "expect phone file \"Documents/notes\" has protection complete"
        ) { $0.word(.protection).flatMap { FileProtection(rawValue: $0) }.map { .protection($0) } },
        file(
            "EXPECT DEVICE file STRING is backed up [TIMING]", "a file goes into backups",
            example: "expect phone file \"Documents/notes\" is backed up"
        ) {
            _ in .excludedFromBackup(false)
        },
        file(
            "EXPECT DEVICE file STRING is excluded from backup [TIMING]", "a file stays out of backups",
            example: "expect phone file \"Documents/notes\" is excluded from backup"
        ) { _ in .excludedFromBackup(true) },
    ]

    private static func file(
        _ pattern: String, _ help: String, example: String, _ condition: @escaping @Sendable (Match) -> Expectation.FileCondition?
    ) -> Form {
        Form(.expect, pattern, help, example: example) { match in
            guard let path = match.pathInContainer(), let condition = condition(match) else { return nil }
            return onDevice(match) { .file($0, path: path, condition) }
        }
    }

    static let keyForms: [Form] = [
        Form(
            .expect, "EXPECT DEVICE KEY sealed by primary key [TIMING]", "the value is sealed with the master key that seals new values",
            example: "expect phone token sealed by primary key"
        ) { keyed($0) { .sealed($0, $1, .primaryKey) } },
        Form(
            .expect, "EXPECT DEVICE KEY sealed by old key [TIMING]", "the value is sealed with another master key, be it there or not",
            example: "expect phone token sealed by old key"
        ) { keyed($0) { .sealed($0, $1, .oldKey) } },
        Form(
            .expect, "EXPECT DEVICE KEY sealed by source STRING [TIMING]", "the value is sealed with external key material of that source",
            example: "expect phone token sealed by source \"remote.1\""
        ) { match in
            match.string().flatMap { source in keyed(match) { .sealed($0, $1, .source(source)) } }
        },
        Form(
            .expect, "EXPECT DEVICE has NUMBER master (key | keys) [TIMING]",
            "the app has so many master keys of its own; those of access groups do not count",
            example: "expect phone has 1 master key"
        ) { match in
            match.count(.number).flatMap { count in onDevice(match) { .masterKeys($0, count) } }
        },
    ]
}
