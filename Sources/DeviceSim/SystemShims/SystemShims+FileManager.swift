internal import DeviceSimCore
import Foundation
internal import LocalData

extension SystemShims {
    /// `FileManager` as app code uses it: the disk of the device whose code is running, below the containers of its app. Outside a simulation it is the
    /// host's.
    ///
    /// The simulated disk removes no directories: `removeItem` of one is an error, never a half.
    open class FileManager: @unchecked Sendable {
        /// Foundation's own.
        public typealias SearchPathDirectory = Foundation.FileManager.SearchPathDirectory
        /// Foundation's own. Only the user's domain is there in a simulation.
        public typealias SearchPathDomainMask = Foundation.FileManager.SearchPathDomainMask
        /// Foundation's own.
        public typealias DirectoryEnumerationOptions = Foundation.FileManager.DirectoryEnumerationOptions

        /// The file manager of whatever device's code uses it.
        public static let `default` = FileManager()
        private var host: Foundation.FileManager { .default }

        /// A file manager like ``default``, for a subclass or a property of the app's own.
        public init() {}

        // MARK: Places

        /// The app's temporary directory on its device.
        open var temporaryDirectory: URL {
            guard let path = process("FileManager.temporaryDirectory")?.path(of: .temporary) else { return host.temporaryDirectory }
            return URL(fileURLWithPath: path, isDirectory: true)
        }

        /// The app's directories of that kind: documents, caches, application support; none for others.
        open func urls(for directory: SearchPathDirectory, in domainMask: SearchPathDomainMask) -> [URL] {
            guard let process = process("FileManager.urls") else { return host.urls(for: directory, in: domainMask) }
            guard domainMask.contains(.userDomainMask), let container = directory.container, let path = process.path(of: container)
            else { return [] }
            return [
                URL(
                    fileURLWithPath: directory == .libraryDirectory ? (path as NSString).deletingLastPathComponent : path, isDirectory: true
                )
            ]
        }

        /// The app's directory of that kind, made if it is asked for.
        /// - Throws: `CocoaError` where the app has no such directory.
        open func url(
            for directory: SearchPathDirectory, in domain: SearchPathDomainMask, appropriateFor url: URL?, create shouldCreate: Bool
        ) throws -> URL {
            guard process("FileManager.url") != nil else {
                return try host.url(for: directory, in: domain, appropriateFor: url, create: shouldCreate)
            }
            guard let found = urls(for: directory, in: domain).first else {
                throw CocoaError(.fileNoSuchFile, userInfo: [NSLocalizedDescriptionKey: "a simulated device has no such directory"])
            }
            if shouldCreate { try createDirectory(at: found, withIntermediateDirectories: true) }
            return found
        }

        /// The container of an App Group on the device; `nil` for a group that the app does not belong to.
        open func containerURL(forSecurityApplicationGroupIdentifier group: String) -> URL? {
            guard let path = process("FileManager.containerURL")?.path(of: .appGroup(group)) else { return nil }
            return URL(fileURLWithPath: path, isDirectory: true)
        }

        // MARK: Looking

        /// Whether a file or a directory is there. Also true on a locked device.
        open func fileExists(atPath path: String) -> Bool {
            guard let files = files("FileManager.fileExists") else { return host.fileExists(atPath: path) }
            return (try? files.attributes(of: path)) != nil
        }

        /// Whether something is there, and whether it is a directory.
        open func fileExists(atPath path: String, isDirectory: UnsafeMutablePointer<ObjCBool>?) -> Bool {
            guard let files = files("FileManager.fileExists") else { return host.fileExists(atPath: path, isDirectory: isDirectory) }
            guard let found = try? files.attributes(of: path) else { return false }
            isDirectory?.pointee = ObjCBool(found.isDirectory)
            return true
        }

        /// The bytes of a file; `nil` where there is none, or where data protection keeps them.
        open func contents(atPath path: String) -> Data? {
            try? SystemShims.contents(of: URL(fileURLWithPath: path))
        }

        /// The names in a directory, sorted.
        open func contentsOfDirectory(atPath path: String) throws -> [String] {
            guard let files = files("FileManager.contentsOfDirectory") else { return try host.contentsOfDirectory(atPath: path) }
            return try translating(path) { try files.list(path) }
        }

        /// The URLs of what is in a directory, sorted. Hidden files are left out where `mask` says so.
        open func contentsOfDirectory(
            at url: URL, includingPropertiesForKeys keys: [URLResourceKey]?, options mask: DirectoryEnumerationOptions = []
        ) throws -> [URL] {
            try contentsOfDirectory(atPath: url.path)
                .filter { !mask.contains(.skipsHiddenFiles) || !$0.hasPrefix(".") }
                .map { url.appendingPathComponent($0) }
        }

