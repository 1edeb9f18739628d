import Foundation
import Testing

@testable import LocalData

@Suite struct FileKeychainStoreTests {
    let folder: TemporaryFolder
    let keychain: FileKeychainStore

    init() throws {
        folder = try TemporaryFolder()
        keychain = FileKeychainStore(file: folder("keychain.plist"))
    }

    private var other: FileKeychainStore { FileKeychainStore(file: folder("keychain.plist")) }

    private func item(_ account: String, _ data: String = "secret", service: String = "service") -> KeychainItem {
        KeychainItem(service: service, account: account, data: Data(data.utf8))
    }

    @Test func itemsComeBackWhole() {
        let full = KeychainItem(
            service: "service", account: "account", accessGroup: "group", isSynchronizable: true, data: Data([0, 1]), generic: Data([2]),
            accessibility: .whenPasscodeSetThisDeviceOnly, accessControl: .biometryCurrentSet)
        #expect(keychain.add(full) == .success)
        let (status, items) = other.copyMatching(KeychainQuery(service: "service", isSynchronizable: true))
        #expect(status == .success)
        #expect(items == [full])
    }

    @Test func thePrimaryKeyIsGroupSynchronizabilityAccountAndService() {
        var changed = item("a")
        #expect(keychain.add(changed) == .success)
        changed.data = Data("other".utf8)
        changed.accessibility = .always
        changed.generic = Data([1])
        #expect(keychain.add(changed) == .duplicateItem)
        changed.accessGroup = "group"
        #expect(keychain.add(changed) == .success)
        changed.isSynchronizable = true
        #expect(keychain.add(changed) == .success)
        changed.service = "service 2"
        #expect(keychain.add(changed) == .success)
        #expect(keychain.copyMatching(KeychainQuery(service: "service", account: "a")).items.first?.data == Data("secret".utf8))
    }

    @Test func matchesAreSortedAndLimited() {
        for account in ["b", "a", "c"] { _ = keychain.add(item(account)) }
        _ = keychain.add(item("z", service: "earlier"))
        let all = keychain.copyMatching(KeychainQuery(returnsData: false, matchesAll: true)).items
        #expect(all.map(\.account) == ["z", "a", "b", "c"])
        #expect(all.allSatisfy { $0.data.isEmpty })
        #expect(keychain.copyMatching(KeychainQuery(service: "service")).items.map(\.account) == ["a"])
        #expect(keychain.copyMatching(KeychainQuery(account: "b")).items.map(\.data) == [Data("secret".utf8)])
        #expect(keychain.copyMatching(KeychainQuery(account: "b", accessibility: .always)).status == .itemNotFound)
    }

