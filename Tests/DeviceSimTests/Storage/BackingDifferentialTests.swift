import DeviceSim
import Foundation
import LocalData
import Testing

@testable import DeviceSimCore

/// Random operations, crashes, locks and power losses give the same answers and leave the same things in memory and in real files.
@Suite struct BackingDifferentialTests {
    /// A device and what it answered.
    private final class Run {
        let rig: StorageRig
        var answers: [String] = []
        var handle: (any WritableFile)?

        init(_ rig: StorageRig) { self.rig = rig }

        func note(_ what: String, _ body: () throws -> String) {
            do {
                answers.append("\(what) → \(try body())")
            } catch let error as FileSystemError {
                answers.append("\(what) → errno \(error.errno) \(error.operation) \(error.path)")
            } catch {
                answers.append("\(what) → \(error)")
            }
        }
    }

    private func step(_ run: Run, _ generator: inout SeededGenerator) {
        let rig = run.rig
        let names = ["a", "b", "c", "d", "d/x", "d/y", "e/z"]
        let path = rig.documents + "/" + names[generator.below(names.count)]
        let other = rig.documents + "/" + names[generator.below(names.count)]
        let protection = FileProtection.allCases[generator.below(4)]
        let bytes = Data("\(generator.below(1_000_000))".utf8)
        let key = "k\(generator.below(3))"
        let item = KeychainItem(
            service: "s", account: key, data: bytes, accessibility: KeychainAccessibility.allCases[generator.below(7)])
        let query = KeychainQuery(service: "s", account: key)
        switch generator.below(22) {
        case 0, 1, 2:
            run.note("replace \(path)") {
                try rig.files.replaceDurably(path, with: bytes, protection: protection); return "ok"
            }
        case 3, 4:
            run.note("put \(path)") {
                try rig.files.put(bytes, at: path, protection: protection); return "ok"
            }
        case 5:
            run.note("open \(path)") {
                run.handle = try rig.files.createFile(at: path, protection: protection); return "ok"
            }
        case 6:
            run.note("write") {
                try run.handle?.write(bytes); return "ok"
            }
        case 7:
            run.note("sync") {
                try run.handle?.synchronize(); return "ok"
            }
        case 8, 9:
            run.note("rename \(path) \(other)") {
                try rig.files.rename(path, to: other); return "ok"
            }
        case 10:
            run.note("remove \(path)") {
                try rig.files.removeFile(at: path); return "ok"
            }
        case 11:
            run.note("mkdir") {
                try rig.files.createDirectory(at: rig.documents + ["/d", "/e"][generator.below(2)]); return "ok"
            }
        case 12:
            run.note("syncdir") {
                try rig.files.synchronizeDirectory(at: rig.documents + ["", "/d"][generator.below(2)]); return "ok"
            }
        case 13:
            run.note("exclude \(path)") {
                try rig.files.setExcludedFromBackup(generator.below(2) == 0, at: path); return "ok"
            }
        case 14: run.note("read \(path)") { "\(try rig.files.contents(of: path).map(Int.init))" }
        case 15:
            run.note("stat \(path)") {
                // Each backing numbers its files by itself.
                var attributes = try rig.files.attributes(of: path)
                attributes?.identity = nil
                return "\(String(describing: attributes))"
            }
        case 16:
            run.note("set") {
                try rig.defaults.set(.data(bytes), forKey: key, in: .standard); return "ok"
            }
        case 17: run.note("get") { "\(String(describing: try rig.defaults.value(forKey: key, in: .standard)))" }
        case 18: run.note("add") { "\(rig.keychain.add(item).rawValue)" }
        case 19: run.note("find") { "\(rig.keychain.copyMatching(query))" }
        case 20: if rig.state.isLocked { rig.unlock() } else { rig.lock() }
        default:
            switch generator.below(4) {
            case 0: rig.losePower(.seeded(SeededGenerator(seed: generator.next())))
            case 1: rig.relaunch(.crash)
            case 2:
                rig.restart()
                rig.unlock()
            default: run.note("purge") { "\(rig.storage.purgeCaches())" }
            }
            run.handle = nil
        }
    }

    private func state(_ run: Run) throws -> [String] {
        try run.rig.storage.storedFiles().map { file in
            "\(file.path) \(file.protection) \(file.isExcludedFromBackup) \(try run.rig.storage.storedBytes(ofFile: file.path).map(Array.init) ?? [])"
        } + run.rig.storage.storedPreferences().map { "\($0)" } + run.rig.storage.storedKeychainItems().map { "\($0)" }
    }

    @Test(arguments: Array(UInt64(1)...12)) func memoryAndRealFilesAgree(_ seed: UInt64) throws {
        let scratch = try ScratchFolder()
        let memory = Run(StorageRig())
        let real = Run(StorageRig(.directory(scratch.url)))
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<150 {
            var copy = generator
            step(memory, &copy)
            step(real, &generator)
            #expect(memory.answers.last == real.answers.last)
            try #require(try state(memory) == state(real), "after \(memory.answers.suffix(8).joined(separator: "\n"))")
        }
        memory.rig.losePower(.seeded(SeededGenerator(seed: seed)))
        real.rig.losePower(.seeded(SeededGenerator(seed: seed)))
        #expect(try state(memory) == state(real))
        let another = Run(StorageRig(.directory(scratch.url)))
        #expect(try state(another).filter { !$0.hasPrefix("StoredPreference") } == state(real).filter { !$0.hasPrefix("StoredPreference") })
    }
}
