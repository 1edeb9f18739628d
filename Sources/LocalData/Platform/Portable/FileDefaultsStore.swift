import Foundation

/// Preferences as property list files, one for each suite: what hosts without Apple's `UserDefaults` use, and simulations on a real disk.
///
/// A set is in the file when it returns, for every process; it is made durable by ``synchronize(_:)`` only, as with `UserDefaults`. Files
/// are replaced as a whole and changed under a lock beside them, so processes that share a suite lose nothing to each other. A file that is
/// damaged or not a property list is an error (``StorageError/Code/corrupt``) for reading and writing, and stays as it is.
public final class FileDefaultsStore: DefaultsStore, @unchecked Sendable {
    private let path: @Sendable (DefaultsSuite) -> String?
    private let lock = NSLock()
    /// What was read last, by file. Guarded by `lock`.
    private var cache: [String: (version: AtomicFile.Version?, values: [String: PropertyListValue])] = [:]

    /// Suites as `<name>.plist` in `directory`, an absolute path; App Groups by their identifier.
    /// - Parameter directory: The folder of the files. It is made when it is first written to.
    /// - Parameter standardName: the file name of ``DefaultsSuite/standard`` without extension; such as the app's bundle identifier.
    /// - Parameter appGroupDirectory: the directory for the suite of an App Group, shared by its apps; `nil` for a group the app does not
    ///   belong to. Without it they lie in `directory`.
    public init(directory: String, standardName: String, appGroupDirectory: (@Sendable (String) -> String?)? = nil) {
        path = { suite in
            let (name, folder): (String, String?) =
                switch suite {
                case .standard: (standardName, directory)
                case .named(let name): (name, directory)
                case .appGroup(let identifier): (identifier, appGroupDirectory.map { $0(identifier) } ?? directory)
                }
            guard let folder, PosixFileSystem.isFolderName(name) else { return nil }
            return "\(folder)/\(name).plist"
        }
    }

    /// Always true: these files know no lock.
    public func isReadable(_ suite: DefaultsSuite) -> Bool { true }

    public func value(forKey key: String, in suite: DefaultsSuite) throws -> PropertyListValue? {
        try values(of: file(suite))[key]
    }

    public func set(_ value: PropertyListValue?, forKey key: String, in suite: DefaultsSuite) throws {
        let file = try file(suite)
        try storageErrors(of: file) {
            try lock.withLock {
                try file.withLock {
                    // Read anew under the lock: what another process has just written is kept.
                    var values = try Self.read(file)
                    if values[key] != value {
                        values[key] = value
                        try file.replace(with: PropertyListValue.dictionary(values).encoded(), isDurable: false)
                    }
                    cache[file.path] = (try file.version(), values)
                }
            }
        }
    }

    public func keys(in suite: DefaultsSuite) throws -> [String] {
        try values(of: file(suite)).keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    public func synchronize(_ suite: DefaultsSuite) throws {
        let file = try file(suite)
        try storageErrors(of: file) { try file.synchronize() }
    }

    private func file(_ suite: DefaultsSuite) throws -> AtomicFile {
        guard let path = path(suite) else {
            throw StorageError(.unsupported, facts: ["there are no preferences for \(suite.fact) here"])
        }
        return AtomicFile(path: path)
    }

    private func values(of file: AtomicFile) throws -> [String: PropertyListValue] {
        try storageErrors(of: file) {
            try lock.withLock {
                let version = try file.version()
                if let cached = cache[file.path], cached.version == version { return cached.values }
                let values = try Self.read(file)
                cache[file.path] = (version, values)
                return values
            }
        }
    }

    private static func read(_ file: AtomicFile) throws -> [String: PropertyListValue] {
        guard let data = try file.read() else { return [:] }
        guard case .dictionary(let values)? = try? PropertyListValue(encoded: data) else {
            throw StorageError(.corrupt, facts: ["the preferences file '\(file.name)' is not a property list of preferences"])
        }
        return values
    }

    private func storageErrors<Result>(of file: AtomicFile, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as FileSystemError {
            throw StorageError(
                error.isOutOfSpace ? .noSpace : error.isAccessDenied ? .accessDenied : .inputOutput,
                facts: ["errno \(error.errno) at \(error.operation) of the preferences file '\(file.name)'"])
        } catch let error as PropertyListValueError {
            throw StorageError(.encodingFailed, facts: [error.description])
        }
    }
}

extension DefaultsSuite {
    fileprivate var fact: String {
        switch self {
        case .standard: "the app"
        case .named(let name): "suite '\(name)'"
        case .appGroup(let identifier): "App Group '\(identifier)'"
        }
    }
}
