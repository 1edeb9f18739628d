import DeviceSim
import Foundation
import LocalData
import Testing

/// What a power loss leaves of files, by the laws of the two layers.
@Suite struct PowerLossTests {
    private let old = Data("old".utf8)
    private let new = Data("new value".utf8)

    @Test func nothingUnsynchronizedSurvivesTheHarshestLoss() throws {
        let rig = StorageRig()
        try rig.files.put(new, at: rig.documents + "/a")
        rig.losePower()
        #expect(try rig.files.list(rig.documents) == [])
    }

    @Test func anEntryAndItsBytesAreApart() throws {
        let rig = StorageRig()
        try rig.files.put(new, at: rig.documents + "/entryOnly")
        try rig.files.synchronizeDirectory(at: rig.documents)
        let file = try rig.files.createFile(at: rig.documents + "/bytesOnly", protection: .none)
        try file.write(new)
        try file.synchronize()
        rig.losePower()
        #expect(try rig.files.list(rig.documents) == ["entryOnly"])
        #expect(try rig.files.contents(of: rig.documents + "/entryOnly") == Data())
    }

    /// Nothing is put into a folder that is gone, though it was used a moment before.
    @Test func aFolderThatIsLostIsNotThere() throws {
        let rig = StorageRig()
        try rig.files.createDirectory(at: rig.documents + "/d")
        try rig.files.put(new, at: rig.documents + "/d/a")
        rig.losePower()
        #expect(try rig.files.attributes(of: rig.documents + "/d/a") == nil)
        #expect(throws: FileSystemError.self) { try rig.files.put(new, at: rig.documents + "/d/b") }
    }

    @Test func aCrashOfTheAppKeepsEverything() throws {
        let rig = StorageRig()
        try rig.files.put(new, at: rig.documents + "/a")
        rig.relaunch(.crash)
        #expect(try rig.files.contents(of: rig.documents + "/a") == new)
        rig.losePower()
        #expect(try rig.files.list(rig.documents) == [], "a crash makes nothing durable")
    }

    @Test func anOrderlyShutdownMakesEverythingDurable() throws {
        let rig = StorageRig()
        try rig.files.createDirectory(at: rig.documents + "/d")
        try rig.files.put(new, at: rig.documents + "/d/a")
        rig.restart()
        rig.unlock()
        rig.losePower()
        #expect(try rig.files.contents(of: rig.documents + "/d/a") == new)
    }

    @Test func aRenameIsLostOrKeptAsAWhole() throws {
        for policy in [PowerLossPolicy.dropsAll, .keepsAll] {
            let rig = StorageRig()
            try rig.files.replaceDurably(rig.documents + "/a", with: old)
            let file = try rig.files.createFile(at: rig.documents + "/b", protection: .none)
            try file.write(new)
            try file.synchronize()
            try rig.files.synchronizeDirectory(at: rig.documents)
            try rig.files.rename(rig.documents + "/b", to: rig.documents + "/a")
            rig.losePower(policy)
            let contents = try rig.files.contents(of: rig.documents + "/a")
            let names = try rig.files.list(rig.documents)
            #expect((contents == new && names == ["a"]) || (contents == old && names == ["a", "b"]))
        }
    }

    @Test func aRemovalIsLostUnlessTheDirectoryIsSynchronized() throws {
        let rig = StorageRig()
        try rig.files.replaceDurably(rig.documents + "/a", with: old)
        try rig.files.removeFile(at: rig.documents + "/a")
        rig.losePower()
        #expect(try rig.files.contents(of: rig.documents + "/a") == old)
        try rig.files.removeFile(at: rig.documents + "/a")
        try rig.files.synchronizeDirectory(at: rig.documents)
        rig.losePower()
        #expect(try rig.files.list(rig.documents) == [])
    }

    @Test func aRenameBetweenDirectoriesIsDurableWithEitherOfThem() throws {
        for synchronized in ["/from", "/to"] {
            let rig = StorageRig()
            try rig.files.createDirectory(at: rig.documents + "/from")
            try rig.files.createDirectory(at: rig.documents + "/to")
            try rig.files.synchronizeDirectory(at: rig.documents)
            let file = try rig.files.createFile(at: rig.documents + "/from/a", protection: .none)
            try file.write(new)
            try file.synchronize()
            try rig.files.put(old, at: rig.documents + "/from/other")
            try rig.files.rename(rig.documents + "/from/a", to: rig.documents + "/to/a")
            try rig.files.synchronizeDirectory(at: rig.documents + synchronized)
            rig.losePower()
            #expect(try rig.files.list(rig.documents + "/to") == ["a"])
            #expect(try rig.files.contents(of: rig.documents + "/to/a") == new)
            let left = try rig.files.list(rig.documents + "/from")
            #expect(left == (synchronized == "/from" ? ["other"] : []))
        }
    }

    @Test func aNewDirectoryIsLostWithoutItsParent() throws {
        let rig = StorageRig()
        try rig.files.createDirectory(at: rig.documents + "/d")
        try rig.files.replaceDurably(rig.documents + "/d/a", with: new)
        rig.losePower()
        #expect(try rig.files.list(rig.documents) == [])
    }

