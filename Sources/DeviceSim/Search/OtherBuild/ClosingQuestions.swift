import DeviceSimRunner
import Foundation
import LocalData

/// What a comparison of builds asks an app once its run is over, besides what the steps asked: all that LocalData's public interface tells of a device, and then what
/// it does to a device as a whole, and for apps that use its helpers by themselves.
///
/// In every run: what a drawn run leaves behind is the situation in which a mistake shows, and few runs have a step for each of these in just that situation.
/// The answers have no values.
enum ClosingQuestions {
    /// Changes nothing.
    static func look(at router: StorageRouter) async -> [String] {
        var answers = Answers()
        let domains = router.registeredKeys().map { (name: $0.name, domain: $0.domain) }
        await answers.ask("audit") { await router.auditReport().text }
        await answers.ask("audit of unopened values") { await router.auditReport(opensValues: false).text }
        await answers.ask("report of the catalogs") { StorageAuditReport.renderJSON(for: router) }
        await answers.ask("catalogs") { (router.registeredCatalogs() + router.unregisteredKeys()).joined(separator: " ") }
        await answers.ask("sync") { await router.syncStatus().account }
        await answers.ask("plan of migrations") { try await router.migrationPlan().map(\.description).joined(separator: "\n") }
        await answers.ask("plan of a rotation") { try await router.keyRotationPlan(whileOthersAreQuiet: true).account }
        await answers.ask("derived keys in memory") { "\(await router.rememberedMasterKeys().count)" }
        for suite in distinct([.standard] + domains.compactMap { suite(of: $0.domain) }) {
            await answers.ask("preferences of \(suite)") { try await router.defaults.keys(in: suite).joined(separator: " ") }
        }
        for (directory, group) in distinct([.init(.documents), .init(.caches)] + domains.compactMap { Folder(of: $0.domain) }).map(\.parts)
        {
            await answers.ask("files in \(directory.kind) of \(group ?? "the app")") {
                var files: [String] = []
                for name in try await router.files.list(directory, group: group) {
                    let size = try await router.files.size(of: name, in: directory, group: group)
                    files.append(
                        "\(name) \(size.map(String.init) ?? "–") \(try await router.files.exists(name, in: directory, group: group))")
                }
                return files.joined(separator: "\n")
            }
        }
        for case (let name, .keychain(let service)) in domains {
            await answers.ask("keychain item \(name)") { "\(try await router.keychain.exists(account: name, service: service))" }
        }
        return answers.texts
    }

    /// Works on the device as a whole: brings over, seals anew and rotates, and looks again. Asks nobody to authenticate.
    static func work(on router: StorageRouter) async -> [String] {
        var answers = Answers()
        await useKeychain(of: router, &answers)
        await useFiles(of: router, &answers)
        await usePreferences(of: router, &answers)
        await useEncryption(of: router, &answers)
        for limit in [400, SyncSnapshot.maximumMessageByteCount] {
            await answers.ask("snapshot of \(limit) B") {
                let snapshot = try await router.syncSnapshot(maximumByteCount: limit)
                return "\(snapshot.entries.keys.sorted()) without \(snapshot.omitted)"
            }
        }
        await answers.ask("migrations") {
            var outcomes: [String] = []
            for try await progress in router.migrations() { outcomes.append(progress.outcome.account) }
            return outcomes.joined(separator: "\n")
        }
        await answers.ask("reseal") { try await router.resealValues().map(\.account).joined(separator: "\n") }
        await answers.ask("rotate and retire") {
            let report = try await router.rotateKeys(retiringOldKeys: true)
            return
                ([report.isNew ? "new" : "gone on", report.isComplete ? "complete" : "open"] + report.outcomes.map(\.account)
                + [report.retirement?.account ?? "none retired"]).joined(separator: "\n")
        }
        await answers.ask("retire") { try await router.retireUnneededKeys(whileOthersAreQuiet: true).account }
        await answers.ask("plan behind the rotation") { try await router.keyRotationPlan().account }
        await answers.ask("audit behind the rotation") { await router.auditReport().text }
        return answers.texts
    }

    /// Reads each key.
    static func read(_ router: StorageRouter) async -> [String] {
        var answers = Answers()
        for key in router.registeredKeys().map(\.base) {
            await answers.ask("exists \(key.name)") { "\(try await router.exists(key))" }
            await answers.ask("get \(key.name)") { try await get(key, router) }
        }
        return answers.texts
    }

    private static func get<Key: StorageKey>(_ key: Key, _ router: StorageRouter) async throws {
        _ = try await router.get(key)
    }

