import DeviceSimCore
import DeviceSimLanguage
import Foundation
import LocalData

/// Looks at the devices of a run. Looking changes nothing: the trace is the same with it and without.
///
/// To be asked between two steps or two instants, when nothing is ready to run. Confined to the thread of the run.
package final class RunInspector {
    private let scenario: Scenario
    private let simulation: Simulation
    private let keys: ScenarioKeys
    private let showsValues: Bool
    private let mask: TextMask
    private let look = DeviceLook()
    /// Of each key, by its place in the scenario, the values that were seen.
    private var marks: [Int: [Data: Int]] = [:]
    private var contents: [Data: Int] = [:]

    /// - Parameter showsValues: Whether the values of plain keys are told, and what an app sends by itself.
    package init(_ run: ScenarioRun, showsValues: Bool = false) {
        scenario = run.scenario
        simulation = run.simulation
        keys = run.keys
        self.showsValues = showsValues
        mask = TextMask(run.scenario, showsValues: true)
    }

    /// What the devices are like now.
    package func snapshot() -> RunSnapshot {
        RunSnapshot(
            time: simulation.now, eventCount: simulation.recorder.eventCount, isLinkUp: simulation.isLinkUp,
            activeWatch: simulation.activeWatch.id, devices: simulation.devices.map(snapshot))
    }

    private func snapshot(of device: Device) -> DeviceSnapshot {
        let process = device.process
        return DeviceSnapshot(
            id: device.id, isPoweredOn: device.state.isPoweredOn, lock: device.state.lockState, hasPasscode: device.state.hasPasscode,
            clockSkew: device.clockSkew,
            app: .init(
                isInstalled: device.isAppInstalled, version: device.appVersion, state: process?.state, process: process?.life.number),
            widget: device.widget?.state, session: process.map { session(of: $0.endpoint) } ?? [],
            held: (device.daemon.held + (process?.endpoint.heldMessages ?? [])).map(told), keys: states(of: device),
            stored: things(on: device), pending: process.flatMap(pending))
    }

    private func pending(of process: AppProcess) -> [DeviceSnapshot.Pending]? {
        look.ask(process) { await $0.rememberedPending() }?.map { .init(key: $0.key, because: $0.obstacle.lookText) }
    }

    // MARK: What is sent

    private func session(of endpoint: SessionEndpoint) -> [TraceEvent.Fact] {
        guard showsValues else { return endpoint.shown }
        let contexts = endpoint.contexts
        return endpoint.shown.map { fact in
            guard let values = contexts.first(where: { $0.name == fact.name })?.values, !values.isEmpty else { return fact }
            return .init(fact.name, .text(written(values)))
        }
    }

    private func told(_ held: HeldContent) -> HeldContent {
        var told = held
        told.values = [:]
        if showsValues, !held.values.isEmpty { told.written = written(held.values) }
        return told
    }

    /// What is longer than one reads is cut, once the secrets are out of it. Of LocalData's own entry there is the name alone: it has values of all keys.
    private func written(_ values: [String: PropertyListValue]) -> String {
        let ofApp = values.filter { $0.key != SyncSnapshot.entryKey }
        let names = ofApp.count < values.count ? [SyncSnapshot.entryKey] : []
        let text = ofApp.isEmpty ? [] : [ScenarioValue(.dictionary(ofApp)).notation]
        let written = mask.message((text + names).joined(separator: " "))
        return written.count > Self.writtenLimit ? written.prefix(Self.writtenLimit - 1) + "…" : written
    }

    private static let writtenLimit = 400

    // MARK: What lies there

    private func things(on device: Device) -> [DeviceSnapshot.Stored] {
        let things = (try? device.storage.storedThings()) ?? []
        return things.map { thing in
            .init(
                kind: thing.kind, name: thing.name, bytes: thing.bytes.count, protection: thing.protection,
                isSynchronized: thing.isSynchronized, content: contents.number(of: thing.bytes))
        }
    }

    /// What is read of one key.
    private struct Finding: Sendable {
        var bytes: Data?
        var value: ScenarioValue?
        var error: String?
        var version: StorageRouter.RecordedVersion?
    }

    private func states(of device: Device) -> [DeviceSnapshot.Key] {
        let bindings = scenario.keys.indices.map { keys[KeyReference(index: $0, identifier: scenario.keys[$0].identifier)] }
        guard !bindings.isEmpty else { return [] }
        let found = look.run(at: device, in: device.readOnlyEnvironment) { router in
            var findings: [Finding] = []
            for binding in bindings { findings.append(await Self.finding(of: binding, router)) }
            return findings
        }
        let findings = (try? found?.get()) ?? bindings.map { _ in Finding(error: "unknown") }
        return zip(scenario.keys, zip(bindings, findings)).enumerated().map { index, pair in
            let (key, (binding, finding)) = pair
            let isSecret = binding.key.isSecret
            return .init(
                identifier: key.identifier, name: binding.key.name, content: content(of: finding, key: index, isSecret: isSecret),
                version: finding.version, isSecret: isSecret)
        }
    }

    private static func finding(of binding: any KeyBinding, _ router: StorageRouter) async -> Finding {
        var finding = Finding(version: try? router.recordedVersion(of: binding.key))
        do {
            finding.bytes = try await router.storedBytes(of: binding.key)
        } catch {
            finding.error = ErrorText.name(of: error)
        }
        // Not what a person has chosen: that is derived anew for each look, on purpose slowly.
        if finding.bytes != nil, !binding.key.security.isDerivedSlowly { finding.value = try? await binding.opened(with: router) }
        return finding
    }

    private func content(of finding: Finding, key: Int, isSecret: Bool) -> DeviceSnapshot.Content {
        if let error = finding.error { return .unreadable(error) }
        guard let bytes = finding.bytes else { return .missing }
        let identity = finding.value.map { Data(("value " + $0.notation).utf8) } ?? Data("bytes ".utf8) + bytes
        return .stored(
            mark: marks[key, default: [:]].number(of: identity), isOpened: finding.value != nil, bytes: bytes.count,
            value: showsValues && !isSecret ? finding.value?.notation : nil)
    }
}

extension Device {
    /// As ``outsideEnvironment``, and nothing can be changed in it.
    var readOnlyEnvironment: StorageEnvironment { Self.readOnly(outsideEnvironment) }

    /// As ``nextProcessEnvironment``, and nothing can be changed in it.
    var nextReadingEnvironment: StorageEnvironment { Self.readOnly(nextProcessEnvironment) }

    private static func readOnly(_ environment: StorageEnvironment) -> StorageEnvironment {
        var environment = environment
        environment.fileSystem = ReadOnlyFileSystem(base: environment.fileSystem)
        environment.defaults = ReadOnlyDefaults(base: environment.defaults)
        environment.keychain = ReadOnlyKeychain(base: environment.keychain)
        environment.entropy = NoEntropy()
        return environment
    }
}

extension [Data: Int] {
    /// Numbers bytes in the order in which they are first asked for, from 1.
    fileprivate mutating func number(of bytes: Data) -> Int {
        if let number = self[bytes] { return number }
        let number = count + 1
        self[bytes] = number
        return number
    }
}

extension SecurityPolicy {
    fileprivate var isDerivedSlowly: Bool {
        guard case .encrypted(let policy) = self else { return false }
        let derivation: KeyDerivation =
            switch policy {
            case .aes256(let derivation), .chacha20Poly1305(let derivation), .external(_, let derivation): derivation
            }
        if case .pbkdf2 = derivation { return true }
        return false
    }
}