    @Test func aMarkForBackupsIsDurableWithItsDirectory() throws {
        let rig = StorageRig()
        try rig.files.replaceDurably(rig.documents + "/a", with: new)
        try rig.files.setExcludedFromBackup(true, at: rig.documents + "/a")
        rig.losePower()
        #expect(try rig.files.attributes(of: rig.documents + "/a")?.isExcludedFromBackup == false)
        try rig.files.setExcludedFromBackup(true, at: rig.documents + "/a")
        try rig.files.synchronizeDirectory(at: rig.documents)
        rig.losePower()
        #expect(try rig.files.attributes(of: rig.documents + "/a")?.isExcludedFromBackup == true)
    }

    @Test func bytesCanBeTornOrGarbage() throws {
        func after(_ fate: PowerLossFate) throws -> Data {
            let rig = StorageRig()
            let file = try rig.files.createFile(at: rig.documents + "/a", protection: .none)
            try file.write(Data("safe ".utf8))
            try file.synchronize()
            try file.write(Data("unsafe".utf8))
            try rig.files.synchronizeDirectory(at: rig.documents)
            rig.losePower(
                PowerLossPolicy { item in
                    #expect(item == .contents(path: rig.documents + "/a", count: 6))
                    return fate
                })
            return try rig.files.contents(of: rig.documents + "/a")
        }
        #expect(try after(.kept) == Data("safe unsafe".utf8))
        #expect(try after(.dropped) == Data("safe ".utf8))
        #expect(try after(.torn(count: 2)) == Data("safe un".utf8))
        #expect(try after(.torn(count: 99)) == Data("safe unsafe".utf8))
        let garbage = try after(.garbage(seed: 1))
        #expect(garbage.count == 11 && garbage.prefix(5) == Data("safe ".utf8) && garbage != Data("safe unsafe".utf8))
        #expect(try after(.garbage(seed: 1)) == garbage)
    }

    /// The ways to replace a file: the right one, and each with a step left out.
    enum Replacement: String, CaseIterable {
        case right, withoutFileSync, withoutDirectorySync, withoutTemporaryFile
    }

    /// Crashes before every operation of a replacement, loses power in many ways, and says what was wrong then.
    private func violations(of replacement: Replacement, seeds: Range<UInt64>) throws -> Set<String> {
        var violations: Set<String> = []
        for seed in seeds {
            var operation = 1
            while true {
                let rig = StorageRig()
                let path = rig.documents + "/a"
                try rig.files.replaceDurably(path, with: old)
                rig.storage.faults.interrupt(beforeOperation: rig.storage.operationCount + operation) { [unowned rig] in rig.end(.crash) }
                var isAcknowledged = false
                do {
                    try replace(replacement, rig.files, path)
                    isAcknowledged = true
                } catch is ProcessEnded {}
                rig.storage.faults.removeAll()
                rig.losePower(seed == 0 ? .dropsAll : .seeded(SeededGenerator(seed: seed)))
                let found = try? rig.files.contents(of: path)
                if isAcknowledged, found != new { violations.insert("lost") }
                if !isAcknowledged, found != old, found != new { violations.insert("neither old nor new") }
                if isAcknowledged { break }
                operation += 1
            }
        }
        return violations
    }

    private func replace(_ replacement: Replacement, _ files: any FileSystem, _ path: String) throws {
        if replacement == .withoutTemporaryFile { try files.removeFile(at: path) }
        let temporary = replacement == .withoutTemporaryFile ? path : path + ".new"
        let file = try files.createFile(at: temporary, protection: .none)
        try file.write(new)
        if replacement != .withoutFileSync { try file.synchronize() }
        try file.close()
        if temporary != path { try files.rename(temporary, to: path) }
        let directory = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        if replacement != .withoutDirectorySync { try files.synchronizeDirectory(at: directory) }
    }

    @Test(arguments: Replacement.allCases) func aReplacementSurvivesEveryCrashOnlyIfNothingIsLeftOut(_ replacement: Replacement) throws {
        let found = try violations(of: replacement, seeds: 0..<40)
        #expect(found.isEmpty == (replacement == .right), "\(replacement): \(found.sorted())")
    }

    @Test func theSameSeedLosesTheSame() throws {
        func end(_ seed: UInt64) throws -> [String] {
            let rig = StorageRig()
            var generator = SeededGenerator(seed: 7)
            for number in 0..<60 {
                let name = "\(generator.below(12))"
                let path = rig.documents + "/" + name
                if try rig.files.attributes(of: path) == nil {
                    try rig.files.put(Data("\(number)".utf8), at: path)
                } else if generator.below(2) == 0 {
                    try rig.files.removeFile(at: path)
                } else {
                    try rig.files.rename(path, to: rig.documents + "/\(generator.below(12))")
                }
                if generator.below(10) == 0 { try rig.files.synchronizeDirectory(at: rig.documents) }
            }
            rig.losePower(.seeded(SeededGenerator(seed: seed)))
            return try rig.files.list(rig.documents).map {
                "\($0): \(try rig.files.contents(of: rig.documents + "/" + $0).map(String.init).joined(separator: ","))"
            }
        }
        #expect(try end(1) == end(1))
        let ends = try (0..<8).map { try end($0) }
        #expect(Set(ends).count > 1)
    }
}