    /// Puts at the place of each key what its app would not: bytes of other code, an envelope that is cut short, one of another record, one of a later format, and items that want
    /// a person; at every fifth nothing.
    static func damage(_ router: StorageRouter) async {
        let sealed = (try? await router.encryption.encrypt(Data("\"closing\"".utf8), policy: .recommended, identity: "closing")) ?? Data()
        let later = Data(EnvelopeFormat.magic + [UInt8.max]) + sealed.dropFirst(EnvelopeFormat.magic.count + 1)
        let forms = [Data("{".utf8), sealed.prefix(sealed.count / 2), sealed, later, nil]
        for (index, key) in router.registeredKeys().enumerated() {
            guard let bytes = forms[index % forms.count] else { continue }
            if let suite = suite(of: key.domain) {
                try? await router.defaults.set(.data(bytes), forKey: key.name, in: suite)
            } else if let folder = Folder(of: key.domain) {
                try? await router.files.write(bytes, to: key.name, in: folder.directory, group: folder.group)
            } else if case .keychain(let service) = key.domain {
                let control: KeychainAccessControl? = index.isMultiple(of: 2) ? nil : .biometryAny
                try? await router.keychain.delete(account: key.name, service: service)
                try? await router.keychain.set(bytes, account: key.name, service: service, accessControl: control)
            }
        }
    }

    // MARK: Apps that use the helpers by themselves

    private static let service = "com.example.closing"

    private static func useKeychain(of router: StorageRouter, _ answers: inout Answers) async {
        let keychain = router.keychain
        for account in ["one", "two", ""] {
            await answers.ask("keychain set '\(account)'") {
                try await keychain.set(Data(account.utf8), account: account, service: service)
            }
            await answers.ask("keychain get '\(account)'") { count(try await keychain.get(account: account, service: service)) }
        }
        await answers.ask("keychain set another") {
            try await keychain.set(Data(count: 9), account: "one", service: service, accessibility: .afterFirstUnlock)
        }
        await answers.ask("keychain get another") { count(try await keychain.get(account: "one", service: service)) }
        await answers.ask("keychain delete") { try await keychain.delete(account: "one", service: service) }
        await answers.ask("keychain exists") { "\(try await keychain.exists(account: "one", service: service))" }
        await answers.ask("keychain delete all") { try await keychain.deleteAll(service: service) }
        await answers.ask("keychain exists no more") { "\(try await keychain.exists(account: "two", service: service))" }
    }

    private static func useFiles(of router: StorageRouter, _ answers: inout Answers) async {
        for (name, directory) in [("closing.bin", FileDirectory.documents), ("closing.bin", .caches), ("closing/bin", .documents)] {
            let place = "\(directory.kind)/\(name)"
            await answers.ask("file write \(place)") { try await router.files.write(Data(count: 5), to: name, in: directory) }
            await answers.ask("file read \(place)") { count(try await router.files.read(name, in: directory)) }
            await answers.ask("file size \(place)") { "\(try await router.files.size(of: name, in: directory) ?? -1)" }
            await answers.ask("file delete \(place)") { try await router.files.delete(name, in: directory) }
            await answers.ask("file exists \(place)") { "\(try await router.files.exists(name, in: directory))" }
        }
    }

    private static func usePreferences(of router: StorageRouter, _ answers: inout Answers) async {
        for name in ["closing", "", "com.localdata.closing"] {
            await answers.ask("preference set '\(name)'") { try await router.defaults.set(.integer(7), forKey: name) }
            await answers.ask("preference get '\(name)'") { "\(try await router.defaults.value(forKey: name) == .integer(7))" }
            await answers.ask("preference remove '\(name)'") { try await router.defaults.remove(forKey: name) }
            await answers.ask("preference exists '\(name)'") { "\(try await router.defaults.exists(forKey: name))" }
        }
    }

    private static func useEncryption(of router: StorageRouter, _ answers: inout Answers) async {
        let policies: [SecurityPolicy.EncryptionPolicy] = [
            .aes256(keyDerivation: .hkdf(info: Data("closing".utf8))), .chacha20Poly1305(keyDerivation: .pbkdf2(iterations: 1_000)),
        ]
        for policy in policies {
            var sealed = Data()
            await answers.ask("encrypt") {
                sealed = try await router.encryption.encrypt(Data("closing".utf8), policy: policy, identity: "closing")
                return "\(sealed.count) B, as declared: \(SealedForm(of: sealed)?.isSealed(by: policy) ?? false)"
            }
            for identity in ["closing", "another"] {
                await answers.ask("decrypt as \(identity)") {
                    "\(try await router.encryption.decrypt(sealed, policy: policy, identity: identity) == Data("closing".utf8))"
                }
            }
        }
        await answers.ask("derived keys in memory") { "\(await router.rememberedMasterKeys().count)" }
        await router.encryption.forgetDerivedKeys()
        await answers.ask("derived keys that were forgotten") { "\(await router.rememberedMasterKeys().count)" }
    }

