import DeviceSimCore
import DeviceSimLanguage
import LocalData

/// `expect no plaintext`: whether a value of a key lies somewhere where anybody can read it.
extension ScenarioRun {
    /// What the places of values are called (``namesOfPlaces``).
    func placeNames() -> [String] {
        let names = scenario.keys.enumerated().flatMap { index, key in
            let base = keys[KeyReference(index: index, identifier: key.identifier)].key.base
            return ([base] + (base.migration?.base.sourceKeys.map(\.base) ?? [])).flatMap { place in
                [place.name] + place.domain.givenNames + ((try? StorageLocation(of: place).identity).map { [$0] } ?? [])
            }
        }
        return Set(names).sorted()
    }

    /// Notes a value that a step gives a key, on whichever device and whatever comes of it: it may lie somewhere from now on.
    func note(_ value: ScenarioValue, givenTo key: KeyReference) {
        givenValues[key.index, default: []].removeAll { $0.isSame(as: value) }
        givenValues[key.index, default: []].append(value)
    }

    /// Looks for each value that any step gave the key, the last one first.
    func noPlaintext(of key: KeyReference, on device: Device) throws -> ExpectationResult {
        guard let values = givenValues[key.index] else {
            let source = givenSource(of: key).map { ". Its value is that of '\($0)', from which it migrates: name that key instead" } ?? ""
            throw StepFailure("no step has set '\(key.identifier)' yet\(source)")
        }
        let places = namesOfPlaces
        for (number, value) in values.reversed().enumerated() {
            let search = ReadableValueSearch(value, serialized: try keys[key].serialized(value))
            let which = number == 0 ? "the value" : "an earlier value"
            if let reason = search.refusal(places: places) {
                throw StepFailure("it cannot be told whether \(which) of '\(key.identifier)' lies readable somewhere: \(reason)")
            }
            if let place = try search.place(in: device, isAllowed: { isDeclared($0, for: key) }) {
                let rule =
                    place.hasPrefix("keychain ") && !isKeptInKeychain(key)
                    ? ". The keychain counts, since neither '\(key.identifier)' nor a key that migrates from it is kept there" : ""
                return .fails(StepFailure("\(which) of '\(key.identifier)' lies readable in \(place)\(rule)"))
            }
        }
        return .holds
    }

    /// The key, among those whose values migrate to this one, that a step has given a value: the nearest.
    private func givenSource(of key: KeyReference) -> String? {
        var left = scenario[key].declaration?.migrationSource?.keys ?? []
        var seen = [key.index]
        while let next = left.first {
            left.removeFirst()
            guard !seen.contains(next.index) else { continue }
            if givenValues[next.index] != nil { return next.identifier }
            seen.append(next.index)
            left += scenario[next].declaration?.migrationSource?.keys ?? []
        }
        return nil
    }

    /// The keychain protects what it holds: a value of a keychain key lies readable there to its own app, and nowhere else. So does one that a version of
    /// the app moves there.
    private func isDeclared(_ place: String, for key: KeyReference) -> Bool {
        place.hasPrefix("keychain ") && isKeptInKeychain(key)
    }

    /// Whether the key, or one whose value is made of its value, is declared in the keychain.
    private func isKeptInKeychain(_ key: KeyReference) -> Bool {
        let all = scenario.keys.enumerated().map { keys[KeyReference(index: $0, identifier: $1.identifier)].key.base }
        var seen: Set<Int> = [key.index]
        var left = [all[key.index]]
        while let next = left.popLast() {
            if case .keychain = next.domain { return true }
            for (index, other) in all.enumerated() where !seen.contains(index) {
                let sources = other.migration?.base.sourceKeys.map(\.base) ?? []
                // A file is one whether it gets complete protection or not.
                guard sources.contains(where: { $0.name == next.name && Self.isOnePlace($0, next) }) else { continue }
                seen.insert(index)
                left.append(other)
            }
        }
        return false
    }

    private static func isOnePlace(_ one: any StorageKey, _ other: any StorageKey) -> Bool {
        guard one.domain != other.domain else { return true }
        guard let place = try? StorageLocation(of: one).physical else { return false }
        return (try? StorageLocation(of: other).physical) == place
    }
}

extension StorageDomain {
    /// The names that the app gives in it.
    fileprivate var givenNames: [String] {
        switch self {
        case .userDefaults(let name), .keychain(let name): [name].compactMap(\.self)
        case .appGroupUserDefaults(let group): [group]
        case .fileSystem(let directory), .encryptedFileSystem(let directory): directory.givenNames
        case .appGroupFileSystem(let group, let directory): [group] + directory.givenNames
        }
    }
}

extension FileDirectory {
    fileprivate var givenNames: [String] { if case .custom(let folder) = self { [folder.path] } else { [] } }
}
