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
    }

    /// - Parameter isReadable: Whether the app was given a value of the key at this moment.
    func check(_ keeper: PromiseKeeper, isReadable: (CheckedKey) -> Bool) throws -> Breach? {
        let operation = try device.start("audit") { await StorageRouter.shared.auditReport() }
        try run.simulation.finish(operation)
        guard let report = try operation.result?.get(), !report.items.isEmpty else { return nil }
        let contents = try contents()
        let keys = Dictionary(keeper.keys.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        for item in report.items {
            guard let key = keys[item.key.name], !keeper.damaged.contains(key.reference.index), key.domain == item.key.domain else {
                continue
            }
            if let breach = compare(item.presence, key, contents, isReadable: isReadable(key)) { return breach }
            for source in key.sources.map({ keeper.keys[$0.index] }) where item.presence != .notApplicable && !source.dependsOnPerson {
                guard let lies = place(of: source, in: contents) else { continue }
                let copies = item.legacyCopies.filter { $0.name == source.name }
                guard copies.isEmpty == (lies == nil) else {
                    let claim = copies.isEmpty ? "nothing" : "something"
                    return breach(source, "says \(claim) is left at '\(source.reference.identifier)'", lies)
                }
            }
        }
        return unmentioned(report, keeper, contents)
    }

    private func compare(_ presence: StoragePresence?, _ key: CheckedKey, _ contents: Contents, isReadable: Bool) -> Breach? {
        guard let lies = place(of: key, in: contents) else { return nil }
        let name = key.reference.identifier
        switch (presence, lies) {
        case (.missing?, nil), (.notApplicable?, _), (.unreadable?, _), (nil, _): return nil
        case (.missing?, let size?): return breach(key, "says '\(name)' is missing", size)
        case (.present?, nil): return breach(key, "says '\(name)' has a value", nil)
        case (.present(let count?)?, let size?) where size >= 0 && count != size:
            return breach(key, "says '\(name)' takes \(count) bytes", size)
        case (.damaged?, _) where isReadable: return breach(key, "says '\(name)' is damaged, which could be read just now,", lies)
        case (.present?, _), (.damaged?, _): return nil
        }
    }

    /// Nothing lies beside registered values that the audit does not speak of.
    private func unmentioned(_ report: StorageAuditReport, _ keeper: PromiseKeeper, _ contents: Contents) -> Breach? {
        let known = Set(keeper.keys.map(\.name) + (report.findings ?? []).map(\.name))
        let folders = Set(keeper.keys.filter { !$0.isInKeychain && !$0.isInPreferences }.compactMap { Self.folder(of: $0.domain) })
        for path in contents.files.keys.sorted() {
            guard let slash = path.lastIndex(of: "/"), folders.contains(String(path[..<slash])) else { continue }
            let name = String(path[path.index(after: slash)...])
            guard !known.contains(name) else { continue }
            return Breach(
                .audit, device: device.id, step: step,
                explanation: ["'\(path)' lies on \(device.id) beside registered values, and its audit does not speak of it"])
        }
        return nil
    }

    private func breach(_ key: CheckedKey, _ claim: String, _ size: Int?) -> Breach {
        let fact = size.map { $0 < 0 ? "something lies there" : "\($0) bytes lie there" } ?? "nothing lies there"
        return Breach(
            .audit, key: key.reference.identifier, device: device.id, step: step,
            explanation: ["the audit of \(device.id) \(claim) and \(fact)"],
            expectation: Expectation(.audit(device.id, size == nil ? .missing(key.reference) : .present(key.reference))))
    }

    // MARK: The device

    private func contents() throws -> Contents {
        var contents = Contents()
        for file in try device.storage.storedFiles() { contents.files[file.path] = file.size }
        for preference in try device.storage.storedPreferences() {
            contents.preferences[preference.suite, default: []].insert(preference.key)
        }
        for item in try device.storage.storedKeychainItems() {
            contents.items[item.service, default: [:]][item.account] = item.accessControl == nil ? item.data.count : -1
        }
        return contents
    }

    /// How many bytes lie at the key's place, -1 for something of no known size; `.some(nil)`: nothing does. `nil` for a place that is not looked at.
    private func place(of key: CheckedKey, in contents: Contents) -> Int?? {
        switch key.domain {
        case .userDefaults(let suite):
            contents.preferences[suite.map { .named($0) } ?? .standard]?.contains(key.name) == true ? .some(-1) : .some(nil)
        case .appGroupUserDefaults: nil
        case .keychain(let service): .some(contents.items[service ?? run.simulation.options.bundleIdentifier]?[key.name])
        case .fileSystem, .encryptedFileSystem, .appGroupFileSystem:
            Self.folder(of: key.domain).map { contents.files["\($0)/\(key.name)"] }
        }
    }

    /// From the container on; `nil` for a place that is not looked at.
    private static func folder(of domain: StorageDomain) -> String? {
        switch domain {
        case .fileSystem(.documents), .encryptedFileSystem(.documents): "Documents"
        case .fileSystem(.caches), .encryptedFileSystem(.caches): "Library/Caches"
        default: nil
        }
    }
}
