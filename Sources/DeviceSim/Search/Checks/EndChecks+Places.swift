import DeviceSimCore
import DeviceSimLanguage
import DeviceSimRunner
import Foundation
import LocalData

/// Where values lie at the end: what stays on its device, and secrets.
extension EndChecks {
    /// A device, and what lies on it.
    struct StoredOnDevice {
        let device: Device
        let contents: StoredContents
    }

    /// A value that stays on its device lies nowhere on the other, and came to it in no context.
    func confinement(_ keeper: InvariantChecker, _ stored: [StoredOnDevice]) throws -> Violation? {
        let sources = Set(keeper.keys.flatMap(\.sources))
        // What one version of the app keeps for itself, another may send from the same place.
        let travelling = Set(keeper.keys.filter(\.syncs).map(\.first))
        let confined = keeper.keys.filter { key in
            // With a value its migration takes along that the app chose to sync it.
            !key.syncs && !sources.contains(key.reference) && !travelling.contains(key.first)
                && !keeper.origins(of: key).contains(where: \.isSwitchedOn)
                // An app whose catalog is refused, since a link has made two keys' files one, uses both all the same.
                && !(run.scenario.hasLinks && key.domain.isFileByPath)
        }
        guard confined.contains(where: { !keeper.valuesOnOneDevice(of: $0).isEmpty }), !isRestoredElsewhere else { return nil }
        let received = stored.map { $0.contents.adding(receivedContext(of: $0.device), at: "the received context") }
        for key in confined {
            for (value, owner) in keeper.valuesOnOneDevice(of: key) {
                for needle in try needles(value, of: key) {
                    keeper.recorder?.looked(.confinement)
                    for (other, contents) in zip(stored.map(\.device), received) where other.id != owner {
                        guard let place = contents.places(containing: needle).first, !isChosenToTravel(key, keeper) else { continue }
                        return Violation(
                            .confinement, key: key.reference.identifier, device: other.id, step: stepCount,
                            explanation: [
                                "'\(key.reference.identifier)' does not sync, and its value from \(owner) lies in \(place) of \(other.id)"
                            ],
                            expectation: Expectation(.noPlaintext(other.id, key.reference)))
                    }
                }
            }
        }
        return nil
    }

    /// Whether a person has brought all that one device had to another.
    private var isRestoredElsewhere: Bool {
        var owners: [String: DeviceID] = [:]
        for case .device(let step) in run.scenario.steps.map(\.action) {
            switch step.action {
            case .backup(let name, _): owners[name] = step.device
            case .restore(let name, _) where owners[name] != nil && owners[name] != step.device: return true
            default: continue
            }
        }
        return false
    }

    /// Whether the app chose in some step that the value travels.
    private func isChosenToTravel(_ key: CheckedKey, _ keeper: InvariantChecker) -> Bool {
        appSteps.contains { $0.keyChosenToTravel.map { keeper.keys[$0.index].first == key.first } ?? false }
    }

    private func receivedContext(of device: Device) -> Data {
        guard let context = device.process?.endpoint.receivedApplicationContext, !context.isEmpty else { return Data() }
        return PropertyListValue(propertyList: context)?.canonicalBytes ?? Data()
    }

    /// A secret lies readable nowhere but where its key says.
    func secrecy(_ keeper: InvariantChecker, _ stored: [StoredOnDevice]) throws -> Violation? {
        let secrets = keeper.keys.filter { $0.isSecret && !keeper.spoiled.contains($0.reference.index) }
        guard secrets.contains(where: { !keeper.secretValues(of: $0).isEmpty }) else { return nil }
        let trace = Data(run.simulation.trace.json())
        for key in secrets {
            for value in keeper.secretValues(of: key) {
                if let violation = try readable(value, of: key) { return violation }
                for needle in try needles(value, of: key) {
                    keeper.recorder?.looked(.secrecy)
                    for one in stored {
                        let places = one.contents.places(containing: needle)
                        guard let place = places.first(where: { !(key.isInKeychain && $0.hasPrefix("keychain ")) }) else { continue }
                        return Violation(
                            .secrecy, key: key.reference.identifier, device: one.device.id, step: stepCount,
                            explanation: [
                                "the value of '\(key.reference.identifier)' is a secret, and lies readable in \(place) of \(one.device.id)"
                            ],
                            expectation: Expectation(.noPlaintext(one.device.id, key.reference)))
                    }
                    if trace.holds(needle), !isPartOfName(needle) {
                        return Violation(
                            .secrecy, key: key.reference.identifier, step: stepCount,
                            explanation: ["the value of '\(key.reference.identifier)' is a secret, and is readable in the trace"])
                    }
                }
            }
        }
        return nil
    }

