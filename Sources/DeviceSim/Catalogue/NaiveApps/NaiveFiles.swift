import DeviceSimCore
import Foundation
import LocalData

/// What naive apps do with files: `FileManager` and `Data(contentsOf:)`, on the device whose code is running.
enum NaiveFiles {
    private static var files: any FileSystem { StorageRouter.shared.environment.fileSystem }

    /// - Parameter path: Relative to the app's container.
    static func url(of path: String) throws -> URL {
        URL(fileURLWithPath: try ScenarioApp.container(of: files) + "/" + path, isDirectory: false)
    }

    static func read(_ url: URL) throws -> Data {
        try files.contents(of: url.path)
    }

    /// - Throws: What keeps that from being told.
    static func exists(_ url: URL) throws -> Bool {
        try files.attributes(of: url.path) != nil
    }

    static func write(_ data: Data, to url: URL) throws {
        try files.createDirectory(at: url.deletingLastPathComponent().path)
        if try files.attributes(of: url.path) != nil { try files.removeFile(at: url.path) }
        let file = try files.createFile(at: url.path, protection: .completeUntilFirstUserAuthentication)
        try file.write(data)
        try file.close()
    }
}
