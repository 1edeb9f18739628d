import DeviceSimCore
import DeviceSimLanguage
import Foundation
import LocalData

/// What a simulated device left behind as real files (`--roots DIR`): looked at without running it, and without changing anything.
public struct StoredDevice: Sendable {
    /// Where the device's files lie: a folder that a run with `--roots` left.
    public let folder: URL
    /// `phone`, `watch` or `watch2`, by the folder's name; a phone otherwise.
    public let id: DeviceID
    let record: DeviceRecord

    /// - Parameter folder: A device's folder, such as `DIR/Scenarios+sync+theme/phone`.
    /// - Throws: `StorageError` if it is not one, or its record is damaged or of a newer format; `FileSystemError`.
    public init(folder: URL) throws {
        self.folder = folder
        id = DeviceID(scenarioName: folder.lastPathComponent) ?? .phone
        guard let data = try RealFolder(folder).read(DeviceRecord.path) else {
            throw StorageError(.notFound, facts: ["there is no \(DeviceRecord.path), so this is not the folder of a simulated device"])
        }
        record = try DeviceRecord(encoded: data)
    }

    /// The folders of devices at and below a folder, sorted by their paths. Looks no further below a device's own.
    /// - Throws: `FileSystemError` for a folder that cannot be listed.
    public static func folders(in folder: URL) throws -> [URL] {
        let real = RealFolder(folder)
        if case .file? = try real.kind(of: "/" + DeviceRecord.path) { return [folder] }
        var found: [URL] = []
        for name in try real.files.list(real.root) {
            guard case .directory? = try real.kind(of: "/" + name) else { continue }
            found += try folders(in: folder.appendingPathComponent(name, isDirectory: true))
        }
        return found
    }

    // MARK: Where things are

    var root: String { RealFolder(folder).root }
    var applicationPath: String? { record.applicationContainer.map { DiskPath.joined(DeviceStorage.applicationsPath + [$0]) } }
    var groupsPath: String { DiskPath.joined(DeviceStorage.groupsPath) }

    /// The bundle identifier of the app: its container is named by it, with a number behind it after a reinstallation.
    public var bundleIdentifier: String {
        guard let container = record.applicationContainer else { return SimulationOptions().bundleIdentifier }
        let suffix = "-\(record.installations)"
        return record.installations > 1 && container.hasSuffix(suffix) ? String(container.dropLast(suffix.count)) : container
    }
}
