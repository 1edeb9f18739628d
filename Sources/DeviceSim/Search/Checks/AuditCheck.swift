import DeviceSimCore
import DeviceSimLanguage
import DeviceSimRunner
import Foundation
import LocalData

/// Holds what the app's audit says against what lies on the device, which is looked at without LocalData.
struct AuditCheck {
    let run: ScenarioRun
    let device: Device
    let step: Int

    /// What lies on the device, by where it lies.
    private struct Contents {
        /// Files by their paths from the container on.
        var files: [String: Int] = [:]
        var preferences: [DefaultsSuite: Set<String>] = [:]
        /// Items by service and account.
        var items: [String: [String: Int]] = [:]
        /// The same as it was found, each in its order.
        let storedFiles: [(path: String, bytes: Data)]
        let storedPreferences: [DeviceStorage.StoredPreference]
        let storedItems: [KeychainItem]

        init(of storage: DeviceStorage) throws {
            (storedFiles, storedPreferences) = (try storage.storedFileContents(), try storage.storedPreferences())
            storedItems = try storage.storedKeychainItems()
            for file in storedFiles { files[file.path] = file.bytes.count }
            for preference in storedPreferences { preferences[preference.suite, default: []].insert(preference.key) }
            for item in storedItems { items[item.service, default: [:]][item.account] = item.accessControl == nil ? item.data.count : -1 }
        }

        /// How many bytes the file has, under whichever name the disk takes for that one.
        func size(of path: String, ignoringCase: Bool) -> Int? {
            if let size = files[path] { return size }
            return ignoringCase ? storedFiles.first { $0.path.lowercased() == path.lowercased() }?.bytes.count : nil
        }
    }

    /// - Parameter isReadable: Whether the app was given a value of the key at this moment.
    func check(_ keeper: InvariantChecker, isReadable: (CheckedKey) -> Bool) throws -> Violation? {
        let looking = ReadOnlyCheck(of: device, in: run)
        let operation = try device.start("audit") { await StorageRouter.shared.auditReport() }
        try run.simulation.finish(operation)
        if let violation = looking?.check(keeper, in: run, step: step) { return violation }
        guard let report = try report(of: operation), !report.items.isEmpty else { return nil }
        let contents = try Contents(of: device.storage)
        let keys = Dictionary(grouping: known(keeper), by: \.name)
        for item in report.items {
            let atPlace = keys[item.key.name, default: []].filter { $0.domain == item.key.domain }
            guard let key = atPlace.first, !keeper.damaged.contains(key.reference.index) else { continue }
            keeper.recorder?.looked(.audit)
            // Of several keys of one place each reads what lies there in its own way.
            let wasRead = atPlace.count == 1 && isReadable(key)
            if let violation = compare(item.presence, key, contents, isReadable: wasRead) { return violation }
            for source in key.sources.map({ keeper.keys[$0.index] }) where item.presence != .notApplicable && !source.dependsOnPerson {
                // That is the value itself, or may be that of a key of a kind, which no migration takes away.
                guard !key.otherNames.contains(source.reference), !key.isAtPlace(of: source), !isOfAKind(source.name) else { continue }
                guard let lies = place(of: source, in: contents) else { continue }
                // Sources of sources may have the name, too, in other places.
                let copies = item.legacyCopies.filter { $0.name == source.name && $0.place == source.domain.auditText }
                // What could not be looked into, as preferences of a process that the system started early, may be empty.
                if lies == nil, copies.contains(where: \.isUnreadable) { continue }
                guard copies.isEmpty == (lies == nil) else {
                    let claim = copies.isEmpty ? "nothing" : "something"
                    return violation(source, "says \(claim) is left at '\(source.reference.identifier)'", lies)
                }
            }
        }
        let spokenOf = spokenOf(keeper)
        return try unmentioned(report, spokenOf, contents) ?? silentOrphan(report, spokenOf, contents) ?? policies(report, keeper)
            ?? unexplained(report, keeper, spokenOf)
    }

    /// - Returns: `nil` where a key's folder, which the app gives by its path, is out of its reach.
    private func report(of operation: AppOperation<StorageAuditReport>) throws -> StorageAuditReport? {
        do {
            return try operation.result?.get()
        } catch let error as StorageError where error.code == .accessDenied || error.code == .inputOutput {
            guard run.scenario.keys.contains(where: { $0.declaration?.domain.isFileByPath == true }) else { throw error }
            return nil
        }
    }

    /// The keys that the app's version has, and places that a migration starts from. What an update has dropped is nobody's.
    private func known(_ keeper: InvariantChecker) -> [CheckedKey] {
        guard let version = AppVersion(device.appVersion) else { return keeper.keys }
        return keeper.keys.filter { !$0.isCurrent || $0.exists(in: version) }
    }

