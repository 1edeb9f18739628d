import Foundation
import Testing

@testable import LocalData

/// A migration into a place that another process shares, such as a widget, which sets the same key at that moment.
@Suite struct SharedPlaceMigrationTests {
    private let device = TestDevice()

    enum Place: String, CaseIterable, CustomTestStringConvertible {
        case file, keychain

        var testDescription: String { rawValue }
        var domain: StorageDomain {
            self == .file ? .appGroupFileSystem(identifier: "g", directory: .documents) : .keychain(service: "shared")
        }
        var security: SecurityPolicy { self == .file ? .none : .keychain(accessibility: .afterFirstUnlock, accessControl: nil) }
    }

    private let old = ValueKey("theme", of: String.self, in: .userDefaults(suite: nil), security: .none)

    private func key(_ place: Place) -> ValueKey<String> {
        var key = ValueKey("theme", of: String.self, in: place.domain, security: place.security)
        key.accessGroup = "g"
        return key
    }

    private func setInWidget(_ place: Place) {
        switch place {
        case .file: device.files.put(Data("\"widget\"".utf8), at: "/groups/g/Documents/theme")
        case .keychain:
            device.keychain.put(
                KeychainItem(
                    service: "shared", account: "theme", accessGroup: "g", data: Data("\"widget\"".utf8), accessibility: .afterFirstUnlock))
        }
    }

    @Test(arguments: Place.allCases) func whatTheOtherProcessSetsBeforeTheCopyStays(_ place: Place) async throws {
        try await device.router().set("old", for: old)
        let once = Once { setInWidget(place) }
        switch place {
        case .file: device.files.observe { if $0 == "rename", $1 == "/groups/g/Documents/theme" { once.run() } }
        case .keychain: device.keychain.beforeNextAdd { once.run() }
        }
        let router = device.router()
        let result = try await router.forceMigration(for: key(place).replacing(old))
        #expect(result.migratedCount == 0)
        #expect(once.hasRun)
        #expect(try await router.get(key(place)) == "widget")
        #expect(try await device.router().exists(old) == false)
    }

    @Test func whatTheOtherProcessSetsAfterTheCopyIsNotTakenForADamagedCopy() async throws {
        try await device.router().set("old", for: old)
        let path = "/groups/g/Documents/theme"
        let copied = Once {}
        let once = Once { setInWidget(.file) }
        device.files.observe { operation, place in
            guard place == path else { return }
            if operation == "rename" { copied.run() }
            if operation == "read", copied.hasRun { once.run() }
        }
        let router = device.router()
        _ = try await router.forceMigration(for: key(.file).replacing(old))
        #expect(once.hasRun)
        #expect(try await router.get(key(.file)) == "widget")
    }

    @Test func whatIsDamagedIsNotTakenForAnothersValue() async throws {
        try await device.router().set("old", for: old)
        let copied = Once {}
        let once = Once { device.files.put(Data("\"wid".utf8), at: "/groups/g/Documents/theme") }
        device.files.observe { operation, place in
            guard place == "/groups/g/Documents/theme" else { return }
            if operation == "rename" { copied.run() }
            if operation == "read", copied.hasRun { once.run() }
        }
        let key = key(.file)
        let error = await migrationError { _ = try await device.router().forceMigration(for: key.replacing(old)) }
        #expect(error?.summary == "verificationFailed")
        #expect(try await device.router().get(old) == "old")
    }

    private final class Once: @unchecked Sendable {
        private let lock = NSLock()
        private var didRun = false
        private let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }

        var hasRun: Bool { lock.withLock { didRun } }

        func run() {
            let isFirst = lock.withLock { () -> Bool in
                defer { didRun = true }
                return !didRun
            }
            if isFirst { body() }
        }
    }
}
