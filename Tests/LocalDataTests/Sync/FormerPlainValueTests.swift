import Foundation
import Testing

@testable import LocalData

/// A digest of a short plain value gives the value away. It goes with the value, also where no version is kept any more.
@Suite struct FormerPlainValueTests {
    struct PinKey: StorageKey {
        typealias Value = String
        let name = "pin"
        let domain: StorageDomain
        let security: SecurityPolicy = .none
        let owner = "Tests"
        let syncPolicy: SyncPolicy
    }

    static let domains: [StorageDomain] = [.fileSystem(directory: .documents), .userDefaults(suite: nil)]

    private static func hasDigest(_ digest: String, _ device: TestDevice) -> Bool {
        let files = device.files.paths.compactMap { device.files.peek($0) }.map { String(decoding: $0, as: UTF8.self) }
        let record = device.defaults.peek(SyncLedgerStore.defaultsPrefix + "pin").map { ["\($0)"] } ?? []
        return (files + record).contains { $0.contains(digest) }
    }

    @Test(arguments: domains, [true, false])
    func anUpdateGivesUpTheSync(domain: StorageDomain, isRemoval: Bool) async throws {
        let device = TestDevice()
        let synced = PinKey(domain: domain, syncPolicy: .automaticSmall)
        try await device.router().set("1234", for: synced)
        let form: StoredForm =
            if case .fileSystem = domain { .bytes(Data(#""1234""#.utf8)) } else { .propertyList(.string("1234")) }
        let digest = SyncRevision.digest(of: form).hexadecimal
        #expect(Self.hasDigest(digest, device), "the record of a version that is kept tells it by its digest")

        let kept = PinKey(domain: domain, syncPolicy: .never)
        let router = device.router()
        if isRemoval { try await router.remove(kept) } else { try await router.set("5678", for: kept) }
        #expect(!Self.hasDigest(digest, device))

        // Should an update take the sync up again, what is there is an edit.
        if !isRemoval {
            _ = try await device.router().set("9", for: synced)
            #expect(try await device.router().get(synced) == "9")
        }
    }
}