    /// Those, and the keys of other versions of the app that they migrate from: the audit speaks of what lies there.
    private func spokenOf(_ keeper: InvariantChecker) -> [CheckedKey] {
        let known = known(keeper)
        let indices = Set(known.map(\.reference.index) + known.flatMap(keeper.origins).map(\.reference.index))
        return keeper.keys.filter { indices.contains($0.reference.index) }
    }

    private func compare(_ presence: StoragePresence?, _ key: CheckedKey, _ contents: Contents, isReadable: Bool) -> Violation? {
        guard let lies = place(of: key, in: contents) else { return nil }
        let name = key.reference.identifier
        switch (presence, lies) {
        case (.missing?, nil), (.notApplicable?, _), (.unreadable?, _), (nil, _): return nil
        case (.missing?, let size?): return violation(key, "says '\(name)' is missing", size)
        case (.present?, nil): return violation(key, "says '\(name)' has a value", nil)
        case (.present(let count?)?, let size?) where size >= 0 && count != size:
            return violation(key, "says '\(name)' takes \(count) bytes", size)
        case (.damaged?, _) where isReadable: return violation(key, "says '\(name)' is damaged, which could be read just now,", lies)
        case (.present?, _), (.damaged?, _): return nil
        }
    }

    /// What names begin and end with that are listed as those of a kind, such as `draft_<id>`.
    private var kindsOfNames: [(beginning: Substring, end: Substring)] {
        run.scenario.keys.compactMap { key in
            guard let text = key.declaration?.placeholder, let begin = text.firstIndex(of: "<"), let end = text.lastIndex(of: ">") else {
                return nil
            }
            return (text[..<begin], text[text.index(after: end)...])
        }
    }

    /// Whether a kind of names that are made at run time may have it.
    private func isOfAKind(_ name: String) -> Bool {
        kindsOfNames.contains { name.hasPrefix($0.beginning) && name.hasSuffix($0.end) }
    }

