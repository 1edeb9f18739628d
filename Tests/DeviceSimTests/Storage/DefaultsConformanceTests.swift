import DeviceSim
import Foundation
import LocalData
import Testing

/// The laws of a preferences store.
@Suite struct DefaultsConformanceTests {
    static let values: [PropertyListValue] = [
        .string("text"), .string(""), .bool(true), .bool(false), .integer(1), .integer(0), .integer(.min), .unsigned(.max), .real(1.5),
        .real(1), .date(Date(timeIntervalSince1970: 1_767_258_000.25)), .data(Data([0, 255])), .data(Data()), .array([]),
        .array([.integer(1), .string("x"), .bool(true)]), .dictionary([:]), .dictionary(["b": .integer(1), "a": .array([.real(2)])]),
    ]

    @Test(arguments: StorageBackend.allCases, values) func valuesKeepTheirTypes(_ backend: StorageBackend, _ value: PropertyListValue)
        throws
    {
        let defaults = try ConformanceFixture(backend).hold(\.defaults)
        try defaults.store.set(value, forKey: "key", in: .standard)
        #expect(try defaults.store.value(forKey: "key", in: .standard) == value)
        try defaults.store.synchronize(.standard)
        #expect(try defaults.store.value(forKey: "key", in: .standard) == value)
    }

    @Test(arguments: StorageBackend.allCases) func whatIsNotThereIsNil(_ backend: StorageBackend) throws {
        let defaults = try ConformanceFixture(backend).hold(\.defaults)
        #expect(defaults.store.isReadable(.standard))
        #expect(try defaults.store.value(forKey: "key", in: .standard) == nil)
        #expect(try defaults.store.keys(in: .standard) == [])
        try defaults.store.set(nil, forKey: "key", in: .standard)
        try defaults.store.synchronize(.standard)
        #expect(try defaults.store.keys(in: .standard) == [])
    }

    @Test(arguments: StorageBackend.allCases) func settingNilRemoves(_ backend: StorageBackend) throws {
        let defaults = try ConformanceFixture(backend).hold(\.defaults)
        try defaults.store.set(.integer(1), forKey: "a", in: .standard)
        try defaults.store.set(.integer(2), forKey: "b", in: .standard)
        try defaults.store.set(nil, forKey: "a", in: .standard)
        #expect(try defaults.store.value(forKey: "a", in: .standard) == nil)
        #expect(try defaults.store.keys(in: .standard) == ["b"])
    }

    @Test(arguments: StorageBackend.allCases) func keysAreSortedByBytes(_ backend: StorageBackend) throws {
        let defaults = try ConformanceFixture(backend).hold(\.defaults)
        let keys = ["b", "a", "B", "é", "10", "9", "", "日本", "a.b"]
        for key in keys { try defaults.store.set(.bool(true), forKey: key, in: .standard) }
        #expect(try defaults.store.keys(in: .standard) == keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    }

    @Test(arguments: StorageBackend.allCases) func suitesAreApart(_ backend: StorageBackend) throws {
        let defaults = try ConformanceFixture(backend).hold(\.defaults)
        let suites: [DefaultsSuite] = [.standard, .named("com.example.other"), .appGroup("group.com.example")]
        for (number, suite) in suites.enumerated() { try defaults.store.set(.integer(Int64(number)), forKey: "key", in: suite) }
        for (number, suite) in suites.enumerated() {
            #expect(try defaults.store.value(forKey: "key", in: suite) == .integer(Int64(number)))
        }
    }

    @Test(arguments: StorageBackend.allCases, ["", ".", "..", "a/b", "a\0b"])
    func namesThatLeaveTheirFolderAreRefused(_ backend: StorageBackend, _ name: String) throws {
        let defaults = try ConformanceFixture(backend).hold(\.defaults)
        for suite in [DefaultsSuite.named(name), .appGroup(name)] {
            let error = #expect(throws: StorageError.self) { try defaults.store.set(.bool(true), forKey: "key", in: suite) }
            #expect(error?.code == .unsupported)
        }
    }
}

/// A store of a fixture, with the fixture that it needs.
struct HeldStore<Store> {
    let store: Store
    let fixture: ConformanceFixture
}

extension ConformanceFixture {
    func hold<Store>(_ path: KeyPath<ConformanceFixture, Store>) -> HeldStore<Store> {
        HeldStore(store: self[keyPath: path], fixture: self)
    }
}
