import DeviceSimCore
import DeviceSimLanguage
import DeviceSimRunner
import Foundation
import LocalData

/// Which values must be secured as their keys declare, from what apps were told: what the app of today has set, and all values once it was told that they
/// are resealed. An update may declare another policy, so it begins anew.
struct Protections {
    private struct Place: Hashable {
        let key: Int
        let device: Int
    }

    /// The key whose policy is in force, by ``CheckedKey/first``.
    private var set: [Place: KeyReference] = [:]
    /// The keys whose values are all secured as declared.
    private var resealed: Set<Place> = []

    mutating func note(_ observations: [StepObservation], _ keys: [CheckedKey], _ refused: RefusedCatalogs) {
        for observation in observations {
            for device in observation.powerLosses { forget(device) }
            if case .impossible = observation.result { continue }
            let doubts = observation.action.traits.doubts
            if doubts.contains(.protection), let device = observation.action.device { forget(device) }
            if doubts.contains(.watch) { forget(.watch) }
            if case .data(let step) = observation.action { note(step, observation, keys, refused) }
        }
    }

    private mutating func note(_ step: DataStep, _ observation: StepObservation, _ keys: [CheckedKey], _ refused: RefusedCatalogs) {
        switch (step.action, observation.result) {
        case (.set(let key, _), .done) where step.part == .app: set[Place(key: keys[key.index].first, device: step.device.place)] = key
        case (.reseal(let one), .done):
            for key in keys where !refused.isRefused(key, on: step.device) && one.map({ $0 == key.reference }) ?? true {
                // What went with a person's face or passcode nobody can secure anew.
                guard !key.dependsOnPerson, !key.mayMeetPerson else { continue }
                resealed.insert(Place(key: key.reference.index, device: step.device.place))
            }
        default: break
        }
    }

    private mutating func forget(_ device: DeviceID) {
        set = set.filter { $0.key.device != device.place }
        resealed = resealed.filter { $0.device != device.place }
    }

    /// Whether the app's version itself has set the value that lies there.
    func wasSet(_ key: CheckedKey, on device: DeviceID) -> Bool { set[Place(key: key.first, device: device.place)] == key.reference }

    /// Whether what lies at the key's place on the device must be secured as the key says.
    func mustHold(for key: CheckedKey, on device: DeviceID) -> Bool {
        // Of a value that a newer version of the app has secured otherwise, an older one leaves what it is.
        resealed.contains(Place(key: key.reference.index, device: device.place)) && !key.mayMeetOtherPolicy
            || set[Place(key: key.first, device: device.place)] == key.reference
    }
}

/// Looks whether values are secured as their keys declare, without asking LocalData.
struct ProtectionCheck {
    let device: Device
    let step: Int
    let bundleIdentifier: String

    func check(_ keeper: InvariantChecker) throws -> Violation? {
        guard let version = AppVersion(device.appVersion) else { return nil }
        for key in keeper.keys where key.isCurrent && key.exists(in: version) && keeper.protections.mustHold(for: key, on: device.id) {
            guard !keeper.damaged.contains(key.reference.index), key.isAvailable(on: device.id) else { continue }
            keeper.recorder?.looked(.secrecy)
            guard try !isSecured(key) else { continue }
            return Violation(
                .secrecy, key: key.reference.identifier, device: device.id, step: step,
                explanation: ["what lies on \(device.id) for '\(key.reference.identifier)' is not secured as the app's version declares"])
        }
        return try fileClass(keeper, version)
    }

    /// The data protection class of a file is the domain's.
    private func fileClass(_ keeper: InvariantChecker, _ version: AppVersion) throws -> Violation? {
        let wanted = keeper.keys.filter {
            $0.isCurrent && $0.exists(in: version) && $0.otherNames.isEmpty && keeper.protections.wasSet($0, on: device.id)
                && !keeper.damaged.contains($0.reference.index)
        }
        guard !wanted.isEmpty else { return nil }
        let files = try device.storage.storedFiles()
        for key in wanted {
            let (folder, declared): (String, FileProtection)
            switch key.domain {
            case .fileSystem(.documents): (folder, declared) = ("Documents/", .completeUntilFirstUserAuthentication)
            case .fileSystem(.caches): (folder, declared) = ("Library/Caches/", .completeUntilFirstUserAuthentication)
            case .encryptedFileSystem(.documents): (folder, declared) = ("Documents/", .complete)
            default: continue
            }
            guard let file = files.first(where: { $0.path == folder + key.name }), file.protection != declared else { continue }
            return Violation(
                .secrecy, key: key.reference.identifier, device: device.id, step: step,
                explanation: ["the file of '\(key.reference.identifier)' on \(device.id) has another data protection class than its domain"]
            )
        }
        return nil
    }

    /// True where nothing lies, and for a place that is not looked at.
    private func isSecured(_ key: CheckedKey) throws -> Bool {
        switch (key.security, key.domain) {
        case (.none, _): return true
        case (.keychain(let accessibility, let accessControl), .keychain(let service)):
            let item = try item(of: key, service)
            return item.map { $0.accessibility == accessibility && $0.accessControl == accessControl } ?? true
        case (.keychain, _): return true
        case (.encrypted(let policy), .keychain(let service)):
            return try item(of: key, service).map { isSealed($0.data, by: policy) } ?? true
        case (.encrypted(let policy), .userDefaults(let suite)):
            return try isSealed(key, in: suite.map { .named($0) } ?? .standard, by: policy)
        case (.encrypted(let policy), .appGroupUserDefaults(let group)): return try isSealed(key, in: .appGroup(group), by: policy)
        case (.encrypted(let policy), .fileSystem(.documents)), (.encrypted(let policy), .encryptedFileSystem(.documents)):
            return try device.storage.storedBytes(ofFile: "Documents/\(key.name)").map { isSealed($0, by: policy) } ?? true
        case (.encrypted(let policy), .fileSystem(.caches)):
            return try device.storage.storedBytes(ofFile: "Library/Caches/\(key.name)").map { isSealed($0, by: policy) } ?? true
        case (.encrypted, _): return true
        }
    }

    private func isSealed(_ bytes: Data, by policy: SecurityPolicy.EncryptionPolicy) -> Bool {
        SealedForm(of: bytes)?.isSealed(by: policy) ?? false
    }

    private func item(of key: CheckedKey, _ service: String?) throws -> KeychainItem? {
        try device.storage.storedKeychainItems().first { $0.account == key.name && $0.service == service ?? bundleIdentifier }
    }

    private func isSealed(_ key: CheckedKey, in suite: DefaultsSuite, by policy: SecurityPolicy.EncryptionPolicy) throws -> Bool {
        guard let found = try device.storage.storedPreferences().first(where: { $0.suite == suite && $0.key == key.name }) else {
            return true
        }
        if case .data(let bytes) = found.value { return isSealed(bytes, by: policy) }
        return false
    }
}
