import Foundation

/// A durable fact about a migration, in an internal file of its own, so that it also holds for values in preferences and the keychain.
///
/// The form and the places of the files are a contract, pinned by fixtures. A file's presence is the mark: damaged contents undo nothing.
struct MigrationMark: Codable, Sendable, Hashable {
    enum State: String, Codable, Sendable, CaseIterable {
        /// The value at ``location`` was removed on purpose, and a migration from ``sources``, which were not cleared, is not to bring it back.
        case removed
        /// The value that lay at ``location`` was moved to ``destination``. Lasts: an older version of the app may look for it. What lies there all the
        /// same was not deleted yet, and is older than what lies at the destination.
        case moved
        /// What the migration into ``location`` would read is done with: it waits to be deleted, and is never read again. Lasts until that is done.
        case completing
        /// The value at ``location`` has the form ``schema`` (see ``StorageKey/schemaVersion``), which older versions of the app do not know.
        case schema
        /// A process has seen the value at ``location``, in preferences, while its sources were still there. A later one may delete them: see
        /// ``MovedValues/isSettled(_:copiedFrom:isNew:at:)``. Lasts until that is done.
        case seen
        /// What lay at ``location``, in preferences, was deleted with the value that was made of it. A power loss may bring it back, and it is nobody's
        /// value then, unlike what was ``admitted`` since. Lasts until a later process has seen that it did not come back.
        case cleared
    }

    static let formatVersion: Int64 = 1

    var version = MigrationMark.formatVersion
    /// ``RecordIdentity/exact``. Earlier versions of LocalData wrote ``RecordIdentity/original``, which does not tell two custom directories apart.
    let location: String
    let state: State
    /// Of ``State/moved``: where to, as an identity.
    var destination: String?
    /// Of ``State/moved``: where else to, by migrations before that one.
    var others: [String]?
    /// Of ``State/removed``: the places that the value is not to come back from. Earlier versions of LocalData did not say: then from none.
    var sources: [String]?
    /// Of ``State/moved``: the version of the app that did it.
    var appVersion: String?
    /// Of ``State/moved`` and ``State/cleared``: the ``ExtensionEdit/identifier`` that lay with the value. Another one was set since.
    var edit: String?
    /// Of ``State/schema``: which.
    var schema: Int64?
    /// Of ``State/seen`` and ``State/cleared``: by whom, a random text for each process.
    var process: String?
    /// Of ``State/seen`` and ``State/cleared``: when, in seconds since the device was switched on; `nil` where that is not known.
    var uptime: Int64?
    /// Of ``State/seen``: which value, as ``SyncRevision/digest(of:)`` of its stored form in hexadecimal digits. Earlier versions of LocalData did not say.
    var revision: String?
    /// Of ``State/seen``: likewise, of what was about to take its place. Either lies there after a crash.
    var next: String?
    /// Of ``State/cleared``: what was stored there since, the latest first, each as ``revision``. What else lies there came back.
    var admitted: [String]?

    /// How many destinations are remembered besides the last one.
    private static let otherLimit = 8
    /// How many values are remembered that were stored within the seconds in which a power loss may take any of them.
    private static let admittedLimit = 16

    /// Of ``State/moved``: every place that has what lay there.
    var destinations: [String] { (destination.map { [$0] } ?? []) + (others ?? []) }

    /// Takes over where an earlier mark of the place leads.
    mutating func adopt(_ earlier: MigrationMark) {
        let found = earlier.destinations.filter { $0 != destination }.prefix(Self.otherLimit)
        others = found.isEmpty ? nil : Array(found)
    }

    /// Whether it speaks of the value of that revision.
    func knows(_ found: String) -> Bool { found == revision || found == next }

    /// Notes what is about to be stored where something was cleared.
    mutating func admit(_ revision: String) {
        admitted = [revision] + (admitted ?? []).filter { $0 != revision }.prefix(Self.admittedLimit - 1)
    }

    func admits(_ found: String) -> Bool { admitted?.contains(found) ?? false }

    init(_ state: State, location: RecordIdentity, destination: RecordIdentity? = nil, appVersion: String? = nil) {
        self.location = location.exact
        self.state = state
        self.destination = destination?.exact
        self.appVersion = appVersion
    }

    static func folder(of state: State) -> String {
        switch state {
        case .removed: "Migration"
        case .moved: "Migration/Moved"
        case .completing: "Migration/Completing"
        case .schema: "Migration/Schema"
        case .seen: "Migration/Seen"
        case .cleared: "Migration/Cleared"
        }
    }

