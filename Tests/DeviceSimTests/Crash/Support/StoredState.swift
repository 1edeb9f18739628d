import DeviceSim
import Foundation

@testable import LocalData

/// What lies on a device, as far as the laws are about it.
struct StoredState {
    /// The ids of the master keys.
    let masterKeys: Set<String>
    /// Those that envelopes name.
    let neededKeys: Set<String>
    /// Files under construction, by path.
    let temporaryFiles: [String]
    private let keyMaterial: [Data]
    private let storage: DeviceStorage

    init(of storage: DeviceStorage) throws {
        self.storage = storage
        let items = try storage.storedKeychainItems()
        let keys = items.filter { $0.service == MasterKeyRing.service && $0.account != MasterKeyRing.primaryAccount }
        masterKeys = Set(keys.map(\.account))
        keyMaterial = keys.map(\.data)
        let files = try storage.storedFiles().map(\.path)
        temporaryFiles = files.filter { TemporaryFile.isName(String($0.split(separator: "/").last ?? "")) }
        var bytes = items.map(\.data)
        for path in files {
            if let contents = try storage.storedBytes(ofFile: path) { bytes.append(contents) }
        }
        for preference in try storage.storedPreferences() {
            if case .data(let data) = preference.value { bytes.append(data) }
        }
        neededKeys = Set(
            bytes.compactMap { data in
                guard Envelope.isClaimed(by: data), case .master(let id)? = (try? Envelope(parsing: data))?.header.keySource else {
                    return nil
                }
                return id
            })
    }

    /// A place that a secret lies readable in, as text, as JSON or in Base64, and may not.
    func placeOfPlaintext(_ secret: CrashOperation.Secret, isRecovered: Bool) throws -> String? {
        let allowed = secret.places + (isRecovered ? [] : secret.earlier)
        let serialized = try Serializer<String>.json.data(for: secret.value)
        for needle in PlaintextNeedles.of(secret.value, serialized: serialized) {
            if let place = try storage.places(containing: needle).first(where: { place in !allowed.contains { place.hasPrefix($0) } }) {
                return place
            }
        }
        return nil
    }

    /// A place outside the keychain that a master key lies in.
    func placeOfKeyMaterial() throws -> String? {
        for material in keyMaterial {
            if let place = try storage.places(containing: material).first(where: { !$0.hasPrefix("keychain \(MasterKeyRing.service)/") }) {
                return place
            }
        }
        return nil
    }
}

enum PlaintextNeedles {
    static func of(_ value: String, serialized: Data) -> [Data] {
        let plain = [Data(value.utf8), serialized]
        return plain + plain.map { Data($0.base64EncodedString().utf8) }
    }
}
