import DeviceSim
import Foundation
import LocalData
import Testing

/// The laws of a keychain on an unlocked device.
@Suite struct KeychainConformanceTests {
    private let item = KeychainItem(service: "service", account: "account", data: Data("secret".utf8))
    private let query = KeychainQuery(service: "service", account: "account")

    @Test(arguments: StorageBackend.allCases) func whatIsAddedIsFound(_ backend: StorageBackend) throws {
        let keychain = try ConformanceFixture(backend).hold(\.keychain)
        let full = KeychainItem(
            service: "s", account: "a", accessGroup: "group", data: Data([0, 1]), generic: Data("g".utf8),
            accessibility: .afterFirstUnlockThisDeviceOnly)
        #expect(keychain.store.add(full) == .success)
        let (status, items) = keychain.store.copyMatching(KeychainQuery(service: "s", account: "a"))
        #expect(status == .success)
        #expect(items == [full])
    }

    @Test(arguments: StorageBackend.allCases) func anItemIsThereOnce(_ backend: StorageBackend) throws {
        let keychain = try ConformanceFixture(backend).hold(\.keychain)
        #expect(keychain.store.add(item) == .success)
        var other = item
        other.data = Data("other".utf8)
        other.accessibility = .afterFirstUnlock
        #expect(keychain.store.add(other) == .duplicateItem, "accessibility is not part of the primary key")
        #expect(keychain.store.matches(query) == [item])
    }

    @Test(arguments: StorageBackend.allCases) func thePrimaryKeyHasFourParts(_ backend: StorageBackend) throws {
        let keychain = try ConformanceFixture(backend).hold(\.keychain)
        var others: [KeychainItem] = [item]
        others.append(KeychainItem(service: "service2", account: "account", data: Data([1])))
        others.append(KeychainItem(service: "service", account: "account2", data: Data([2])))
        others.append(KeychainItem(service: "service", account: "account", accessGroup: "group", data: Data([3])))
        others.append(KeychainItem(service: "service", account: "account", isSynchronizable: true, data: Data([4])))
        for other in others { #expect(keychain.store.add(other) == .success) }
        for other in others { #expect(keychain.store.add(other) == .duplicateItem) }
        let synchronizable = KeychainQuery(service: "service", account: "account", isSynchronizable: true)
        #expect(keychain.store.matches(synchronizable) == [others[4]])
        let grouped = KeychainQuery(service: "service", account: "account", accessGroup: "group")
        #expect(keychain.store.matches(grouped) == [others[3]])
    }

    @Test(arguments: StorageBackend.allCases) func whatIsMissingIsNotFound(_ backend: StorageBackend) throws {
        let keychain = try ConformanceFixture(backend).hold(\.keychain)
        #expect(keychain.store.copyMatching(query).status == .itemNotFound)
        #expect(keychain.store.update(query, to: KeychainChange(data: Data([1]))) == .itemNotFound)
        #expect(keychain.store.delete(query) == .itemNotFound)
    }

    @Test(arguments: StorageBackend.allCases) func updatingChangesWhatItNames(_ backend: StorageBackend) throws {
        let keychain = try ConformanceFixture(backend).hold(\.keychain)
        #expect(keychain.store.add(item) == .success)
        #expect(keychain.store.update(query, to: KeychainChange(data: Data("new".utf8), accessibility: .always)) == .success)
        var expected = item
        expected.data = Data("new".utf8)
        expected.accessibility = .always
        #expect(keychain.store.matches(query) == [expected])
        #expect(keychain.store.update(query, to: KeychainChange(generic: Data([9]))) == .success)
        expected.generic = Data([9])
        #expect(keychain.store.matches(query) == [expected])
    }

    @Test(arguments: StorageBackend.allCases) func anotherAccessibilityInTheQueryMatchesNothing(_ backend: StorageBackend) throws {
        let keychain = try ConformanceFixture(backend).hold(\.keychain)
        #expect(keychain.store.add(item) == .success)
        var other = query
        other.accessibility = .afterFirstUnlock
        #expect(keychain.store.copyMatching(other).status == .itemNotFound)
        #expect(keychain.store.update(other, to: KeychainChange(data: Data())) == .itemNotFound)
        #expect(keychain.store.delete(other) == .itemNotFound)
        #expect(keychain.store.matches(query) == [item])
    }

    @Test(arguments: StorageBackend.allCases) func allMatchesComeSortedOrTheFirstAlone(_ backend: StorageBackend) throws {
        let keychain = try ConformanceFixture(backend).hold(\.keychain)
        for (service, account) in [("b", "1"), ("a", "2"), ("a", "1"), ("c", "1")] {
            #expect(keychain.store.add(KeychainItem(service: service, account: account, data: Data("x".utf8))) == .success)
        }
        let all = keychain.store.copyMatching(KeychainQuery(returnsData: false, matchesAll: true))
        #expect(all.items.map { $0.service + $0.account } == ["a1", "a2", "b1", "c1"])
        #expect(all.items.map(\.data.count) == [0, 0, 0, 0], "data was not asked for")
        #expect(keychain.store.copyMatching(KeychainQuery()).items.map { $0.service + $0.account } == ["a1"])
    }

    @Test(arguments: StorageBackend.allCases) func deletingTakesAllMatches(_ backend: StorageBackend) throws {
        let keychain = try ConformanceFixture(backend).hold(\.keychain)
        for account in ["1", "2"] { #expect(keychain.store.add(KeychainItem(service: "a", account: account, data: Data())) == .success) }
        #expect(keychain.store.add(item) == .success)
        #expect(keychain.store.delete(KeychainQuery(service: "a")) == .success)
        #expect(keychain.store.matches(KeychainQuery(matchesAll: true)) == [item])
    }
}