    /// Where the mark is written.
    static func file(_ state: State, of location: RecordIdentity) -> String {
        "\(folder(of: state))/\(DigestedNames.file(of: location.exact))"
    }

    /// Where a mark may lie: where it is written, and where an earlier version of LocalData wrote it. That one is about every custom directory that has a
    /// value of the name.
    static func files(_ state: State, of location: RecordIdentity) -> [String] {
        fileNames(of: location).map { "\(folder(of: state))/\($0)" }
    }

    static func fileNames(of location: RecordIdentity) -> [String] { named(by: location).map(DigestedNames.file) }

    /// What the files are named by, in their order.
    static func named(by location: RecordIdentity) -> [String] {
        let exact = location.allExact
        return exact.contains(location.original) ? exact : exact + [location.original]
    }
}

/// Lets what reads a mark and writes it anew happen one after the other, for each mark: who stores a value notes what it replaces without the turn of that place.
///
/// A few locks for all marks: of two that share one, one waits for the other's write.
/// - Note: `@unchecked Sendable`: the list is only touched under its own lock.
final class MarkLocks: @unchecked Sendable {
    private static let count: UInt = 16
    private let lock = NSLock()
    /// Made when they are needed for the first time: most processes write no such mark.
    private var locks: [NSLock] = []

    func exclusively<Result>(_ name: String, _ body: () throws -> Result) rethrows -> Result {
        let place = Int(name.utf8.reduce(UInt(0)) { $0 &* 31 &+ UInt($1) } % Self.count)
        let own = lock.withLock {
            if locks.isEmpty { locks = (0..<Self.count).map { _ in NSLock() } }
            return locks[place]
        }
        return try own.withLock(body)
    }
}

/// Which marks there are, by the names of their files: each folder is listed once in a process, so that a key without a mark costs nothing.
///
/// Good for marks that only another version of the app can have left, since no two versions run at once.
/// - Note: `@unchecked Sendable`: the state is only touched under the lock.
final class MarkNames: @unchecked Sendable {
    private let lock = NSLock()
    /// Lists: there are few kinds, and the names of enumerations are dear to hash. What is not among the names of a durable one stays away.
    private var durableLists: [(state: MigrationMark.State, names: Set<String>)] = []
    /// What somebody found who only looks.
    private var seenLists: [(state: MigrationMark.State, names: Set<String>)] = []

    /// What this process wrote: a list that was made meanwhile may lack it.
    private var noted: Set<String> = []

    /// The names of one kind, where a durable list was made already.
    func durable(_ state: MigrationMark.State) -> Set<String>? {
        lock.withLock { durableLists.first { $0.state == state }?.names }
    }

    /// The names of one kind, from `list` at the first time, which makes durable what it finds.
    func durable(_ state: MigrationMark.State, list: () throws -> [String]) rethrows -> Set<String> {
        let listed = Set(try list())
        return lock.withLock {
            if let known = durableLists.first(where: { $0.state == state })?.names { return known }
            durableLists.append((state, listed.union(noted)))
            seenLists.removeAll { $0.state == state }
            return listed.union(noted)
        }
    }

    /// The names of one kind, from `list` at the first time, for somebody who only looks.
    func seen(_ state: MigrationMark.State, list: () throws -> [String]) rethrows -> Set<String> {
        if let known = lock.withLock({ seenLists.first { $0.state == state }?.names }) { return known }
        let listed = Set(try list())
        return lock.withLock {
            seenLists.append((state, listed.union(noted)))
            return listed.union(noted)
        }
    }

    /// Forgets what is known of one kind: it is listed anew.
    func reread(_ state: MigrationMark.State) {
        lock.withLock {
            durableLists.removeAll { $0.state == state }
            seenLists.removeAll { $0.state == state }
        }
    }

    /// Notes a mark that this process wrote.
    func note(_ state: MigrationMark.State, _ name: String) {
        lock.withLock {
            noted.insert(name)
            if let index = durableLists.firstIndex(where: { $0.state == state }) { durableLists[index].names.insert(name) }
            if let index = seenLists.firstIndex(where: { $0.state == state }) { seenLists[index].names.insert(name) }
        }
    }
}

extension MigrationError {
    /// Whether storage was out of order for a moment, so that it may succeed when it is tried again. What waits for an unlock or a person is deferred:
    /// that a sweep had to put it off is noted there, and whoever reads the key tries again.
    var mayPass: Bool {
        switch self {
        case .verificationFailed: true
        case .deferred(let error), .storage(let error): error.code.mayPass && !error.code.isTemporary
        case .transformFailed, .conflictingSources: false
        }
    }
}
