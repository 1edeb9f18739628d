import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A table of values by key in SQLite, through the system's library where there is one: it is looked for when the benchmark runs, so that nothing has to be
/// installed to build it.
final class SQLite {
    private typealias Open =
        @convention(c) (UnsafePointer<CChar>, UnsafeMutablePointer<OpaquePointer?>, Int32, UnsafePointer<CChar>?) -> Int32
    private typealias Execute =
        @convention(c) (OpaquePointer?, UnsafePointer<CChar>, OpaquePointer?, OpaquePointer?, OpaquePointer?) -> Int32
    private typealias Prepare =
        @convention(c) (
            OpaquePointer?, UnsafePointer<CChar>, Int32, UnsafeMutablePointer<OpaquePointer?>, OpaquePointer?
        ) -> Int32
    private typealias BindText = @convention(c) (OpaquePointer?, Int32, UnsafePointer<CChar>, Int32, OpaquePointer?) -> Int32
    private typealias BindBytes = @convention(c) (OpaquePointer?, Int32, UnsafeRawPointer?, Int32, OpaquePointer?) -> Int32
    private typealias Of = @convention(c) (OpaquePointer?) -> Int32
    private typealias Column = @convention(c) (OpaquePointer?, Int32) -> UnsafeRawPointer?
    private typealias ColumnCount = @convention(c) (OpaquePointer?, Int32) -> Int32
    private typealias Version = @convention(c) () -> UnsafePointer<CChar>

    /// The functions of the library; `nil` where there is none, or one without them.
    private struct Library {
        let open: Open, execute: Execute, prepare: Prepare, bindText: BindText, bindBytes: BindBytes
        let step: Of, reset: Of, finalize: Of, close: Of
        let column: Column, columnCount: ColumnCount, version: Version

        init?() {
            let names = ["libsqlite3.so.0", "libsqlite3.so", "libsqlite3.dylib"]
            guard let handle = names.lazy.compactMap({ (name: String) in dlopen(name, RTLD_NOW) }).first else { return nil }
            func function<Function>(_ name: String, as type: Function.Type) -> Function? {
                dlsym(handle, "sqlite3_\(name)").map { unsafeBitCast($0, to: type) }
            }
            guard let open = function("open_v2", as: Open.self), let execute = function("exec", as: Execute.self),
                let prepare = function("prepare_v2", as: Prepare.self), let bindText = function("bind_text", as: BindText.self),
                let bindBytes = function("bind_blob", as: BindBytes.self), let step = function("step", as: Of.self),
                let reset = function("reset", as: Of.self), let finalize = function("finalize", as: Of.self),
                let close = function("close", as: Of.self), let column = function("column_blob", as: Column.self),
                let columnCount = function("column_bytes", as: ColumnCount.self), let version = function("libversion", as: Version.self)
            else { return nil }
            (self.open, self.execute, self.prepare, self.bindText, self.bindBytes) = (open, execute, prepare, bindText, bindBytes)
            (self.step, self.reset, self.finalize, self.close) = (step, reset, finalize, close)
            (self.column, self.columnCount, self.version) = (column, columnCount, version)
        }
    }

    private static let (ok, row, done): (Int32, Int32, Int32) = (0, 100, 101)

    private let library: Library
    private var database: OpaquePointer?
    private var insertion: OpaquePointer?
    private var selection: OpaquePointer?

    var version: String { String(cString: library.version()) }

    /// - Parameter journal: `wal` or `delete`. Synchronous is `FULL` with both: a commit is durable when it returns.
    /// - Returns: `nil` where this machine has no SQLite.
    init?(path: String, journal: String) throws {
        guard let library = Library() else { return nil }
        self.library = library
        try require(library.open(path, &database, 0x2 | 0x4, nil), "open")
        try execute("PRAGMA journal_mode = \(journal)")
        try execute("PRAGMA synchronous = FULL")
        try execute("CREATE TABLE IF NOT EXISTS entries (name TEXT PRIMARY KEY, content BLOB) WITHOUT ROWID")
        try require(library.prepare(database, "INSERT OR REPLACE INTO entries VALUES (?1, ?2)", -1, &insertion, nil), "prepare")
        try require(library.prepare(database, "SELECT content FROM entries WHERE name = ?1", -1, &selection, nil), "prepare")
    }

    deinit {
        for statement in [insertion, selection] { _ = library.finalize(statement) }
        _ = library.close(database)
    }

    func set(_ data: Data, for name: String) throws {
        let status = try name.withCString { name in
            try data.withUnsafeBytes { bytes in
                try require(library.bindText(insertion, 1, name, -1, nil), "bind")
                try require(library.bindBytes(insertion, 2, bytes.baseAddress, Int32(bytes.count), nil), "bind")
                return library.step(insertion)
            }
        }
        _ = library.reset(insertion)
        guard status == Self.done else { throw BenchmarkError(message: "SQLite: insert: \(status)") }
    }

    func get(_ name: String) throws -> Data {
        defer { _ = library.reset(selection) }
        return try name.withCString { name in
            try require(library.bindText(selection, 1, name, -1, nil), "bind")
            guard library.step(selection) == Self.row, let bytes = library.column(selection, 0) else {
                throw BenchmarkError(message: "SQLite: nothing was found")
            }
            return Data(bytes: bytes, count: Int(library.columnCount(selection, 0)))
        }
    }

    private func execute(_ statement: String) throws { try require(library.execute(database, statement, nil, nil, nil), statement) }

    private func require(_ status: Int32, _ what: String) throws {
        guard status == Self.ok else { throw BenchmarkError(message: "SQLite: \(what): \(status)") }
    }
}