    @Test func updatesChangeWhatTheyName() {
        _ = keychain.add(item("a"))
        #expect(
            keychain.update(KeychainQuery(account: "a"), to: KeychainChange(data: Data("new".utf8), accessibility: .always)) == .success)
        let found = other.copyMatching(KeychainQuery(account: "a")).items.first
        #expect(found?.data == Data("new".utf8) && found?.accessibility == .always && found?.service == "service")
        #expect(keychain.update(KeychainQuery(account: "b"), to: KeychainChange(data: Data())) == .itemNotFound)
    }

    @Test func deletesTakeAllThatMatch() {
        for account in ["a", "b"] { _ = keychain.add(item(account)) }
        _ = keychain.add(item("a", service: "kept"))
        #expect(keychain.delete(KeychainQuery(service: "service")) == .success)
        #expect(keychain.delete(KeychainQuery(service: "service")) == .itemNotFound)
        #expect(other.copyMatching(KeychainQuery(matchesAll: true)).items.map(\.service) == ["kept"])
    }

    @Test func readingCreatesNothing() {
        #expect(keychain.copyMatching(KeychainQuery()).status == .itemNotFound)
        #expect(folder.names == [])
    }

    @Test func theFileIsItsOwnersAlone() throws {
        let deep = FileKeychainStore(file: folder("new/folder/keychain.plist"))
        #expect(deep.add(item("a")) == .success)
        #expect(deep.update(KeychainQuery(account: "a"), to: KeychainChange(data: Data())) == .success)
        let manager = FileManager.default
        #expect(try manager.attributesOfItem(atPath: folder("new/folder/keychain.plist"))[.posixPermissions] as? Int == 0o600)
        #expect(try manager.attributesOfItem(atPath: folder("new/folder"))[.posixPermissions] as? Int == 0o700)
    }

    @Test func everyTruncationAnswersDecodeAndLosesNothing() throws {
        for account in ["a", "b"] { _ = keychain.add(item(account)) }
        let whole = try folder.read("keychain.plist")
        for length in 0..<whole.count {
            try folder.write(whole.prefix(length), to: "keychain.plist")
            #expect(other.copyMatching(KeychainQuery()).status == .decode, "\(length) bytes")
            #expect(other.add(item("c")) == .decode)
            #expect(other.update(KeychainQuery(account: "a"), to: KeychainChange(data: Data())) == .decode)
            #expect(other.delete(KeychainQuery(account: "a")) == .decode)
            #expect(try folder.read("keychain.plist") == whole.prefix(length))
        }
    }

    @Test(arguments: [
        PropertyListValue.array([]),
        .dictionary([:]),
        .dictionary(["version": .integer(2), "items": .array([])]),
        .dictionary(["version": .string("1"), "items": .array([])]),
        .dictionary(["version": .integer(1)]),
        .dictionary(["version": .integer(1), "items": .array([.string("item")])]),
        .dictionary(["version": .integer(1), "items": .array([.dictionary(["service": .string("a"), "account": .string("b")])])]),
    ])
    func foreignFilesAnswerDecode(_ value: PropertyListValue) throws {
        try folder.write(try value.encoded(), to: "keychain.plist")
        #expect(keychain.copyMatching(KeychainQuery()).status == .decode)
        #expect(keychain.add(item("a")) == .decode)
        #expect(try PropertyListValue(encoded: folder.read("keychain.plist")) == value)
    }

    @Test func aFolderInItsPlaceIsAnInputOutputError() throws {
        try FileManager.default.createDirectory(atPath: folder("keychain.plist"), withIntermediateDirectories: false)
        #expect(keychain.copyMatching(KeychainQuery()).status == .inputOutput)
        #expect(keychain.add(item("a")) == .inputOutput)
    }

    @Test func processesLoseNothingToEachOther() async {
        let keychains = [keychain, other]
        await withTaskGroup(of: Void.self) { group in
            for (process, keychain) in keychains.enumerated() {
                group.addTask {
                    for number in 0..<20 { _ = keychain.add(KeychainItem(service: "\(process)", account: "\(number)", data: Data())) }
                }
            }
        }
        #expect(keychain.copyMatching(KeychainQuery(matchesAll: true)).items.count == 40)
    }

    @Test func ofManyWhoAddOneItemOneSucceeds() async {
        let keychains = (0..<8).map { _ in other }
        let statuses = await withTaskGroup(of: KeychainStatus.self) { group in
            for keychain in keychains {
                group.addTask { keychain.add(KeychainItem(service: "s", account: "a", data: Data())) }
            }
            return await group.reduce(into: [KeychainStatus]()) { $0.append($1) }
        }
        #expect(statuses.filter { $0 == .success }.count == 1)
        #expect(statuses.filter { $0 == .duplicateItem }.count == 7)
    }

    /// The master keys of LocalData, over processes.
    @Test func aRingOfKeysLivesInIt() async throws {
        var environment = SecurityTestEnvironment().environment
        environment.keychain = keychain
        environment.entropy = SystemEntropy()
        let envelope = try await EncryptionHelper(environment: environment).encrypt(
            Data("value".utf8), policy: .recommended, identity: "record")
        environment.keychain = other
        let opened = try await EncryptionHelper(environment: environment).decrypt(envelope, policy: .recommended, identity: "record")
        #expect(opened == Data("value".utf8))
        try folder.write(Data("damaged".utf8), to: "keychain.plist")
        let code = await storageErrorCode {
            _ = try await EncryptionHelper(environment: environment).encrypt(Data(), policy: .recommended, identity: "record")
        }
        #expect(code == .corrupt)
        #expect(try folder.read("keychain.plist") == Data("damaged".utf8))
    }
}
