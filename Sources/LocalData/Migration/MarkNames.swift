import Foundation

/// Which marks there are, by the names of their files: each folder is listed once in a process, so that a key without a mark costs nothing.
///
/// Good for marks that only another version of the app can have left, since no two versions run at once.
/// - Note: `@unchecked Sendable`: the state is only touched under the lock.
final class MarkNames: @unchecked Sendable {
    private let lock = NSLock()
    private var names: [MigrationMark.State: Set<String>] = [:]

    /// The names of one kind, from `list` at the first time.
    func known(_ state: MigrationMark.State, list: () throws -> [String]) rethrows -> Set<String> {
        if let known = lock.withLock({ names[state] }) { return known }
        let listed = Set(try list())
        return lock.withLock {
            let known = names[state] ?? listed
            names[state] = known
            return known
        }
    }

    /// Notes a mark that this process wrote.
    func note(_ state: MigrationMark.State, _ name: String) {
        lock.withLock { _ = names[state]?.insert(name) }
    }
}

extension StorageRouter {
    /// False where there is no such mark at all.
    nonisolated func mayHaveMarks(_ state: MigrationMark.State) -> Bool {
        (try? markNames.known(state, list: { try files.listInternal(MigrationMark.folder(of: state)) }))?.isEmpty != true
    }

    /// False where an earlier process left no such mark at the location, nor this one.
    nonisolated func mayHaveMark(_ state: MigrationMark.State, at location: StorageLocation) -> Bool {
        // Where that cannot be listed for now, the mark itself is looked for.
        guard let names = try? markNames.known(state, list: { try files.listInternal(MigrationMark.folder(of: state)) }) else {
            return true
        }
        guard !names.isEmpty, let identity = try? location.recordIdentity(in: environment) else { return !names.isEmpty }
        return MigrationMark.fileNames(of: identity).contains(where: names.contains)
    }
}
