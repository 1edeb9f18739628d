import Foundation
import Testing

@testable import LocalData

@Suite struct StorageAuditReportTests {
    struct TokenKey: StorageKey {
        typealias Value = String
        let name = "token"
        let domain: StorageDomain = .keychain(service: "com.example.auth")
        let security: SecurityPolicy = .keychain(accessibility: .alwaysThisDeviceOnly, accessControl: nil)
        let owner = "Auth"
        let description = "Proves to the server who this is."
        let availability: PlatformAvailability = .phoneWithWatchSync
        let syncPolicy: SyncPolicy = .manual
    }

    struct DraftKey: StorageKey {
        typealias Value = [String]
        let name = "drafts"
        let domain: StorageDomain = .appGroupFileSystem(identifier: "group.a", directory: .caches)
        let security: SecurityPolicy = .encrypted(.aes256(keyDerivation: .pbkdf2(salt: Data("s3cret salt".utf8))))
        let accessGroup: String? = "group.a"
        let owner = "Editor"
        let description = "Texts that were not sent."
    }

    struct Catalog: StorageKeyCatalog {
        let name = "App"
        var allKeys: [AnyStorageKey] { [.key(TokenKey()), .key(DraftKey())] }
        static var allKeys: [StorageKeyDescriptor] { [.from(DraftKey(), notes: "shown for the type only")] }
    }

    static let text = """
        Storage audit: App
        2 keys, 2 warnings

        token
            description   Proves to the server who this is.
            owner         Auth
            value         String
            serializer    json
            stored in     keychain, service com.example.auth
            security      keychain, alwaysThisDeviceOnly
            devices       phoneWithWatchSync
            sync          manual
            leaves        as serialized, opened, to the paired device, which secures it by its own policy
            backup        as serialized, restored to this device only
            warning       accessibility alwaysThisDeviceOnly is deprecated by Apple; use afterFirstUnlock or a stricter one
            warning       accessibility alwaysThisDeviceOnly keeps the value on this device, its sync policy sends it to another

        drafts
            description   Texts that were not sent.
            owner         Editor
            value         Array<String>
            serializer    json
            stored in     appGroupFileSystem, group group.a, caches
            security      AES-256-GCM, PBKDF2-SHA256 with 600000 iterations
            devices       all
            sync          never
            leaves        never
            backup        never
            access group  group.a

        """

    @Test func anInstanceIsAuditedByItsKeys() {
        #expect(StorageAuditReport.renderText(for: Catalog()) == Self.text)
        #expect(StorageAuditReport.renderText(for: Catalog() as any StorageKeyCatalog) == Self.text)
        #expect(StorageAuditReport(for: Catalog()).warnings.count == 2)
    }

    @Test func aTypeIsAuditedByItsDescriptors() {
        let report = StorageAuditReport.renderText(for: Catalog.self)
        #expect(report.contains("shown for the type only"))
        #expect(!report.contains("token"))
    }

    @Test func aRouterIsAuditedByWhatIsRegistered() async throws {
        let router = TestDevice().router()
        #expect(StorageAuditReport.renderText(for: router) == "Storage audit: no catalogs\n0 keys, 0 warnings\n")
        try await router.registerCatalog(Catalog())
        #expect(StorageAuditReport.renderText(for: router) == Self.text)
    }

    @Test func declaredSecretsDoNotShow() {
        let report = StorageAuditReport(for: Catalog())
        let salt = "s3cret salt"
        for output in [report.text, report.json] {
            #expect(!output.contains(salt) && !output.contains(Data(salt.utf8).base64EncodedString()))
        }
    }

    @Test func jsonIsStableAndComplete() throws {
        let json = StorageAuditReport.renderJSON(for: Catalog())
        #expect(json == StorageAuditReport(for: Catalog()).json)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        #expect(object["version"] as? Int == 2)
        let keys = try #require(object["keys"] as? [[String: Any]])
        #expect(keys.map { $0["name"] as? String } == ["token", "drafts"])
        #expect((keys[0]["warnings"] as? [String])?.count == 2)
        #expect(keys[1]["storedIn"] as? String == "appGroupFileSystem, group group.a, caches")
        #expect(keys[0]["domain"] as? String == "keychain")
        let order = keys[0].keys.sorted().compactMap { json.range(of: "\"\($0)\"")?.lowerBound }
        #expect(order == order.sorted())
    }

    /// CI jobs compare it: what is in it changes only with ``StorageAuditReport/formatVersion``.
    @Test func jsonIsPinned() {
        var report = StorageAuditReport(for: Catalog())
        report.items.removeFirst()
        report.items[0].presence = .damaged(.wrongType)
        report.items[0].legacyCopies = [
            LegacyCopy(name: "old", place: "userDefaults", state: .residual),
            LegacyCopy(name: "older", place: "keychain, service s", state: .unreadable(.locked)),
        ]
        report.findings = [
            StorageFinding(.orphanedValue, place: "fileSystem, documents", name: "gone", byteCount: 7),
            StorageFinding(.unreadable, place: "keychain, service s", error: .locked),
        ]
        #expect(
            report.json == """
                {
                  "catalogs" : [
                    "App"
                  ],
                  "findings" : [
                    {
                      "byteCount" : 7,
                      "kind" : "orphanedValue",
                      "name" : "gone",
                      "place" : "fileSystem, documents"
                    },
                    {
                      "error" : "locked",
                      "kind" : "unreadable",
                      "name" : "",
                      "place" : "keychain, service s"
                    }
                  ],
                  "keys" : [
                    {
                      "availability" : "all",
                      "backup" : "never",
                      "catalog" : "App",
                      "description" : "Texts that were not sent.",
                      "domain" : "appGroupFileSystem",
                      "leaves" : "never",
                      "legacyCopies" : [
                        {
                          "name" : "old",
                          "place" : "userDefaults",
                          "state" : "residual"
                        },
                        {
                          "error" : "locked",
                          "name" : "older",
                          "place" : "keychain, service s",
                          "state" : "unreadable"
                        }
                      ],
                      "migration" : false,
                      "name" : "drafts",
                      "owner" : "Editor",
                      "presence" : {
                        "error" : "wrongType",
                        "state" : "damaged"
                      },
                      "security" : "AES-256-GCM, PBKDF2-SHA256 with 600000 iterations",
                      "serializer" : "json",
                      "storedIn" : "appGroupFileSystem, group group.a, caches",
                      "sync" : "never",
                      "valueType" : "Array<String>",
                      "warnings" : [

                      ]
                    }
                  ],
                  "version" : 2
                }
                """)
    }

    @Test func noAbsolutePathShows() {
        struct Custom: StorageKeyCatalog {
            static var allKeys: [StorageKeyDescriptor] {
                let directory = FileDirectory.custom(URL(fileURLWithPath: "/var/mobile/4711/Exports", isDirectory: true))
                return [.from(ValueKey("report", of: String.self, in: .fileSystem(directory: directory)))]
            }
        }
        for output in [StorageAuditReport.renderText(for: Custom.self), StorageAuditReport.renderJSON(for: Custom.self)] {
            #expect(output.contains("custom Exports") && !output.contains("4711"))
        }
    }
}
