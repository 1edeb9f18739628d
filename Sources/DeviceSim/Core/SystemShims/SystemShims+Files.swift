import Foundation
import LocalData

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
            if !isAtomic, existing != nil { try files.removeFile(at: path) }
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
    /// What the options say of data protection. Foundation names these on Apple's systems only.
    fileprivate var fileProtection: LocalData.FileProtection? {
        #if canImport(Darwin)
            if contains(.completeFileProtectionUntilFirstUserAuthentication) { return .completeUntilFirstUserAuthentication }
            if contains(.completeFileProtectionUnlessOpen) { return .completeUnlessOpen }
            if contains(.completeFileProtection) { return .complete }
            if contains(.noFileProtection) { return FileProtection.none }
        #endif
        return nil
    }
}
