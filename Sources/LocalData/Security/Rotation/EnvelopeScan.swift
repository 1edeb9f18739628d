import Foundation

/// Looks for envelopes in everything that the app can list: which key seals something, and where that cannot be told.
///
/// Listed are the app's containers and those of the App Groups that its keys name, with all folders in them; the app's keychain items; its own
/// preferences and the suites that its keys name. What it cannot list, it cannot find: suites and directories outside the containers that no
/// registered key, and no source of a migration, names any more.
struct EnvelopeScan: Sendable {
    private(set) var needs: [KeyUse.Key: Set<KeyNeed>] = [:]
    /// What might need any key.
    private(set) var obstacles: Set<KeyNeed> = []
    /// Whether there is an envelope in preferences at a place that no key of the process names: what it took the place of may come back with a power loss.
    private(set) var hasOthersInPreferences = false
    /// The directories that were looked into: their paths, each with what to call it.
    private var directories: [(path: String, place: String)] = []

    /// Deeper folders are not looked into, and counted as unreadable: links may form a circle.
    static let maximumDepth = 24

    /// What needs one key, sorted.
    func needs(of key: KeyUse.Key) -> [KeyNeed] { (needs[key] ?? []).union(obstacles).sorted() }

    mutating func note(_ need: KeyNeed, of header: EnvelopeHeader) {
        let key: KeyUse.Key =
            switch header.keySource {
            case .master(let id): .master(id)
            case .external(let id): .external(id)
            }
        needs[key, default: []].insert(need)
    }

    mutating func note(_ obstacle: KeyNeed) { obstacles.insert(obstacle) }

    /// Takes in bytes that were found at a place. Damaged envelopes need no key: none opens them.
    mutating func look(at bytes: Data, place: String, need: KeyNeed) {
        guard Envelope.isClaimed(by: bytes) else { return }
        do {
            note(need, of: try EnvelopePrefix(parsing: bytes).header)
        } catch {
            let problem = error.storageError.code
            if [.unsupportedFormat, .superseded].contains(problem) { note(.unreadable(place: place, problem)) }
        }
    }
}

// MARK: Places

extension EnvelopeScan {
    /// All files below a directory but those at `known` paths, which were looked at by their keys.
    mutating func look(below path: String, called place: String, in environment: StorageEnvironment, besides known: Set<String>) {
        look(below: path, called: place, in: environment, besides: known, depth: 0)
    }

    private mutating func look(
        below path: String, called place: String, in environment: StorageEnvironment, besides known: Set<String>, depth: Int
    ) {
        let system = environment.fileSystem
        guard depth < Self.maximumDepth else { return note(.unreadable(place: place, .inputOutput)) }
        do {
            let names = try system.list(path)
            directories.append((path, place))
            // Files under construction have no value's name yet.
            for name in names where !TemporaryFile.isName(name) {
                let (child, called) = ("\(path)/\(name)", "\(place)/\(name)")
                guard !known.contains(StorageLocation.systemless(child)) else { continue }
                do {
                    guard let attributes = try system.attributes(of: child) else { continue }
                    // What a link leads to lies elsewhere.
                    if attributes.isLink { continue }
                    if attributes.isDirectory {
                        look(below: child, called: called, in: environment, besides: known, depth: depth + 1)
                    } else if attributes.size > 0 {
                        let front = try system.contents(of: child, upTo: EnvelopeFormat.maximumHeaderLength)
                        look(at: front, place: called, need: .unknownValue(place: called))
                    }
                } catch {
                    note(error, at: called, in: environment)
                }
            }
        } catch {
            note(error, at: place, in: environment)
        }
    }

    /// Makes durable what was seen in files. A file that was sealed anew or removed may be as it was after a power loss, where its directory could not be
    /// synchronized, and then needs the key that it needed.
    /// - Returns: What could not be made durable, and so may need any key. Sorted.
    func settle(in environment: StorageEnvironment) -> [KeyNeed] {
        var doubtful: Set<KeyNeed> = []
        for (path, place) in directories {
            do {
                try environment.fileSystem.synchronizeDirectory(at: path)
            } catch let error as FileSystemError where error.errno == ENOENT || error.errno == EROFS {
                // Gone with all that was in it, or never changed.
            } catch {
                doubtful.insert(need(of: error, at: place, in: environment))
            }
        }
        return doubtful.sorted()
    }