    private static func count(_ data: Data?) -> String { data.map { "\($0.count) B" } ?? "none" }

    // MARK: Places

    private struct Folder: Hashable {
        let directory: FileDirectory
        var group: String?
        var parts: (FileDirectory, String?) { (directory, group) }

        init(_ directory: FileDirectory, of group: String? = nil) { (self.directory, self.group) = (directory, group) }

        init?(of domain: StorageDomain) {
            switch domain {
            case .fileSystem(let directory), .encryptedFileSystem(let directory): self.init(directory)
            case .appGroupFileSystem(let group, let directory): self.init(directory, of: group)
            case .userDefaults, .appGroupUserDefaults, .keychain: return nil
            }
        }
    }

    private static func suite(of domain: StorageDomain) -> DefaultsSuite? {
        switch domain {
        case .userDefaults(let suite): suite.map { .named($0) } ?? .standard
        case .appGroupUserDefaults(let group): .appGroup(group)
        case .fileSystem, .encryptedFileSystem, .appGroupFileSystem, .keychain: nil
        }
    }

    /// In the order of their first appearance.
    private static func distinct<Place: Hashable>(_ places: [Place]) -> [Place] {
        var seen: Set<Place> = []
        return places.filter { seen.insert($0).inserted }
    }
}

/// What was answered to questions, in their order.
private struct Answers {
    private(set) var texts: [String] = []

    mutating func ask(_ question: String, _ body: () async throws -> String) async {
        do { texts.append("\(question): \(try await body())") } catch { texts.append("\(question): fails: \(ErrorText.of(error))") }
    }

    mutating func ask(_ question: String, _ body: () async throws -> Void) async {
        await ask(question) {
            try await body()
            return "done"
        }
    }
}

extension SyncStatus {
    /// In one line.
    fileprivate var account: String {
        let waiting = pending.map { "\($0.key) waits (\($0.obstacle))" }
        let problems = problems.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { "\($0.key): \($0.value)" }
        let parts = [
            waiting, didNotFit.map { "\($0) did not fit" }, tombstones.map { "\($0) is deleted" }, unknownKeys.map { "\($0) is unknown" },
            lockedKeys.map { "\($0) is locked" }, problems, [lastError.map { "\($0)" }].compactMap(\.self),
        ]
        return parts.joined().joined(separator: "; ")
    }
}

extension KeyRotationPlan {
    /// Without the ids of keys, which are drawn.
    fileprivate var account: String {
        let uses = keys.map { use in "\(use.isCurrent ? "current" : "old"), needed by \(use.needs.map(\.text))" }.sorted()
        return ([isUnderWay ? "under way" : "none under way"] + values.map { "\($0.key) in \($0.domain): \($0.state.account)" } + uses)
            .joined(separator: "\n")
    }
}

extension PlannedReseal.State {
    fileprivate var account: String {
        switch self {
        case .absent: "absent"
        case .current: "current"
        case .due(let differences): "due \(differences.map(\.rawValue))"
        case .deferred(let error): "deferred \(ErrorText.of(error))"
        case .failed(let error): "failed \(ErrorText.of(error))"
        }
    }
}

extension ResealOutcome {
    fileprivate var account: String {
        let came =
            switch result {
            case .resealed(let differences): "resealed \(differences.map(\.rawValue))"
            case .current: "current"
            case .absent: "absent"
            case .deferred(let error): "deferred \(ErrorText.of(error))"
            case .failed(let error): "failed \(ErrorText.of(error))"
            }
        return "\(key) in \(domain): \(came)"
    }
}

extension KeyRetirementReport {
    fileprivate var account: String {
        "\(retired.count) retired, kept for \(kept.map { $0.needs.map(\.text).joined(separator: " and ") }.sorted())"
    }
}

extension MigrationOutcome {
    fileprivate var account: String {
        switch result {
        case .nothingToDo: "\(key): nothing to do"
        case .migrated(let result): "\(key): \(result.migratedCount) migrated"
        case .deferred(let error): "\(key): deferred \(ErrorText.of(error))"
        case .failed(let error): "\(key): failed \(ErrorText.of(error))"
        }
    }
}
