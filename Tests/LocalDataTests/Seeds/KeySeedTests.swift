import Foundation
import LocalData
import Testing

// The code block of the seed, word for word.
extension StorageKeys {
    struct UserTokenKey: StorageKey {
        typealias Value = String

        let name = "user_token"
        let domain: StorageDomain = .keychain(service: "com.myapp")
        let security: SecurityPolicy = .keychain(
            accessibility: .afterFirstUnlock,
            accessControl: .biometryAny
        )
        let serializer: Serializer<String> = .json
        let owner = "AuthService"
        let availability: PlatformAvailability = .phoneOnly
        let syncPolicy: SyncPolicy = .never
    }
}

@Suite struct KeySeedTests {
    /// "If you omit `security`, it defaults to `SecurityPolicy.recommended`."
    @Test func securityDefaultsToRecommended() {
        struct Key: StorageKey {
            typealias Value = String

            let name = "k"
            let domain: StorageDomain = .fileSystem(directory: .documents)
            let owner = "Tests"
        }
        #expect(Key().security == .recommended)
        #expect(Key().serializer.name == "json")
    }

    @Test func theSeedsRouterCallsWork() async throws {
        let device = TestDevice()
        try await StorageRouter.$current.withValue(device.router()) {
            // The code block of the seed, word for word.
            // Save
            let key = StorageKeys.UserTokenKey()
            try await StorageRouter.shared.set("token123", for: key)

            // Retrieve
            let token = try await StorageRouter.shared.get(key)
            #expect(token == "token123")
            #expect(device.keychain.peek("user_token", service: "com.myapp")?.accessControl == .biometryAny)

            // Remove
            try await StorageRouter.shared.remove(key)
            #expect(device.keychain.peek("user_token", service: "com.myapp") == nil)
        }
    }

    @Test func theTokenIsForPhonesOnly() async {
        await StorageRouter.$current.withValue(TestDevice(role: .watch).router()) {
            #expect(await storageError { try await StorageRouter.shared.set("t", for: StorageKeys.UserTokenKey()) }?.code == .phoneOnly)
        }
    }
}
