import DeviceSim
import Foundation
import LocalData
import Testing

/// The simulated disk against a model that is too simple to be wrong: a power loss that drops everything leaves, in every directory, the
/// entries of its last synchronization, each with the bytes of its file's last synchronization.
@Suite struct PowerLossModelTests {
    private final class ModelFile {
        var bytes = Data()
        var synchronized = Data()
    }

    /// One directory and no crossing renames, for which the law needs no more words.
    private struct Model {
        var now: [String: ModelFile] = [:]
        var durable: [String: ModelFile] = [:]
    }

    @Test(arguments: Array(UInt64(1)...30)) func theHarshestLossLeavesWhatWasSynchronized(_ seed: UInt64) throws {
        let rig = StorageRig()
        var model = Model()
        var open: [(handle: any WritableFile, file: ModelFile)] = []
        var generator = SeededGenerator(seed: seed)
        for number in 0..<400 {
            let name = "n\(generator.below(6))"
            let path = rig.documents + "/" + name
            switch generator.below(8) {
            case 0, 1:
                guard model.now[name] == nil else { break }
                let file = ModelFile()
                open.append((try rig.files.createFile(at: path, protection: .none), file))
                model.now[name] = file
            case 2, 3:
                guard !open.isEmpty else { break }
                let (handle, file) = open[generator.below(open.count)]
                let bytes = Data("\(number) ".utf8)
                try handle.write(bytes)
                file.bytes += bytes
            case 4:
                guard !open.isEmpty else { break }
                let (handle, file) = open[generator.below(open.count)]
                try handle.synchronize()
                file.synchronized = file.bytes
            case 5:
                let other = "n\(generator.below(6))"
                guard let file = model.now[name], other != name else { break }
                try rig.files.rename(path, to: rig.documents + "/" + other)
                model.now[name] = nil
                model.now[other] = file
            case 6:
                guard model.now[name] != nil else { break }
                try rig.files.removeFile(at: path)
                model.now[name] = nil
            default:
                if generator.below(3) == 0 {
                    try rig.files.synchronizeDirectory(at: rig.documents)
                    model.durable = model.now
                }
            }
            #expect(try contents(rig) == model.now.mapValues(\.bytes))
            guard generator.below(40) == 0 else { continue }
            rig.losePower()
            open = []
            #expect(try contents(rig) == model.durable.mapValues(\.synchronized))
            for file in model.durable.values { file.bytes = file.synchronized }
            model.now = model.durable
        }
    }

    @Test(arguments: Array(UInt64(1)...30)) func aSeededLossLeavesOnlyWhatOnceWasThere(_ seed: UInt64) throws {
        let rig = StorageRig()
        var generator = SeededGenerator(seed: seed)
        // Every name's states since the last synchronization, with synchronized bytes so that only entries are at stake.
        var states: [String: Set<Data?>] = [:]
        func note() throws {
            let found = try contents(rig)
            for name in ["n0", "n1", "n2", "n3"] { states[name, default: []].insert(found[name]) }
        }
        try note()
        for number in 0..<200 {
            let name = "n\(generator.below(4))"
            let path = rig.documents + "/" + name
            if try rig.files.attributes(of: path) == nil {
                let file = try rig.files.createFile(at: path, protection: .none)
                try file.write(Data("\(number)".utf8))
                try file.synchronize()
            } else if generator.below(2) == 0 {
                try rig.files.removeFile(at: path)
            } else {
                try rig.files.rename(path, to: rig.documents + "/n\(generator.below(4))")
            }
            if generator.below(6) == 0 {
                try rig.files.synchronizeDirectory(at: rig.documents)
                states = [:]
            }
            try note()
            guard generator.below(15) == 0 else { continue }
            rig.losePower(.seeded(SeededGenerator(seed: generator.next())))
            let found = try contents(rig)
            for (name, possible) in states { #expect(possible.contains(found[name]), "\(name)") }
            let contents = found.values.sorted { $0.lexicographicallyPrecedes($1) }
            #expect(Set(contents).count == contents.count, "a rename leaves a file at one place")
            states = [:]
            try note()
        }
    }

    private func contents(_ rig: StorageRig) throws -> [String: Data] {
        var contents: [String: Data] = [:]
        for name in try rig.files.list(rig.documents) { contents[name] = try rig.files.contents(of: rig.documents + "/" + name) }
        return contents
    }
}
