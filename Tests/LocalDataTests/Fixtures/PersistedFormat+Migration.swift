import Foundation

@testable import LocalData

extension PersistedFormat {
    static let marks: [PersistedFormat] = [
        mark(.removed, "removed: notFound, removed") { device in
            let key = ValueKey("new", of: String.self) { AnyStorageMigration(RemovalTests.Always(destinationKey: $0)) }
            try await device.router().remove(key)
        } read: { device in
            let key = ValueKey("new", of: String.self) { AnyStorageMigration(RemovalTests.Always(destinationKey: $0)) }
            let error = await storageError { _ = try await device.router().get(key) }
            return try await "\(error?.code.rawValue ?? "a value"), \(device.router().migrationPlan(for: key).state)"
        },
        mark(.moved, "moved: superseded") { device in
            device.description.appVersion = "2.0"
            try device.router().engines.moves.markMoved(
                StorageLocation(of: ValueKey<String>("new")), to: StorageLocation(of: ValueKey<String>("newest", in: .documents)))
        } read: { device in
            await storageError { _ = try await device.router().get(ValueKey<String>("new")) }?.code.rawValue ?? "a value"
        },
        mark(.moved, "moved: superseded", of: "moved-custom-directory", at: newInDrafts) { device in
            device.description.appVersion = "2.0"
            try device.router().engines.moves.markMoved(
                StorageLocation(of: ValueKey<String>("new", in: drafts)),
                to: StorageLocation(of: ValueKey<String>("newest", in: .documents)))
        } read: { device in
            await storageError { _ = try await device.router().get(ValueKey<String>("new", in: drafts)) }?.code.rawValue ?? "a value"
        },
        mark(.completing, "completing: interrupted") { device in
            try device.router().engines.moves.marks.write(.completing, at: StorageLocation(of: ValueKey<String>("new")))
        } read: { device in
            let key = ValueKey("new", of: String.self) { key in
                AnyStorageMigration(
                    AggregatingMigration(destinationKey: key, sourceKeys: [.key(NameKeys.first), .key(NameKeys.year)]) { _ in "" })
            }
            try await device.router().set("left over", for: NameKeys.first)
            return "\(try await device.router().migrationPlan(for: key).state)"
        },
        mark(.schema, "schema: superseded") { device in
            var key = ValueKey("new", of: String.self)
            key.schemaVersion = 3
            try await device.router().set(value, for: key)
        } read: { device in
            device.defaults.put(.string(value), forKey: "new")
            var key = ValueKey("new", of: String.self)
            key.schemaVersion = 2
            let older = key
            let error = await storageError { _ = try await device.router().get(older) }
            key.schemaVersion = 3
            let known = key
            guard try await device.router().get(known) == value else { return "another value" }
            return error?.code.rawValue ?? "a value"
        },
        // Of an earlier version of LocalData, which did not say which value was seen: it is looked at once more.
        mark(.seen, "seen: interrupted, interrupted, nothing", make: makeSeen) { device in
            let key = ValueKey<String>("new").replacing(earlier)
            let states = try await settle(device)
            try await device.router().forceMigration(for: key)
            return try await "\(states), \(device.router().migrationPlan(for: key).state)"
        },
        // Seen by an earlier process: the source goes now.
        mark(.seen, "seen: interrupted, nothing", of: "seen-value", make: makeSeen) { device in try await settle(device) },
        // What came back is no value, and goes again.
        mark(.cleared, "cleared: notFound, false") { device in
            let key = ValueKey<String>("newest", in: .documents).replacing(ValueKey<String>("new"))
            try await device.router().set(value, for: ValueKey<String>("new"))
            try await device.router().remove(key)
        } read: { device in
            device.defaults.put(.string(value), forKey: "new")
            let key = ValueKey<String>("newest", in: .documents).replacing(ValueKey<String>("new"))
            let error = await storageError { _ = try await device.router().get(key) }
            return "\(error?.code.rawValue ?? "a value"), \(device.defaults.peek("new") != nil)"
        },
    ]

    @Sendable private static func makeSeen(on device: TestDevice) async throws {
        try await device.router().set(value, for: earlier)
        try await device.router().forceMigration(for: ValueKey<String>("new").replacing(earlier))
    }

    private static func settle(_ device: TestDevice) async throws -> String {
        let key = ValueKey<String>("new").replacing(earlier)
        device.defaults.put(.string(value), forKey: "new")
        try await device.router().set(value, for: earlier)
        let before = try await device.router().migrationPlan(for: key).state
        try await device.router().forceMigration(for: key)
        return try await "\(before), \(device.router().migrationPlan(for: key).state)"
    }

    private static let earlier = ValueKey<String>("earlier", in: .documents)

    /// The places of the marks are as much a contract as their contents: those of `defaults/standard/new`.
    static let newLocation = "891d7e4f63bb7453e5ddf1f5266339e4"
    /// … and of `file/custom/documents/drafts/new`.
    static let newInDrafts = "1d518f618958fbe7890de31a310c6967"
    private static let drafts = StorageDomain.fileSystem(directory: .custom(URL(fileURLWithPath: "/app/Documents/drafts")))

    private static func mark(
        _ state: MigrationMark.State, _ meaning: String, of name: String? = nil, at location: String = newLocation,
        make: @escaping @Sendable (TestDevice) async throws -> Void,
        read: @escaping @Sendable (TestDevice) async throws -> String
    ) -> PersistedFormat {
        let folder =
            [.removed: "", .moved: "Moved/", .completing: "Completing/", .schema: "Schema/", .seen: "Seen/", .cleared: "Cleared/"][state]
            ?? ""
        let path = "/app/Library/Application Support/LocalData/Migration/\(folder)\(location).json"
        return PersistedFormat(file: "migration-mark-\(name ?? state.rawValue).json", meaning: meaning) {
            let device = TestDevice()
            try await make(device)
            return device.files.peek(path) ?? Data()
        } read: { fixture in
            let device = TestDevice()
            device.files.put(fixture, at: path)
            // The presence alone is the mark; that the contents are understood is asked of them directly.
            let mark = try Coders.jsonDecoder.decode(MigrationMark.self, from: fixture)
            return try await "\(mark.state): \(read(device))"
        }
    }
}