        /// The size and the type of what is there; nothing else is known of it.
        /// - Throws: `CocoaError` where nothing is.
        open func attributesOfItem(atPath path: String) throws -> [FileAttributeKey: Any] {
            guard let files = files("FileManager.attributesOfItem") else { return try host.attributesOfItem(atPath: path) }
            guard let found = try translating(path, { try files.attributes(of: path) }) else {
                throw CocoaError(.fileReadNoSuchFile, userInfo: [NSFilePathErrorKey: path])
            }
            return [
                .size: NSNumber(value: found.size),
                .type: found.isDirectory ? FileAttributeType.typeDirectory : FileAttributeType.typeRegular,
            ]
        }

        // MARK: Changing

        /// Makes a directory, and those above it if asked.
        open func createDirectory(
            at url: URL, withIntermediateDirectories createsIntermediates: Bool, attributes: [FileAttributeKey: Any]? = nil
        ) throws {
            try createDirectory(atPath: url.path, withIntermediateDirectories: createsIntermediates, attributes: attributes)
        }

        /// Makes a directory, and those above it if asked.
        open func createDirectory(
            atPath path: String, withIntermediateDirectories createsIntermediates: Bool, attributes: [FileAttributeKey: Any]? = nil
        ) throws {
            guard let files = files("FileManager.createDirectory") else {
                return try host.createDirectory(
                    atPath: path, withIntermediateDirectories: createsIntermediates, attributes: attributes)
            }
            try translating(path, isWrite: true) {
                if !createsIntermediates {
                    if try files.attributes(of: path) != nil { throw FileSystemError(errno: EEXIST, operation: "mkdir", path: path) }
                    let parent = (path as NSString).deletingLastPathComponent
                    if try files.attributes(of: parent) == nil { throw FileSystemError(errno: ENOENT, operation: "mkdir", path: path) }
                }
                try files.createDirectory(at: path)
            }
        }

        /// Writes a file, replacing one that is there. False where that fails.
        @discardableResult
        open func createFile(atPath path: String, contents data: Data?, attributes: [FileAttributeKey: Any]? = nil) -> Bool {
            (try? SystemShims.write(data ?? Data(), to: URL(fileURLWithPath: path))) != nil
        }

        /// Removes a file. A directory is an error: the simulated disk removes none.
        open func removeItem(at url: URL) throws { try removeItem(atPath: url.path) }

        /// Removes a file. A directory is an error: the simulated disk removes none.
        open func removeItem(atPath path: String) throws {
            guard let files = files("FileManager.removeItem") else { return try host.removeItem(atPath: path) }
            guard let found = try translating(path, { try files.attributes(of: path) }) else {
                throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: path])
            }
            guard !found.isDirectory else {
                throw CocoaError(
                    .featureUnsupported,
                    userInfo: [
                        NSFilePathErrorKey: path, NSLocalizedDescriptionKey: "the simulated disk removes no directories; remove the files",
                    ])
            }
            try translating(path, isWrite: true) { try files.removeFile(at: path) }
        }

        /// Renames a file. Fails where something has the new name.
        open func moveItem(at source: URL, to destination: URL) throws { try moveItem(atPath: source.path, toPath: destination.path) }

        /// Renames a file. Fails where something has the new name.
        open func moveItem(atPath source: String, toPath destination: String) throws {
            guard let files = files("FileManager.moveItem") else { return try host.moveItem(atPath: source, toPath: destination) }
            try translating(destination, isWrite: true) {
                try requireFree(destination, files)
                try files.rename(source, to: destination)
            }
        }

        /// Copies a file. Fails where something has the new name.
        open func copyItem(at source: URL, to destination: URL) throws { try copyItem(atPath: source.path, toPath: destination.path) }

        /// Copies a file. Fails where something has the new name.
        open func copyItem(atPath source: String, toPath destination: String) throws {
            guard let files = files("FileManager.copyItem") else { return try host.copyItem(atPath: source, toPath: destination) }
            try translating(destination, isWrite: true) { try requireFree(destination, files) }
            let data = try translating(source) { try files.contents(of: source) }
            try SystemShims.write(data, to: URL(fileURLWithPath: destination))
        }

        /// Puts a new file in the place of another, in one step.
        @discardableResult
        open func replaceItemAt(_ original: URL, withItemAt new: URL) throws -> URL? {
            guard let files = files("FileManager.replaceItemAt") else { return try host.replaceItemAt(original, withItemAt: new) }
            try translating(original.path, isWrite: true) { try files.rename(new.path, to: original.path) }
            return original
        }

        private func requireFree(_ path: String, _ files: any FileSystem) throws {
            if try files.attributes(of: path) != nil { throw FileSystemError(errno: EEXIST, operation: "rename", path: path) }
        }
    }
}

