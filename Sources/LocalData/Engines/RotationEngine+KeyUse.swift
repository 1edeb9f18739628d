import Foundation

/// Which keys are there, and what needs them.
extension RotationEngine {
    /// Every place that can be told to hold an envelope, or not. Of registered values each in its turn, so that none is on its way.
    func scanEnvelopes(
        of keys: [any StorageKey], whileOthersAreQuiet: Bool
    ) async throws -> EnvelopeScan {
        var scan = EnvelopeScan()
        var paths: Set<String> = []
        var places: Set<String> = []
        for key in keys {
            let location = try stored.location(of: key)
            places.insert(location.resolved(in: environment))
            do {
                if case .file = key.place {
                    let place = try files.place(of: key)
                    paths.insert(StorageLocation.systemless(realPath(of: place.directory) + "/" + place.name))
                }
                let header = try await turns.run(at: location) { try self.stored.envelopeHeader(of: key) }
                if let header { scan.note(.value(key: key.name, domain: key.domain.kind), of: header) }
            } catch let error as CancellationError {
                throw error
            } catch {
                let problem = SyncLedger.storageError(error)
                // What is bound to a person was never sealed.
                if problem.code != .corrupt, !stored.isNotedBound(key) { scan.note(.unreadable(place: location.identity, problem.code)) }
            }
        }
        let noted = notedPlaces(&scan)
        let domains = self.domains()
        // In a group that the app has left nobody seals for it.
        if !whileOthersAreQuiet { for group in sharedContainers(of: domains) { scan.note(.sharedContainer(group)) } }
        for (path, place) in directories(of: domains, besides: noted) {
            try Task.checkCancellation()
            scan.look(below: path, called: place, in: environment, besides: paths)
        }
        scan.lookIntoKeychain(of: environment, besides: places)
        for suite in suites(of: domains, besides: noted) { scan.look(into: suite, of: environment, besides: places) }
        return scan
    }

    /// Where values were ever kept: an earlier version of the app may have left there what no key of this one leads to, and a later one may read it.
    private func notedPlaces(_ scan: inout EnvelopeScan) -> [AuditPlace] {
        let list = "LocalData/\(PlaceRecord.file)"
        do {
            let noted = try places.list()
            // What the list once said is gone with what was damaged.
            if noted.lacksSome { scan.note(.unreadable(place: list, .corrupt)) }
            return noted.places
        } catch {
            scan.note(.unreadable(place: list, SyncLedger.storageError(error).code))
            return []
        }
    }

    /// Every master key, and every external source that something needs or declares, with what needs it.
    func keyUses(of keys: [any StorageKey], found scan: EnvelopeScan) throws -> [KeyUse] {
        let rings = encryption.rings(of: keys)
        let sealing = Set(try rings.flatMap { try $0.sealing() })
        let declared = Set(
            keys.compactMap { key in if case .encrypted(.external(let source, _)) = key.security { source.id } else { nil } })
        let all = Set(try rings.flatMap { try $0.keyIDs() }.map { KeyUse.Key.master($0) })
            .union(declared.map { KeyUse.Key.external($0) }).union(scan.needs.keys)
        let old = Set(try oldKeys())
        let oldOfGroups = try oldKeysOfGroups(keys)
        let mayBeInPreferences = mayHaveSealedPreferences(keys, found: scan)
        return try all.sorted().map { key in
            var needs = scan.needs(of: key)
            if needs.isEmpty, case .master(let id) = key, old.contains(id),
                try !unneededKeys.isSettled(id, mayBeInPreferences: mayBeInPreferences, suites: suites(of: keys))
            {
                needs = [.unsettledPreferences]
            }
            if case .master(let id) = key, !old.contains(id), let kept = oldOfGroups.first(where: { $0.id == id }) {
                needs = (needs + kept.use.needs).sorted()
            }
            let isCurrent =
                switch key {
                case .master(let id): sealing.contains(id)
                case .external(let id): declared.contains(id)
                }
            return KeyUse(key: key, isCurrent: isCurrent, needs: needs)
        }
    }

    // MARK: Where envelopes can be

    /// The registered keys of every device and security, and the sources of their migrations: whose places may hold something.
    private func knownKeys() -> [any StorageKey] {
        var known: [any StorageKey] = []
        var due = catalogs.keys.map(\.base)
        var visited: [StorageDomain: Set<String>] = [:]
        while let key = due.popLast() {
            guard visited[key.domain, default: []].insert(key.name).inserted else { continue }
            known.append(key)
            due += key.migration?.base.sourceKeys.map(\.base) ?? []
        }
        return known
    }

