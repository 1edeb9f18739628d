import Foundation

/// Where the ledger lies: records of defaults keys in the keys' own suites, everything else in small internal files.
///
/// After a power loss a suite holds a prefix of its recent sets. A record in the same suite is therefore never newer than its value by more than
/// the announced change, which is what ``SyncRecord/recovered(finding:device:)`` can settle.
struct SyncLedgerStore: Sendable {
    let environment: StorageEnvironment
    let files: FileStorageHelper
    /// Of records, by key name.
    private let names = DigestedNames(in: recordFolder + "/")

    init(environment: StorageEnvironment, files: FileStorageHelper) {
        self.environment = environment
        self.files = files
    }

    static let folder = "Sync"
    static let recordFolder = "Sync/Records"
    static let installationFile = "Sync/Device/installation.json"
    static let overridesFile = "Sync/policies.json"
    /// The same list in the app's preferences: a watch's backup holds those, and no files.
    static let overridesEntry = "com.localdata.choices"
    /// What the library's own entries in a suite begin with; apps' keys may not.
    static let defaultsPrefix = "com.localdata.sync."

    /// The encoded record, or `nil` where there is none.
    func record(of name: String, in domain: StorageDomain) throws -> String? {
        guard let suite = domain.defaultsSuite else { return try recordOfFile(named: name) }
        try environment.defaults.requireReadable(suite)
        switch try defaults({ try environment.defaults.value(forKey: Self.defaultsPrefix + name, in: suite) }) {
        case nil: return nil
        case .string(let text): return text
        // Not what LocalData writes: an empty record is a damaged one.
        default: return ""
        }
    }

    /// The record of a name whose value lies in a file or in the keychain.
    func recordOfFile(named name: String) throws -> String? {
        try files.readInternal(name: names.file(of: name)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Writes a record. Durable when it returns; in a suite, as durable as what is set there after it.
    func setRecord(_ text: String?, of name: String, in domain: StorageDomain) throws {
        if let suite = domain.defaultsSuite {
            try environment.defaults.requireReadable(suite)
            try defaults { try environment.defaults.set(text.map { .string($0) }, forKey: Self.defaultsPrefix + name, in: suite) }
        } else if let text {
            try files.writeInternal(Data(text.utf8), name: names.file(of: name))
        } else {
            try files.removeInternal(name: names.file(of: name))
        }
    }

    func installation() throws -> Data? { try files.readInternal(name: Self.installationFile) }

    func setInstallation(_ data: Data) throws {
        try files.writeInternal(data, name: Self.installationFile)
    }

    /// The list of choices: the file's, and where there is none that of the preferences, which came with a backup that holds no files.
    /// - Returns: Also whether the file and the preferences say the same, as far as that can be told. Nothing says the same as an empty list there.
    /// - Throws: also `lockedBeforeFirstUnlock`, on a watch where there is no file and this process cannot know what the preferences say. Only a watch's backup
    ///   holds those without the files: elsewhere nothing was chosen where no file says so, and a new installation need not wait for its next launch.
    func overrides() throws -> (list: Data?, isSettled: Bool) {
        if let data = try files.readInternal(name: Self.overridesFile) {
            return (data, !environment.defaults.isReadable(.standard) || ((try? overridesInPreferences()) ?? Self.noOverrides) == data)
        }
        if environment.device.role != .watch, !environment.defaults.isReadable(.standard) { return (nil, false) }
        try environment.defaults.requireReadable(.standard)
        return (try overridesInPreferences(), false)
    }

    private static let noOverrides = Data(SyncPolicyChoices().encoded.utf8)

    private func overridesInPreferences() throws -> Data? {
        guard case .string(let text)? = try defaults({ try environment.defaults.value(forKey: Self.overridesEntry, in: .standard) })
        else { return nil }
        return Data(text.utf8)
    }

    /// Durable when it returns.
    func setOverrides(_ data: Data) throws { try files.writeInternal(data, name: Self.overridesFile) }

    /// Copies the list into the preferences. The copy is as durable as those are: on this device the file counts. Whoever observes preferences runs within this: no
    /// lock is held meanwhile.
    func copyOverrides(_ data: Data) {
        guard environment.defaults.isReadable(.standard), data != Self.noOverrides || (try? overridesInPreferences()) != nil else { return }
        try? environment.defaults.set(.string(String(decoding: data, as: UTF8.self)), forKey: Self.overridesEntry, in: .standard)
    }

    /// Keeps the installation out of backups, durably. Only the folder can be marked for good: every durable write makes a new file.
    func excludeInstallationFromBackup() throws {
        try files.excludeInternalFolderFromBackup(of: Self.installationFile)
    }

    func defaults<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as StorageError {
            throw error
        } catch {
            throw StorageError(.inputOutput, operation: "sync", facts: ["\(error)"])
        }
    }
}

extension StorageDomain {
    /// The suite that values of this domain lie in, if they lie in defaults.
    var defaultsSuite: DefaultsSuite? {
        switch self {
        case .userDefaults(let suite): suite.map { .named($0) } ?? .standard
        case .appGroupUserDefaults(let identifier): .appGroup(identifier)
        case .keychain, .fileSystem, .encryptedFileSystem, .appGroupFileSystem: nil
        }
    }

    var isKeychain: Bool {
        if case .keychain = self { true } else { false }
    }

    /// The App Group whose processes may all have what lies there, also where a suite of preferences is named as the group is: that is the group's.
    var sharedGroup: String? {
        if case .userDefaults(let suite?) = self, suite.hasPrefix("group.") { return suite }
        return appGroup
    }

    /// Preferences of an App Group, however they are spelled.
    var isGroupSuite: Bool { defaultsSuite != nil && sharedGroup != nil }

    /// A file of an App Group, or one in a directory of the app's choice, which may be the group's.
    var mayBeFileOfGroup: Bool {
        switch self {
        case .appGroupFileSystem: true
        case .fileSystem(let directory), .encryptedFileSystem(let directory): directory.customPath != nil
        case .userDefaults, .appGroupUserDefaults, .keychain: false
        }
    }
}

/// What lies at a key's place is no value of the key and will never be read as one: damaged, or sealed under a key that is gone.
struct DamagedValue: Error {
    let reason: StorageError
}
