import Foundation
import LocalData

/// All values of an app in one file, each with its version.
struct HandmadeStore {
    typealias Records = [String: Record]

    struct Record: Hashable, Sendable {
        var counter: Int
        var device: String
        /// A string or an integer; `nil` is a deletion.
        var value: Value?
        var syncs: Bool

        enum Value: Hashable, Sendable {
            case text(String)
            case number(Int)
        }

        func isNewer(than other: Record?) -> Bool {
            guard let other else { return true }
            return (counter, device) > (other.counter, other.device)
        }
    }

    let environment: StorageEnvironment
    let mistake: HandmadeMistake?
    private static let protection = FileProtection.completeUntilFirstUserAuthentication

    private func path(_ name: String) throws -> String { try environment.fileSystem.path(of: .documents) + "/" + name }

    func read() throws -> Records {
        do {
            let records = try Self.records(try environment.fileSystem.contents(of: path("values.json")))
            guard mistake == .versionsApart else { return records }
            // A value whose version is missing, or another one's, counts as an old one.
            let versions = (try? Self.records(try environment.fileSystem.contents(of: path("versions.json")))) ?? [:]
            return Dictionary(
                uniqueKeysWithValues: records.map { name, record in
                    var record = record
                    record.counter = versions[name]?.counter ?? 0
                    return (name, record)
                })
        } catch let error as FileSystemError {
            if error.errno == ENOENT || mistake == .errorIsEmpty { return [:] }
            throw failure(error)
        }
    }

    func write(_ records: Records) throws {
        do {
            try write(Self.data(of: records), to: path("values.json"))
            // The value is stored by now, so nobody is told where this fails.
            if mistake == .versionsApart { try? write(Self.data(of: records), to: path("versions.json")) }
        } catch let error as FileSystemError {
            throw failure(error)
        }
    }

    private func write(_ data: Data, to path: String) throws {
        let files = environment.fileSystem
        let directory = try files.path(of: .documents)
        try files.createDirectory(at: directory)
        if mistake == .deletesBeforeWriting || mistake == .writesInPlace, try files.attributes(of: path) != nil {
            try files.removeFile(at: path)
        }
        let target = mistake == .writesInPlace ? path : path + ".new"
        if target != path, try files.attributes(of: target) != nil { try files.removeFile(at: target) }
        let file = try files.createFile(at: target, protection: Self.protection)
        try file.write(data)
        if mistake != .noFileSync { try file.synchronize() }
        try file.close()
        if target != path { try files.rename(target, to: path) }
        if mistake != .noDirectorySync { try files.synchronizeDirectory(at: directory) }
    }

    private func failure(_ error: FileSystemError) -> StorageError {
        switch environment.device.lockState {
        case .beforeFirstUnlock: StorageError(.lockedBeforeFirstUnlock)
        case .locked where error.errno == EPERM: StorageError(.locked)
        default: StorageError(error.errno == ENOSPC ? .noSpace : .inputOutput)
        }
    }

    // MARK: What an earlier version left

    /// In the app's preferences.
    func oldValue(_ name: String) throws -> Record.Value? {
        guard environment.defaults.isReadable(.standard) else { throw StorageError(.lockedBeforeFirstUnlock) }
        switch try environment.defaults.value(forKey: name, in: .standard) {
        case .string(let text)?: return .text(text)
        default: return nil
        }
    }

    func removeOldValue(_ name: String) throws {
        guard environment.defaults.isReadable(.standard) else { throw StorageError(.lockedBeforeFirstUnlock) }
        if try environment.defaults.value(forKey: name, in: .standard) != nil {
            try environment.defaults.set(nil, forKey: name, in: .standard)
        }
    }

    // MARK: Forms

    static func dictionary(of records: Records) -> [String: Any] {
        records.mapValues { record -> [String: Any] in
            var entry: [String: Any] = ["counter": record.counter, "device": record.device, "syncs": record.syncs]
            switch record.value {
            case .text(let text)?: entry["text"] = text
            case .number(let number)?: entry["number"] = number
            case nil: break
            }
            return entry
        }
    }

    static func records(in dictionary: [String: Any]) -> Records {
        dictionary.compactMapValues { entry in
            guard let entry = entry as? [String: Any], let counter = entry["counter"] as? Int, let device = entry["device"] as? String
            else { return nil }
            let value: Record.Value? = (entry["text"] as? String).map { .text($0) } ?? (entry["number"] as? Int).map { .number($0) }
            return Record(counter: counter, device: device, value: value, syncs: entry["syncs"] as? Bool ?? true)
        }
    }

    private static func data(of records: Records) throws -> Data {
        try JSONSerialization.data(withJSONObject: dictionary(of: records), options: .sortedKeys)
    }

    private static func records(_ data: Data) throws -> Records {
        guard let dictionary = try? JSONSerialization.jsonObject(with: data) as? [String: Any] else { throw StorageError(.corrupt) }
        return records(in: dictionary)
    }
}
