import Foundation
import Testing

@testable import LocalData

/// The app's process dies before the n-th storage operation of a step, for every n. Value and version must still belong together afterwards.
@Suite struct SyncCrashTests {
    enum Step: String, Sendable, CaseIterable {
        case set, remove, apply, applyDeletion, firstSet
    }

    enum Domain: String, Sendable, CaseIterable {
        case defaults, file, keychain, sealedFile, sealedDefaults
    }

    @Test(arguments: Step.allCases, Domain.allCases) func valueAndVersionSurvive(_ step: Step, _ domain: Domain) async throws {
        switch domain {
        case .defaults: try await crash(at: step, ThemeKey())
        case .file: try await crash(at: step, NotesKey())
        case .keychain: try await crash(at: step, TokenKey())
        case .sealedFile: try await crash(at: step, SealedKey())
        case .sealedDefaults: try await crash(at: step, SealedSettingKey())
        }
    }

    private func crash<Key: StorageKey>(at step: Step, _ key: Key) async throws where Key.Value == String {
        var sawOld = false
        for operation in 1... {
            let pair = SyncPair()
            if step != .firstSet {
                try await pair.watch.set("old", for: key)
                try await pair.heal()
            }
            if step == .apply || step == .applyDeletion {
                if step == .apply { try await pair.watch.set("new", for: key) } else { try await pair.watch.remove(key) }
            }
            pair.phone.crash.arm(before: operation)
            do {
                switch step {
                case .set, .firstSet: try await pair.phone.set("new", for: key)
                case .remove: try await pair.phone.remove(key)
                case .apply, .applyDeletion: try await pair.deliver(to: pair.phone)
                }
            } catch is StorageError {}
            let isDone = pair.phone.crash.operations < operation
            pair.phone.relaunch()

            let old = step == .firstSet ? nil : "old"
            let new = step == .remove || step == .applyDeletion ? nil : "new"
            let found = try await pair.phone.value(key)
            #expect(found == old || found == new, "\(step) of \(key.name), operation \(operation)")
            sawOld = sawOld || found == old
            if isDone { #expect(found == new) }

            // Both devices end with what survived, or with what the counterpart had set; and every version is told by one stamp only.
            try await pair.heal()
            let expected = step == .apply || step == .applyDeletion ? new : found
            for device in pair.devices {
                #expect(try await device.value(key) == expected, "\(step) of \(key.name), operation \(operation)")
            }
            if step == .apply {
                let stamp = try pair.phone.record(key)?.committed.stamp
                #expect(
                    stamp == SyncStamp(counter: 2, device: try pair.watch.replica), "a version of the counterpart became one of this device"
                )
            }
            if isDone { break }
        }
        #expect(sawOld, "no operation was early enough to lose the change")
    }
}