extension Foundation.FileManager.SearchPathDirectory {
    /// Where that is in an app's container; for the library a directory below it.
    fileprivate var container: ContainerDirectory? {
        switch self {
        case .documentDirectory: .documents
        case .cachesDirectory, .libraryDirectory: .caches
        case .applicationSupportDirectory: .applicationSupport
        default: nil
        }
    }
}

/// Files as app code reads and writes them, on the disk of its device. Outside a simulation they are the host's.
///
/// Errors are those of Foundation, so that code finds the codes that it looks for.
extension SystemShims {
    /// What `Data(contentsOf:)` is to an app.
    public static func contents(of url: URL, options: Data.ReadingOptions = []) throws -> Data {
        guard url.isFileURL, let files = files("Data(contentsOf:)") else { return try Data(contentsOf: url, options: options) }
        return try translating(url.path) { try files.contents(of: url.path) }
    }

    /// What `Data.write(to:options:)` is to an app. As there, the bytes are visible at once and durable some time later.
    public static func write(_ data: Data, to url: URL, options: Data.WritingOptions = []) throws {
        guard url.isFileURL, let files = files("Data.write(to:)") else { return try data.write(to: url, options: options) }
        let path = url.path
        try translating(path, isWrite: true) {
            let existing = try files.attributes(of: path)
            if existing?.isDirectory == true { throw FileSystemError(errno: EISDIR, operation: "open", path: path) }
            if existing != nil, options.contains(.withoutOverwriting) {
                throw FileSystemError(errno: EEXIST, operation: "open", path: path)
            }
            let isAtomic = options.contains(.atomic)
            let target = isAtomic ? path + ".write-\(uuid().uuidString)" : path
            if !isAtomic, existing != nil {
                // What cannot be opened stays as it is: a locked device has no key to it.
                _ = try files.contents(of: path, upTo: 1)
                try files.removeFile(at: path)
            }
            let protection = options.fileProtection ?? existing?.protection ?? .completeUntilFirstUserAuthentication
            let file = try files.createFile(at: target, protection: protection)
            try file.write(data)
            try file.close()
            if isAtomic { try files.rename(target, to: path) }
        }
    }

    /// What `String(contentsOf:encoding:)` is to an app.
    public static func text(of url: URL, encoding: String.Encoding) throws -> String {
        guard let text = String(data: try contents(of: url), encoding: encoding) else {
            throw CocoaError(.fileReadInapplicableStringEncoding, userInfo: [NSFilePathErrorKey: url.path])
        }
        return text
    }

    /// What `String.write(to:atomically:encoding:)` is to an app.
    public static func write(_ text: String, to url: URL, atomically: Bool, encoding: String.Encoding) throws {
        guard let data = text.data(using: encoding) else {
            throw CocoaError(.fileWriteInapplicableStringEncoding, userInfo: [NSFilePathErrorKey: url.path])
        }
        try write(data, to: url, options: atomically ? .atomic : [])
    }

    /// What `URL.documentsDirectory` and the like are to an app.
    public static func directory(_ directory: Foundation.FileManager.SearchPathDirectory) -> URL {
        FileManager.default.urls(for: directory, in: .userDomainMask).first ?? FileManager.default.temporaryDirectory
    }

    /// The disk of the device whose code is running; `nil` outside a simulation.
    static func files(_ call: @autoclosure () -> String) -> (any FileSystem)? {
        process(call())?.router.environment.fileSystem
    }

    /// Runs `body`, and gives an error of the disk the code that Foundation has for it.
    static func translating<Result>(_ path: String, isWrite: Bool = false, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as FileSystemError {
            throw CocoaError(
                error.cocoaCode(isWrite: isWrite),
                userInfo: [NSFilePathErrorKey: path, NSUnderlyingErrorKey: NSError(domain: NSPOSIXErrorDomain, code: Int(error.errno))])
        }
    }
}

extension FileSystemError {
    fileprivate func cocoaCode(isWrite: Bool) -> CocoaError.Code {
        switch errno {
        case ENOENT: isWrite ? .fileNoSuchFile : .fileReadNoSuchFile
        case EEXIST, ENOTEMPTY: .fileWriteFileExists
        case EPERM, EACCES: isWrite ? .fileWriteNoPermission : .fileReadNoPermission
        case ENOSPC: .fileWriteOutOfSpace
        case ENAMETOOLONG, EINVAL: isWrite ? .fileWriteInvalidFileName : .fileReadInvalidFileName
        default: isWrite ? .fileWriteUnknown : .fileReadUnknown
        }
    }
}

extension Data.WritingOptions {
    /// What the options say of data protection.
    fileprivate var fileProtection: LocalData.FileProtection? {
        if contains(.completeFileProtectionUntilFirstUserAuthentication) { return .completeUntilFirstUserAuthentication }
        if contains(.completeFileProtectionUnlessOpen) { return .completeUnlessOpen }
        if contains(.completeFileProtection) { return .complete }
        if contains(.noFileProtection) { return FileProtection.none }
        return nil
    }
}
