import DeviceSimCore
import DeviceSimLanguage
import LocalData

/// Holds two versions of an app to ``Invariant/forms``.
struct FormsCheck {
    /// The values of each stored name, and the highest version of the form that any key wrote them in.
    private var written: [Int: [(value: ScenarioValue, schema: Int, writer: KeyReference)]] = [:]
    /// The values, by key, device and process, that an older app was told it cannot read, since when nobody wrote any, and the version of the form that it
    /// knows. What the app notes in its own container its widget cannot see, and need not be told.
    private var superseded: [Place: Int] = [:]
    /// The oldest form, by key and device, that another device has written since all were last known to hold the same; 0 for a removal. It may be on
    /// its way, and make room when it arrives.
    private var underWay: [Place: Int] = [:]

    private struct Place: Hashable {
        let name: Int
        let device: Int
        var part = AppPart.app
    }

    // MARK: What is known

    /// A write begins. What the other device writes may be a removal that makes room, and reach this one.
    /// - Parameter version: That of the device's app. What is put there behind its back as only a later one would it need not look for.
    mutating func noteWrite(of value: ScenarioValue?, _ key: CheckedKey, _ data: DataStep, in version: AppVersion) {
        let device = data.device
        let isUnnoted = if case .plant = data.action { key.isNewer(than: version) } else { false }
        superseded = superseded.filter { $0.key.name != key.first || (value != nil && $0.key.device == device.place) }
        if let value { written[key.first, default: []].append((value, isUnnoted ? 0 : key.schemaVersion, key.reference)) }
        for other in DeviceID.all where other != device {
            let counterpart = Place(name: key.first, device: other.place)
            underWay[counterpart] = min(underWay[counterpart] ?? .max, value == nil ? 0 : key.schemaVersion)
        }
    }

    /// All devices hold the same of the key: nothing of it is on its way.
    mutating func noteRest(of key: CheckedKey) {
        for device in DeviceID.all { underWay[Place(name: key.first, device: device.place)] = nil }
    }

    /// A failure with nothing to explain it but a newer form.
    mutating func noteFailure(_ error: any Error, of data: DataStep, _ keys: [CheckedKey]) {
        guard case .get(let reference) = data.action, ScenarioErrorName(error) == .storage(.superseded) else { return }
        let key = keys[reference.index]
        let place = Place(name: key.first, device: data.device.place)
        guard underWay[place].map({ $0 > key.schemaVersion }) ?? true else { return }
        superseded[Place(name: place.name, device: place.device, part: data.part)] = key.schemaVersion
    }

    mutating func forget(on device: DeviceID) {
        superseded = superseded.filter { $0.key.device != device.place }
    }

    /// Whether any value was written in a form that the key's app does not know.
    func hasNewerForm(than key: CheckedKey) -> Bool { (written[key.first] ?? []).contains { $0.schema > key.schemaVersion } }

    // MARK: Checks

    /// An app was given a value.
    func read(_ value: ScenarioValue, _ key: CheckedKey, on device: DeviceID, step: Int) -> Violation? {
        // What its migration takes it knows the form of.
        let sources = key.migration?.source.keys ?? []
        let forms = (written[key.first] ?? []).filter { $0.value.isSame(as: value) }.map { sources.contains($0.writer) ? 0 : $0.schema }
        guard let oldest = forms.min(), oldest > key.schemaVersion else { return nil }
        let name = key.reference.identifier
        return Violation(
            .forms, key: name, device: device, step: step,
            explanation: [
                "\(device) reads \(value.notation) for '\(name)', whose form its app knows up to schema \(key.schemaVersion)",
                "it was written in schema \(oldest), by a newer version of the app",
            ],
            expectation: Expectation(.value(device, key.reference, .fails(.storage(.superseded)))))
    }

    /// A write was acknowledged: one by an app that was just told that it cannot read what is there replaced it.
    mutating func write(_ key: CheckedKey, _ data: DataStep, step: Int, isAlone: Bool) -> Violation? {
        defer { superseded = superseded.filter { $0.key.name != key.first } }
        guard isAlone, case .set = data.action,
            let known = superseded[Place(name: key.first, device: data.device.place, part: data.part)], known >= key.schemaVersion
        else { return nil }
        let name = key.reference.identifier
        return Violation(
            .forms, key: name, device: data.device, step: step,
            explanation: [
                "\(data.device) sets '\(name)' in schema \(key.schemaVersion)",
                "its app was told before that a newer version of it had stored the value, and nothing was removed or set since",
            ])
    }
}
