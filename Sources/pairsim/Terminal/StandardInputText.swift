import Foundation

/// All of standard input, read when it is first asked for: a scenario that a pipe brings.
///
/// Read on whichever thread asks first; nothing else reads the input then.
final class StandardInputText: @unchecked Sendable {
    private let source: any LineSource
    /// Guards what was read.
    private let lock = NSLock()
    private var read: [UInt8]?

    init(_ source: any LineSource) {
        self.source = source
    }

    var bytes: [UInt8] {
        lock.withLock {
            if let read { return read }
            // The compiler refuses what is longer.
            let bytes = source.readAll(upTo: SourceText.maximumByteCount)
            read = bytes
            return bytes
        }
    }
}

extension ScenarioFiles {
    /// The same files, with the bytes of one that is none.
    func reading(_ name: String, from bytes: @escaping @Sendable () -> [UInt8]) -> ScenarioFiles {
        ScenarioFiles { path throws(ScenarioDiagnostic) in path == name ? bytes() : try self.read(path) }
    }
}