    /// In the order in which they are named first.
    private func domains() -> [StorageDomain] {
        var seen: Set<StorageDomain> = []
        return (knownKeys().map(\.domain) + catalogs.descriptors.map(\.domain)).filter { seen.insert($0).inserted }
    }

    /// What other processes may store in, sorted: App Groups, also where a suite of preferences is named like one, or a folder is given by its path in the
    /// container of one. That says whose it is by another name on devices.
    private func sharedContainers(of domains: [StorageDomain]) -> [String] {
        Set(domains.compactMap { $0.sharedGroup ?? $0.directory?.groupOfPath }).sorted()
    }

    /// The App Groups whose containers or preferences the keys name, or keys of earlier versions of the app named, sorted.
    private func groups(of domains: [StorageDomain], besides noted: [AuditPlace]) -> [String] {
        let identifiers = (domains.map(AuditPlace.init) + noted).compactMap { place in
            switch place {
            case .suite(.appGroup(let group)), .directory(_, .some(let group)): group
            case .suite, .directory, .service: nil
            }
        }
        return Set(identifiers).sorted()
    }

    /// The preferences where envelopes may have been: those that the keys name, and of keys that are not registered now those that can be read. Where others cannot,
    /// or the list of places cannot, the scan says so, and nothing is retired.
    func suites(of keys: [any StorageKey]) -> [DefaultsSuite] {
        let named = Set(keys.compactMap(\.domain.defaultsSuite))
        let others = suites(of: domains(), besides: (try? places.places()) ?? []).filter { !named.contains($0) && isReadable($0) }
        return named.sorted(by: DefaultsSuite.isBefore) + others
    }

    private func isReadable(_ suite: DefaultsSuite) -> Bool {
        guard environment.defaults.isReadable(suite) else { return false }
        do {
            _ = try environment.defaults.value(forKey: UnneededKeys.mark, in: suite)
            return true
        } catch let error as StorageError where error.code == .unsupported {
            return false
        } catch {
            // Who needs it is told why it cannot be read.
            return true
        }
    }

    private func suites(of domains: [StorageDomain], besides noted: [AuditPlace]) -> [DefaultsSuite] {
        // The suite of the app's own name is the standard one.
        let standard: Set<DefaultsSuite> = [.standard, .named(environment.device.bundleIdentifier)]
        let earlier = noted.compactMap { if case .suite(let suite) = $0 { suite } else { nil } }
        let named = Set(domains.compactMap(\.defaultsSuite) + earlier).subtracting(standard)
        return [.standard] + named.sorted(by: DefaultsSuite.isBefore)
    }

    /// Without links; as it is where that cannot be told.
    private func realPath(of directory: String) -> String {
        (try? environment.fileSystem.canonicalDirectory(at: directory).path) ?? directory
    }

    /// Paths without links, each with what to call it. No directory within another: containers may nest, and keys name folders of containers. One that a link in a
    /// container leads to does not lie within it.
    private func directories(of domains: [StorageDomain], besides noted: [AuditPlace]) -> [(path: String, place: String)] {
        let groups = groups(of: domains, besides: noted)
        let containers: [(ContainerDirectory, String)] =
            [
                (.documents, "file/documents"), (.caches, "file/caches"), (.applicationSupport, "file/support"),
                (.temporary, "file/temporary"),
            ] + groups.map { (.appGroup($0), "group/\(StorageLocation.escaped($0))") }
        var found = containers.compactMap { container, place in
            (try? environment.fileSystem.path(of: container)).map { (path: realPath(of: $0), place: place) }
        }
        let earlier = noted.compactMap { if case .directory(let directory, _) = $0 { directory.customPath } else { nil } }
        let custom = Set(domains.compactMap { $0.directory?.customPath } + earlier).sorted()
        found += custom.map { (path: realPath(of: $0), place: "file/outside/\($0.split(separator: "/").last ?? "")") }
        var chosen: [(path: String, place: String)] = []
        var seen: Set<String> = []
        let paths = found.map { StorageLocation.systemless($0.path) }
        for (candidate, path) in zip(found, paths) {
            let isInside = paths.contains { path != $0 && path.hasPrefix($0 + "/") }
            if !isInside, seen.insert(path).inserted { chosen.append(candidate) }
        }
        return chosen
    }
}

extension FileDirectory {
    /// What the container of an App Group is called that a folder given by its path lies in (`…/Shared/AppGroup/NAME/…`); `nil` where it lies in none.
    fileprivate var groupOfPath: String? {
        guard let names = customPath?.split(separator: "/"), let place = names.firstIndex(of: "AppGroup"), place + 1 < names.endIndex else {
            return nil
        }
        return String(names[place + 1])
    }
}