    /// Nothing lies beside registered values that the audit does not speak of.
    private func unmentioned(_ report: StorageAuditReport, _ keys: [CheckedKey], _ contents: Contents) -> Violation? {
        let names = keys.map(\.name) + (report.findings ?? []).map(\.name) + Self.listed(in: report)
        let known = Set(run.scenario.knobs.diskIgnoresCase ? names + names.map { $0.lowercased() } : names)
        let folders = Set(keys.filter { !$0.isInKeychain && !$0.isInPreferences }.compactMap { folder(of: $0.domain) })
        for path in contents.files.keys.sorted() {
            guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), folders.contains(String(path[..<slash])) else { continue }
            let name = String(path[path.utf8.index(after: slash)...])
            guard !known.contains(run.scenario.knobs.diskIgnoresCase ? name.lowercased() : name), !path.contains("/LocalData/") else {
                continue
            }
            guard !isOfAKind(name) else { continue }
            return Violation(
                .audit, device: device.id, step: step,
                explanation: ["'\(path)' lies on \(device.id) beside registered values, and its audit does not speak of it"])
        }
        return nil
    }

    /// The keys of the app's catalogs, of which a file may name some only, and what their migrations would bring.
    private static func listed(in report: StorageAuditReport) -> [String] {
        report.items.flatMap { [$0.key.name] + $0.legacyCopies.map(\.name) }
    }

    private func violation(_ key: CheckedKey, _ claim: String, _ size: Int?) -> Violation {
        let fact = size.map { $0 < 0 ? "something lies there" : "\($0) bytes lie there" } ?? "nothing lies there"
        return Violation(
            .audit, key: key.reference.identifier, device: device.id, step: step,
            explanation: ["the audit of \(device.id) \(claim) and \(fact)"],
            expectation: Expectation(.audit(device.id, size == nil ? .missing(key.reference) : .present(key.reference))))
    }

    // MARK: The device

    /// How many bytes lie at the key's place, -1 for something of no known size; `.some(nil)`: nothing does. `nil` for a place that is not looked at.
    private func place(of key: CheckedKey, in contents: Contents) -> Int?? {
        switch key.domain {
        // The widget has a suite of that name for itself.
        case .userDefaults(.some) where !key.isSharedWithWidget && run.scenario.steps.contains(where: \.action.isOfWidget): nil
        case .userDefaults(let suite):
            contents.preferences[self.suite(named: suite)]?.contains(key.name) == true ? .some(-1) : .some(nil)
        case .appGroupUserDefaults(let group): contents.preferences[.appGroup(group)]?.contains(key.name) == true ? .some(-1) : .some(nil)
        case .keychain(let service): .some(contents.items[service ?? run.simulation.options.bundleIdentifier]?[key.name])
        case .fileSystem, .encryptedFileSystem, .appGroupFileSystem:
            folder(of: key.domain).map { contents.size(of: "\($0)/\(key.name)", ignoringCase: run.scenario.knobs.diskIgnoresCase) }
        }
    }

    /// A suite that is named like the app is its own, one that is named like a group the group's.
    private func suite(named name: String?) -> DefaultsSuite {
        guard let name, name != run.simulation.options.bundleIdentifier else { return .standard }
        return name.hasPrefix("group.") ? .appGroup(name) : .named(name)
    }

    /// From the container on; `nil` for a place that is not looked at.
    private func folder(of domain: StorageDomain) -> String? {
        switch domain {
        case .fileSystem(let directory), .encryptedFileSystem(let directory): folder(of: directory, in: "", device.storage.containerPath)
        case .appGroupFileSystem(let group, let directory):
            folder(of: directory, in: "AppGroup/\(group)/", DiskPath.joined(DeviceStorage.groupsPath + [group]))
        case .userDefaults, .appGroupUserDefaults, .keychain: nil
        }
    }

    private func folder(of directory: FileDirectory, in container: String, _ root: String) -> String? {
        switch directory {
        case .documents: "\(container)Documents"
        case .caches: "\(container)Library/Caches"
        case .custom(let url): url.path.hasPrefix(root + "/") ? container + url.path.dropFirst(root.count + 1) : nil
        }
    }

    // MARK: What belongs to no key

    /// Whether a note of a place may have found no room, or be gone: such a place is then known only while a key has its value there. A group that the widget
    /// of another version of the app has used, and that version's app not yet, is noted where the app cannot look.
    private func mayLackNote(of suite: DefaultsSuite) -> Bool {
        let steps = run.scenario.steps
        if case .appGroup = suite, steps.contains(where: \.action.isOfWidget) { return true }
        return steps.contains { step in
            // The notes themselves may be written over.
            if case .transfer(let transfer) = step.action, case .writeFile(let path, _) = transfer.action, path.contains("/LocalData/") {
                return true
            }
            // Nor does what puts a value there behind the app's back note where.
            if case .data(let data) = step.action, case .plant = data.action { return true }
            return step.action.traits.doubts.contains(.notes)
        }
    }

    /// Whatever is sealed and lies where no key has its value is spoken of, wherever that is.
    private func silentOrphan(_ report: StorageAuditReport, _ keys: [CheckedKey], _ contents: Contents) -> Violation? {
        let findings = report.findings ?? []
        // What could not be looked into is said so, and may hide anything.
        guard !findings.contains(where: { $0.kind == .unreadable }) else { return nil }
        let known = Set(keys.map(\.name) + findings.map(\.name) + Self.listed(in: report))
        func isSilent(_ name: String, _ bytes: Data?) -> Bool { !known.contains(name) && bytes.map { SealedForm(of: $0) != nil } == true }
        for file in contents.storedFiles where !file.path.hasPrefix("AppGroup/") {
            let name = file.path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(file.path[file.path.utf8.index(after: $0)...]) }
            let isTold = findings.contains { file.path.hasSuffix("/" + $0.name) }
            if !isTold, isSilent(name ?? file.path, file.bytes) { return orphan("file \(file.path)") }
        }
        let suites = Set(
            keys.compactMap { key in
                switch key.domain {
                case .userDefaults(let name): suite(named: name)
                case .appGroupUserDefaults(let group): .appGroup(group)
                default: nil
                }
            })
        for preference in contents.storedPreferences where suites.contains(preference.suite) || !mayLackNote(of: preference.suite) {
            guard case .data(let bytes) = preference.value else { continue }
            if isSilent(preference.key, bytes) { return orphan("preference \(preference.key)") }
        }
        for item in contents.storedItems where item.accessControl == nil {
            if isSilent(item.account, item.data) { return orphan("keychain item \(item.account) of \(item.service)") }
        }
        return nil
    }

    private func orphan(_ place: String) -> Violation {
        Violation(
            .audit, device: device.id, step: step,
            explanation: ["\(place) on \(device.id) is sealed and of no key, and its audit does not speak of it"])
    }

    /// On a device in working order everything can be looked into, and what lies where no key has its place any more was abandoned by one.
    private func unexplained(_ report: StorageAuditReport, _ keeper: InvariantChecker, _ spokenOf: [CheckedKey]) -> Violation? {
        let mayBeOutOfReach = run.scenario.hasLinks || run.scenario.keys.contains { $0.declaration?.domain.isFileByPath == true }
        // An item that went with a person's passcode or face, with another's attribute, says nothing of itself.
        let mayBeDestroyed = keeper.keys.contains { $0.isInKeychain && $0.dependsOnPerson }
        for finding in report.findings ?? [] {
            switch finding.kind {
            case .unreadable where mayBeDestroyed && finding.place.hasPrefix("keychain"): continue
            // What is beyond the limits of an audit it says so of, without an error.
            case .unreadable where finding.error != nil && !mayBeOutOfReach && device.process?.life.wasPrewarmed == false:
                return Violation(
                    .audit, device: device.id, step: step,
                    explanation: ["nothing keeps \(device.id) from its work, and its audit cannot look into '\(finding.place)'"])
            case .unclaimed:
                let ran = versionsThatRan()
                let named = keeper.keys.filter { $0.name == finding.name }
                // Where another version of the app keeps the name beside a key of this one, it is that which is found.
                guard let key = named.first,
                    named.allSatisfy({ key in
                        key.domain.isNamed
                            && !spokenOf.contains { $0.reference == key.reference || $0.domain.withItsName == key.domain.withItsName }
                    }), !spokenOf.contains(where: { $0.name == finding.name }),
                    named.contains(where: { ran.contains(where: $0.exists(in:)) })
                else { continue }
                return Violation(
                    .audit, key: key.reference.identifier, device: device.id, step: step,
                    explanation: [
                        "no key of the app lies where '\(finding.name)' does any more, and the audit of \(device.id) takes it for another's"
                    ]
                )
            default: continue
            }
        }
        return nil
    }

    /// The versions of the app whose code ran since the app was installed, or its data came from a backup: those that could note where their keys lie.
    private func versionsThatRan() -> Set<AppVersion> {
        var version = run.scenario.start[device.id].appVersion
        var ran: Set<AppVersion> = []
        for event in run.simulation.trace.events where event.device == device.id {
            switch event.kind {
            case .update: if case .text(let text)? = event["version"], let new = AppVersion(text) { version = new }
            case .launch, .launchInBackground, .prewarm: ran.insert(version)
            case .install, .uninstall, .erase, .restore: ran = []
            default: continue
            }
        }
        return ran
    }

    /// The policy that is in force is the one that the audit tells of.
    private func policies(_ report: StorageAuditReport, _ keeper: InvariantChecker) throws -> Violation? {
        for key in known(keeper) where key.isCurrent {
            guard let item = report.items.first(where: { $0.key.name == key.name }), !item.mayHaveChosenSyncPolicy else { continue }
            let binding = run.binding(of: key.reference, on: device)
            let operation = try device.start("policy") { StorageRouter.shared.syncPolicy(of: binding.key.base) }
            try run.simulation.finish(operation)
            guard let policy = try operation.result?.get() else { continue }
            let name = key.reference.identifier
            // A choice is made for a name, whichever keys have it.
            let isAlone = keeper.keys.count(where: { $0.name == key.name }) == 1
            if isAlone, let choice = keeper.overrides.choice(for: key.reference, on: device.id), choice != item.chosenSyncPolicy {
                let told = choice.map { "'\($0.rawValue)'" } ?? "nothing"
                return Violation(
                    .audit, key: name, device: device.id, step: step,
                    explanation: ["the app chose \(told) for the sync of '\(name)' on \(device.id), and its audit says otherwise"])
            }
            guard policy != item.chosenSyncPolicy ?? item.key.syncPolicy else { continue }
            // Keys of one name have one choice, and each a declaration: which one the audit tells of is not said.
            let declared = keeper.keys.filter { $0.name == key.name }.map { run.keys[$0.reference].key.base.syncPolicy }
            guard declared.allSatisfy({ $0 == declared.first }) else { continue }
            return Violation(
                .audit, key: name, device: device.id, step: step,
                explanation: ["the sync of '\(name)' on \(device.id) is '\(policy.rawValue)', and its audit says otherwise"])
        }
        return nil
    }
}

extension StorageDomain {
    /// Whether it is a suite or a service of a name of its own, which is looked into for its keys alone.
    fileprivate var isNamed: Bool {
        switch self {
        case .userDefaults(let suite): suite != nil && self.withItsName != StorageDomain.userDefaults(suite: nil).withItsName
        case .keychain(let service): service != nil && self.withItsName != StorageDomain.keychain(service: nil).withItsName
        case .appGroupUserDefaults: true
        case .fileSystem, .encryptedFileSystem, .appGroupFileSystem: false
        }
    }
}

extension LegacyCopy {
    fileprivate var isUnreadable: Bool {
        if case .unreadable = state { return true }
        return false
    }
}

extension ScenarioStep.Action {
    fileprivate var isOfWidget: Bool {
        switch self {
        case .data(let step): step.part == .widget
        case .together(let steps): steps.contains(where: \.action.isOfWidget)
        default: false
        }
    }
}
