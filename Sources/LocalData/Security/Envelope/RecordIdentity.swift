/// Whose value a record of LocalData's own is about: what an envelope authenticates beside its own bytes, so that it opens nowhere else, and what a migration
/// mark says.
///
/// Names no absolute path: those change on reinstall and restore.
struct RecordIdentity: Sendable, Hashable {
    /// ``StorageLocation/identity``, which says of a custom directory only that it is one.
    let original: String
    /// The identity with the custom directory named from the container that it lies in; `nil` for values that are in none.
    let located: String?
    /// The identity that the place has as the app's own service or suite, where it is given by its name, and as the directory that it is, where it is given by its
    /// path; `nil` for other places.
    let own: String?

    init(original: String, located: String? = nil, own: String? = nil) {
        self.original = original
        self.located = located
        self.own = own
    }

    /// What tells the value from all others, by whichever name its place is given.
    var exact: String { own ?? located ?? original }

    /// What says so in a mark: ``exact``, and what earlier versions of LocalData took for that.
    var allExact: [String] {
        guard let own, let located else { return [exact] }
        return [own, located]
    }

    /// Whether a list of places in a mark has this one.
    func isAmong(_ identities: [String]) -> Bool { allExact.contains(where: identities.contains) }

    /// What new envelopes of the record are sealed as.
    var version: EnvelopeFormat.Version { located == nil ? .original : .located }

    /// What an envelope of `version` was sealed as. An envelope that names a directory, found where there is none, gets a text that no
    /// such envelope authenticates.
    func text(for version: EnvelopeFormat.Version) -> String {
        switch version {
        case .original: original
        case .located: located ?? original
        }
    }
}

extension StorageLocation {
    /// The identity of the value that lies here, in this environment.
    ///
    /// A custom directory is named by its path within the container that it lies in, such as `file/custom/documents/drafts/letter`; one
    /// outside of all of them by its own name alone.
    /// - Throws: ``StorageError`` where the containers cannot be told: a wrong identity would seal what nothing opens.
    func recordIdentity(in environment: StorageEnvironment) throws -> RecordIdentity {
        // Only the path of a custom directory makes the two differ.
        let length = physical.utf8.count - identity.utf8.count
        guard length > 0 else { return RecordIdentity(original: identity, own: ownIdentity(in: environment)) }
        let containers: [(name: String, directory: ContainerDirectory)] =
            if let group = identity.suffix(after: "group/")?.prefix(while: { $0 != "/" }) {
                [("group", .appGroup(Self.unescaped(group)))]
            } else {
                [("documents", .documents), ("caches", .caches), ("support", .applicationSupport), ("temporary", .temporary)]
            }
        // By bytes: a name may begin with a character that would join the slash.
        let slash = identity.utf8.lastIndex(of: UInt8(ascii: "/")) ?? identity.startIndex
        let (place, name) = (identity[..<slash], identity[slash...])
        let directory = Self.systemless(String(decoding: physical.utf8.dropFirst(place.utf8.count).prefix(length), as: UTF8.self))
        for container in containers {
            let root = Self.systemless(try Self.path(of: container.directory, in: environment))
            guard directory.utf8.starts(with: root.utf8) else { continue }
            let rest = Substring(directory.utf8.dropFirst(root.utf8.count))
            guard rest.isEmpty || rest.utf8.first == UInt8(ascii: "/") else { continue }
            let located = "\(place)/\(container.name)\(rest)\(name)"
            let own = Self.directoryKind(container.name, rest).map {
                "\(place.prefix(upTo: place.utf8.lastIndex(of: UInt8(ascii: "/")) ?? place.startIndex))/\($0)\(name)"
            }
            return RecordIdentity(original: identity, located: located, own: own)
        }
        let own = directory.split(separator: "/").last ?? ""
        return RecordIdentity(original: identity, located: "\(place)/outside/\(own)\(name)")
    }

    /// The ``FileDirectory/kind`` of a directory of a container, by its path in it.
    private static func directoryKind(_ container: String, _ rest: Substring) -> String? {
        switch (container, rest) {
        case ("documents", ""), ("group", "/Documents"): FileDirectory.documents.kind
        case ("caches", ""), ("group", "/Library/Caches"): FileDirectory.caches.kind
        default: nil
        }
    }

    /// Envelopes go on to be sealed as what the key says; marks are about the place.
    private func ownIdentity(in environment: StorageEnvironment) -> String? {
        for (named, own) in [("defaults/suite/", "defaults/standard/"), ("keychain/", "keychain//")] {
            guard let rest = identity.suffix(after: named) else { continue }
            return String(rest).suffix(after: Self.escaped(environment.device.bundleIdentifier) + "/").map { own + $0 }
        }
        return nil
    }

    private static func path(of container: ContainerDirectory, in environment: StorageEnvironment) throws -> String {
        do {
            return try environment.fileSystem.path(of: container)
        } catch let error as FileSystemError {
            throw error.storageError(lockState: environment.device.lockState)
        }
    }

    /// Apple's systems know `/var` by the name `/private/var` as well, and apps get either from them.
    static func systemless(_ path: String) -> String {
        path.hasPrefix("/private/var/") ? String(path.dropFirst("/private".count)) : path
    }
}
