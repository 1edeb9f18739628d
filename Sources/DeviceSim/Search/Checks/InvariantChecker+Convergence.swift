import DeviceSimCore
import DeviceSimLanguage
import LocalData

/// Devices that came to rest hold the same.
extension InvariantChecker {
    /// Nothing is left to happen, all devices are in working order, and the phone speaks to that watch.
    mutating func noteExchange(with watch: DeviceID) {
        if exchanges.last != watch { exchanges.append(watch) }
    }

    /// Whether each device has what the others had: of two watches one gives the phone what it has, then the other, which gets that, and then the first again.
    var haveAllExchanged: Bool { devices.count == 2 || exchanges.count > 2 }

    /// Whether an app could not register the key, or the one that it has in its place.
    private func mayBeRefused(_ key: CheckedKey) -> Bool {
        keys.contains { other in other.first == key.first && devices.contains { refused.isRefused(other, on: $0) } }
    }

    /// Whether what is to converge has had the chance: all apps ran, and what must be sent by hand was.
    func mayHaveConverged(_ key: CheckedKey) -> Bool {
        // What only a person can open is not read for a snapshot.
        guard !key.asksPerson, !(hasLostPasscode && key.dependsOnPerson), !mayBeRefused(key)
        else { return false }
        // Nor does everything get through where a knob lets less be sent at once than with Apple's session, or an app does not listen.
        guard !hasSmallerLimits, withoutDelegate.isEmpty, deafDevices.isEmpty, haveAllExchanged,
            overrides.areOver(for: key, besides: origins(of: key), on: devices, lastRun: latest.map(\.sync))
        else { return false }
        guard latest.allSatisfy({ $0.run > $0.disturbance && $0.sweep > $0.planting }) else { return false }
        guard key.syncPolicy == .manual else { return true }
        let lastWrite = latest.map(\.write).max() ?? -1
        return latest.allSatisfy { $0.sync > lastWrite }
    }

    /// The phone and that watch came to rest, and these are their values (`nil`: absent).
    func converge(_ key: CheckedKey, phone: ScenarioValue?, watch: ScenarioValue?, on device: DeviceID, step: Int) -> Violation? {
        let name = key.reference.identifier
        guard !damaged.contains(key.reference.index) else { return nil }
        // What the phone has, the watch is to have: also one that is not worn, to which the phone spoke since.
        let wanted: Expectation.ValueCondition = phone.map { .equals($0) } ?? .missing
        let expectation =
            device == .watch
            ? Expectation(.devicesAgree(key.reference), timing: .within(.seconds(60)))
            : Expectation(.value(device, key.reference, wanted), timing: .within(.seconds(60)))
        let agree: Bool =
            switch (phone, watch) {
            case (nil, nil): true
            case (let one?, let other?): one.isSame(as: other) || key.watchForm.map { $0.applied(to: one).isSame(as: other) } ?? false
            default: false
            }
        recorder?.looked(.convergence)
        if !agree, mayNotArrive(phone) || mayNotArrive(watch) {
            recorder?.wasNear(.convergence)
            return beside(key, [phone, watch], on: device, step: step)
        }
        // To an app that takes both plain and sealed values such bytes are none of its values.
        if !agree, key.mayLookSealed, [phone, watch].contains(where: { $0?.looksSealed == true }) { return nil }
        guard agree else {
            let texts = [phone, watch].map { $0?.notation ?? "none" }
            return Violation(
                .convergence, key: name, step: step,
                explanation: [
                    "the link is up, both apps have run and nothing is left to happen",
                    "the phone holds \(texts[0]) for '\(name)', and \(device == .watch ? "the watch" : "\(device)") \(texts[1])",
                ], expectation: expectation)
        }
        return outdated(phone, of: key, on: .phone, "\(devices.count == 2 ? "both" : "all") devices came to rest with", step: step)
    }

    /// A value that cannot travel stays beside an earlier one on the other device. A later one, by which whoever wrote it knew of a later version, replaces it.
    private func beside(_ key: CheckedKey, _ values: [ScenarioValue?], on device: DeviceID, step: Int) -> Violation? {
        let large = values.filter(mayNotArrive)
        guard large.count == 1, let value = large[0] else { return nil }
        return outdated(value, of: key, on: mayNotArrive(values[0]) ? .phone : device, "one device came to rest with", step: step)
    }

    private func outdated(_ value: ScenarioValue?, of key: CheckedKey, on device: DeviceID, _ fact: String, step: Int) -> Violation? {
        let history = histories[place(of: key, on: .phone)]
        guard case .outdated(let found, let later)? = history.settled(on: value, as: form(of: key, on: .phone)) else { return nil }
        let invariant: Invariant = later.value == nil ? .removal : .convergence
        let wanted = later.value.map { Expectation.ValueCondition.equals($0) } ?? .missing
        return Violation(
            invariant, key: key.reference.identifier, step: step,
            explanation: [
                "\(fact) \(Self.text(found, of: key.reference)), which \(Self.origin(found))",
                "\(Self.text(later, of: key.reference).capitalizedFirst), which \(Self.origin(later)), came after that and was acknowledged",
            ], expectation: Expectation(.value(device, key.reference, wanted), timing: .within(.seconds(60))))
    }

    static func text(_ version: VersionHistory.Version, of key: KeyReference) -> String {
        version.value.map { "\($0.notation) for '\(key.identifier)'" } ?? "no value for '\(key.identifier)'"
    }

    static func origin(_ version: VersionHistory.Version) -> String {
        guard let device = version.device else { return "was so before the first step" }
        return "\(device) wrote in step \(version.step + 1)"
    }
}

extension String {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
