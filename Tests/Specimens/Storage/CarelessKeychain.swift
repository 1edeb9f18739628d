import Foundation
import LocalData

/// A keychain as many wrappers have one.
package final class CarelessKeychain: KeychainStore, @unchecked Sendable {
    package enum Flaw: Sendable {
        /// An item is replaced by deleting it and adding another.
        case deleteThenAdd
        /// What cannot be read at a launch, because the device is not unlocked yet, counts as absent; a moment later it is unlocked. LocalData bears
        /// that in runs; the crash suite sees the key that is minted needlessly.
        case lockedIsAbsent
        /// A keychain that cannot be read, as before the first unlock, counts as broken: it is cleared, and begun anew.
        case clearsWhatItCannotRead
        /// What is noted beside a secret is left out: the wrapper knows service, account and data only.
        case dropsAttributes
        /// Access groups are left out of what is asked: each process's items, master keys among them, are its own.
        case leavesOutAccessGroups
        /// An item that is there keeps the protection that it was stored with.
        case keepsProtection
        /// Whatever lies in the attribute beside a secret is taken for LocalData's note of its version.
        case believesAttributes
    }

    /// What LocalData calls the item that names the key for new values.
    private static let primaryAccount = "primary"

    private let base: any KeychainStore
    private let flaw: Flaw
    /// How many looks for the key that seals still come too early. Of one process, which runs on one thread.
    private var earlyReads = 3

    package init(_ base: any KeychainStore, _ flaw: Flaw) {
        self.base = base
        self.flaw = flaw
    }

    package var ownAccessGroup: String? { base.ownAccessGroup }

    package func add(_ item: KeychainItem) -> KeychainStatus {
        var item = item
        switch flaw {
        case .dropsAttributes: item.generic = nil
        case .leavesOutAccessGroups: item.accessGroup = nil
        case .deleteThenAdd, .lockedIsAbsent, .clearsWhatItCannotRead, .keepsProtection, .believesAttributes: break
        }
        return base.add(item)
    }

    package func copyMatching(_ query: KeychainQuery) -> (status: KeychainStatus, items: [KeychainItem]) {
        switch flaw {
        case .deleteThenAdd, .dropsAttributes, .keepsProtection: break
        case .believesAttributes:
            let found = base.copyMatching(query)
            return (found.status, found.items.map(Self.believing))
        case .leavesOutAccessGroups:
            var query = query
            query.accessGroup = nil
            return base.copyMatching(query)
        case .lockedIsAbsent where earlyReads > 0 && (query.account == Self.primaryAccount || query.matchesAll):
            earlyReads -= 1
            return (.itemNotFound, [])
        case .lockedIsAbsent: break
        case .clearsWhatItCannotRead:
            let found = base.copyMatching(query)
            guard found.status != .success, found.status != .itemNotFound else { return found }
            _ = base.delete(KeychainQuery(matchesAll: true))
            return (.itemNotFound, [])
        }
        return base.copyMatching(query)
    }

    package func update(_ query: KeychainQuery, to change: KeychainChange) -> KeychainStatus {
        if case .keepsProtection = flaw {
            var change = change
            (change.accessibility, change.accessControl, change.removesAccessControl) = (nil, nil, false)
            return base.update(query, to: change)
        }
        if case .dropsAttributes = flaw {
            var bare = change
            bare.generic = nil
            return base.update(query, to: bare)
        }
        if case .leavesOutAccessGroups = flaw {
            var (query, change) = (query, change)
            query.accessGroup = nil
            change.accessGroup = nil
            return base.update(query, to: change)
        }
        guard case .deleteThenAdd = flaw else { return base.update(query, to: change) }
        let (status, items) = base.copyMatching(query)
        guard status == .success, var item = items.first else { return status }
        _ = base.delete(query)
        item.data = change.data ?? item.data
        item.generic = change.generic ?? item.generic
        return base.add(item)
    }

    /// A note of LocalData's begins so; its first field is the tag, of 16 bytes and the 8 of a counter.
    private static let note: [UInt8] = [0x89, 0x4C, 0x44, 0x4E, 1, 1, 24]

    private static func believing(_ item: KeychainItem) -> KeychainItem {
        guard let generic = item.generic, !generic.isEmpty, !generic.starts(with: note.prefix(4)) else { return item }
        var item = item
        let tag = [UInt8](generic.prefix(16)) + [UInt8](repeating: 0, count: max(0, 16 - generic.count))
        item.generic = Data(note + tag + [0, 0, 0, 1, 0, 0, 0, UInt8(truncatingIfNeeded: generic.count)])
        return item
    }

    package func delete(_ query: KeychainQuery) -> KeychainStatus { base.delete(query) }
}