    /// All keychain items of the app but `known` ones. LocalData puts no envelope under access control: not when it seals one, and what its key does not
    /// declare it leaves as it is. So what is bound to a person needs no key.
    mutating func lookIntoKeychain(of environment: StorageEnvironment, besides known: Set<String>) {
        let listing = KeychainQuery(returnsData: false, matchesAll: true, allowsInteraction: false)
        let (status, items) = environment.keychain.copyMatching(listing)
        guard status == .success else {
            if status != .itemNotFound { note(.unreadable(place: "keychain", code(of: status, in: environment))) }
            return
        }
        for item in items where !MasterKeyRing.isService(item.service) {
            let place = "keychain/\(StorageLocation.escaped(item.service))/\(StorageLocation.escaped(item.account))"
            guard !known.contains(place) else { continue }
            let query = KeychainQuery(
                service: item.service, account: item.account, accessGroup: item.accessGroup, isSynchronizable: item.isSynchronizable,
                allowsInteraction: false)
            var (status, found) = environment.keychain.copyMatching(query)
            // A read may fail once.
            if status == .interactionNotAllowed || status == .authFailed { (status, found) = environment.keychain.copyMatching(query) }
            switch status {
            case .success: for item in found { look(at: item.data, place: place, need: .unknownValue(place: place)) }
            case .itemNotFound: break
            // On an unlocked device only an item under access control wants a person. One that LocalData noted to have none does not.
            case .interactionNotAllowed where environment.device.lockState == .unlocked && !isNotedUnbound(item): break
            // So does one that was bound to a person who is another one now.
            case .authFailed where !isNotedUnbound(item): break
            default: note(.unreadable(place: place, code(of: status, in: environment)))
            }
        }
    }

    private func isNotedUnbound(_ item: KeychainItem) -> Bool {
        let note = KeychainItemMetadata(stored: item.generic ?? Data())
        return note.isMarked && note.accessControl == nil
    }

    /// All entries of a suite but `known` ones.
    mutating func look(into suite: DefaultsSuite, of environment: StorageEnvironment, besides known: Set<String>) {
        let place =
            switch suite {
            case .standard: "defaults/standard"
            case .named(let name), .appGroup(let name): "defaults/suite/\(StorageLocation.escaped(name))"
            }
        guard environment.defaults.isReadable(suite) else { return note(.unreadable(place: place, .lockedBeforeFirstUnlock)) }
        do {
            for key in try environment.defaults.keys(in: suite) {
                let called = "\(place)/\(StorageLocation.escaped(key))"
                guard !known.contains(called), case .data(let bytes)? = try environment.defaults.value(forKey: key, in: suite) else {
                    continue
                }
                if Envelope.isClaimed(by: bytes) { hasOthersInPreferences = true }
                look(at: bytes, place: called, need: .unknownValue(place: called))
            }
        } catch {
            note(error, at: place, in: environment)
        }
    }

    private mutating func note(_ error: any Error, at place: String, in environment: StorageEnvironment) {
        // Gone since it was listed, or never made.
        if let error = error as? FileSystemError, error.errno == ENOENT { return }
        note(need(of: error, at: place, in: environment))
    }

    private func need(of error: any Error, at place: String, in environment: StorageEnvironment) -> KeyNeed {
        guard let error = error as? FileSystemError else { return .unreadable(place: place, SyncLedger.storageError(error).code) }
        return .unreadable(place: place, error.storageError(lockState: environment.device.lockState).code)
    }

    private func code(of status: KeychainStatus, in environment: StorageEnvironment) -> StorageError.Code {
        status.storageError(lockState: environment.device.lockState, stores: false)
    }
}