    /// A value that no byte string tells from others, where it lies as a value of its own: a number, a short text, what is made of these.
    private func readable(_ value: ScenarioValue, of key: CheckedKey) throws -> Violation? {
        guard !value.isFoundAsBytes, value.isWorthReadingFor else { return nil }
        let search = ReadableValueSearch(value, serialized: try run.keys[key.reference].serialized(value))
        let places = run.namesOfPlaces
        guard search.refusal(places: places) == nil else { return nil }
        for device in run.simulation.devices {
            guard let place = try search.place(in: device, isAllowed: { key.isInKeychain && $0.hasPrefix("keychain ") }) else { continue }
            return Violation(
                .secrecy, key: key.reference.identifier, device: device.id, step: stepCount,
                explanation: ["the value of '\(key.reference.identifier)' is a secret, and lies readable in \(place) of \(device.id)"],
                expectation: Expectation(.noPlaintext(device.id, key.reference)))
        }
        return nil
    }

    /// Whether the name of a fact has it in it: there it is no secret.
    private func isPartOfName(_ needle: Data) -> Bool {
        run.simulation.trace.events.contains { $0.facts.contains { Data($0.name.utf8).holds(needle) } }
    }

    func needles(_ value: ScenarioValue, of key: CheckedKey) throws -> [Data] {
        guard value.isUnmistakable else { return [] }
        let needles = PlaintextSearch.needles(for: value, serialized: try run.keys[key.reference].serialized(value))
        // LocalData writes down where values lie. A value that is a part of that says nothing there.
        return run.bytesOfPlaces.contains { name in needles.contains { name.holds($0) } } ? [] : needles
    }
}

extension ScenarioValue {
    /// Whether the value's bytes say that it is this one wherever they are found. A few digits stand in any file.
    fileprivate var isUnmistakable: Bool {
        switch self {
        case .string(let text): text.utf8.count > (text.allSatisfy(\.isHexDigit) ? 6 : 4)
        case .integer(let number): number.magnitude > 999_999
        case .unsigned: true
        case .data(let bytes): bytes.count > 4
        case .null, .bool: false
        case .double(let number): "\(number)".utf8.count > 6
        case .date(let date): date.timeIntervalSinceReferenceDate.magnitude > 999_999
        case .url, .uuid: true
        case .array(let elements): elements.contains { $0.isUnmistakable }
        case .object(let members): members.values.contains { $0.isUnmistakable }
        }
    }

    /// Whether the search for byte strings finds it in whatever form it lies: a text that is written the same everywhere, or bytes.
    fileprivate var isFoundAsBytes: Bool {
        switch self {
        case .string(let text): isUnmistakable && text.utf8.allSatisfy { (0x20..<0x7F).contains($0) && !"\"\\/".utf8.contains($0) }
        case .data: isUnmistakable
        default: false
        }
    }

    /// Smaller numbers are drawn for other keys, counted by LocalData, or both: nobody could tell whose one is.
    fileprivate var isWorthReadingFor: Bool {
        switch self {
        case .null, .bool: false
        case .integer(let number): number.magnitude > 9_999
        case .unsigned(let number): number > 9_999
        case .double(let number): abs(number) > 9_999
        // Four letters, and a few hexadecimal digits, are a part of many things.
        case .string(let text): text.utf8.count < 4 || isUnmistakable
        case .data, .date: isUnmistakable
        case .url, .uuid: true
        case .array(let elements): elements.contains { $0.isWorthReadingFor }
        case .object(let members): members.values.contains { $0.isWorthReadingFor }
        }
    }
}

extension ScenarioStep.Action {
    /// The key of which the app chooses that its value travels.
    fileprivate var keyChosenToTravel: KeyReference? {
        guard case .data(let data) = self, case .overrideSync(let key, let policy?) = data.action, policy != .never else { return nil }
        return key
    }
}
