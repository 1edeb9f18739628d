#if !canImport(Darwin)
    import Foundation
    import Testing

    @testable import LocalData

    @Suite struct PortableEnvironmentTests {
        private func directories(_ variables: [String: String] = [:], home: String = "/home/jo", app: String = "com.example.app")
            -> XDGDirectories
        {
            XDGDirectories(variables: variables, home: home, app: app)
        }

        @Test func theDefaultsOfTheSpecification() throws {
            let directories = directories()
            #expect(directories.roots.documents == "/home/jo/.local/share/com.example.app/Documents")
            #expect(directories.roots.applicationSupport == "/home/jo/.local/share/com.example.app/ApplicationSupport")
            #expect(directories.roots.caches == "/home/jo/.cache/com.example.app/Caches")
            #expect(directories.roots.temporary == "/home/jo/.cache/com.example.app/Temporary")
            #expect(directories.preferences == "/home/jo/.config/com.example.app/Preferences")
            #expect(directories.keychain == "/home/jo/.local/share/com.example.app/Keychain/keychain.plist")
            #expect(directories.state == "/home/jo/.local/state/com.example.app")
        }

        @Test func variablesThatAreAbsoluteCount() {
            let directories = directories([
                "XDG_DATA_HOME": "/data/", "XDG_CONFIG_HOME": "relative", "XDG_CACHE_HOME": "", "XDG_STATE_HOME": "/state",
            ])
            #expect(directories.dataHome == "/data")
            #expect(directories.configHome == "/home/jo/.config")
            #expect(directories.cacheHome == "/home/jo/.cache")
            #expect(directories.stateHome == "/state")
        }

        @Test func appGroupsLieBesideTheApps() {
            let directories = directories()
            #expect(directories.roots.appGroup("group.com.example") == "/home/jo/.local/share/group.com.example")
            #expect(directories.roots.appGroup("com.example.app") == "/home/jo/.local/share/group.com.example.app")
            #expect(directories.preferences(ofAppGroup: "group.com.example") == "/home/jo/.config/group.com.example/Preferences")
        }

        @Test(arguments: ["", "..", "a/b"])
        func namesThatAreNoFolderAreReplaced(_ name: String) {
            #expect(directories(app: name).app == "LocalData")
        }

        @Test func aWholeEnvironmentWorksBelowOneFolder() throws {
            let folder = try TemporaryFolder()
            let environment = StorageEnvironment.portable(directories(home: folder.path))
            #expect(environment.device.role == .host)
            #expect(environment.device.lockState == .unlocked)
            #expect(environment.device.bundleIdentifier == "com.example.app")
            #expect(environment.device.systemInfo.name == "Linux")
            #expect(try environment.entropy.bytes(1_000).count == 1_000)
            #expect(try environment.entropy.bytes(32) != environment.entropy.bytes(32))

            try environment.defaults.set(.integer(1), forKey: "key", in: .standard)
            #expect(environment.keychain.add(KeychainItem(service: "s", account: "a", data: Data([1]))) == .success)
            let documents = try environment.fileSystem.path(of: .documents)
            try environment.fileSystem.createDirectory(at: documents)
            try environment.fileSystem.createFile(at: "\(documents)/file", protection: .none).close()

            let again = StorageEnvironment.portable(directories(home: folder.path))
            #expect(try again.defaults.value(forKey: "key", in: .standard) == .integer(1))
            #expect(again.keychain.copyMatching(KeychainQuery(service: "s")).items.first?.data == Data([1]))
            #expect(try again.fileSystem.list(documents) == ["file"])
            #expect(again.device.identifier == environment.device.identifier)
            #expect(folder.names == [".config", ".local"])
        }

        @Test func everyInstallationHasANameOfItsOwn() throws {
            let (first, second) = (try TemporaryFolder(), try TemporaryFolder())
            let names = [first, second].map { StorageEnvironment.portable(directories(home: $0.path)).device.identifier }
            #expect(Set(names).count == 2)
            #expect(names.allSatisfy { $0.count == 32 && $0.allSatisfy(\.isHexDigit) })
        }

        @Test func aNameThatWasDamagedIsReplacedAndOneThatCannotBeKeptHoldsForTheProcess() throws {
            let folder = try TemporaryFolder()
            let state = "\(folder.path)/.local/state/com.example.app"
            try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
            try Data("not a name".utf8).write(to: URL(fileURLWithPath: "\(state)/device-identifier"))
            let first = StorageEnvironment.portable(directories(home: folder.path)).device.identifier
            #expect(first.count == 32)
            #expect(StorageEnvironment.portable(directories(home: folder.path)).device.identifier == first)
            // A file where the folder would be: nothing can be kept there.
            let blocked = StorageEnvironment.portable(directories(["XDG_STATE_HOME": "\(state)/device-identifier"], home: folder.path))
            #expect(blocked.device.identifier.count == 32)
            #expect(blocked.device.identifier == blocked.device.identifier)
        }
    }
#endif
