import Foundation
import Testing

@testable import LocalData

/// Marks of values in custom directories: each directory has its own, and what earlier versions wrote for all of them is read.
@Suite struct CustomDirectoryMarkTests {
    private let device = TestDevice()
    private static let folder = "/app/Library/Application Support/LocalData/Migration/"
    /// The name that earlier versions gave the mark of a value called `new` in whatever custom directory: of `file/custom/new`.
    private static let shared = "48aaf78a5567dbdfe78dc7ae22c3e9e0.json"

    private static func key(_ directory: String, schema: Int = 1) -> ValueKey<String> {
        var key = ValueKey("new", of: String.self, in: .fileSystem(directory: .custom(URL(fileURLWithPath: "/app/Documents/\(directory)"))))
        key.schemaVersion = schema
        return key
    }

    @Test func aNewerFormInOneDirectorySaysNothingOfAnother() async throws {
        try await device.router().set("plain", for: Self.key("b"))
        try await device.router().set("newer", for: Self.key("a", schema: 3))
        #expect(try await device.router().get(Self.key("b")) == "plain")
        #expect(await storageError { _ = try await device.router().get(Self.key("a")) }?.code == .superseded)
    }

    @Test func aMoveFromOneDirectoryToAnotherIsMarked() async throws {
        let destination = Self.key("b").replacing(Self.key("a"))
        device.description.appVersion = "1.9"
        try await device.router().set("value", for: Self.key("a"))
        device.description.appVersion = "2.0"
        #expect(try await device.router().get(destination) == "value")
        device.description.appVersion = "1.9"
        #expect(await storageError { _ = try await device.router().get(Self.key("a")) }?.code == .superseded)
        #expect(try await device.router().get(Self.key("b")) == "value")
        #expect(await storageError { _ = try await device.router().get(Self.key("c")) }?.code == .notFound)
    }

    @Test func theMarkOfAnEarlierVersionIsRead() async throws {
        let mark = #"{"appVersion":"2.0","location":"file/custom/new","state":"moved","version":1}"#
        device.description.appVersion = "1.9"
        device.files.put(Data(mark.utf8), at: Self.folder + "Moved/" + Self.shared)
        #expect(await storageError { _ = try await device.router().get(Self.key("a")) }?.code == .superseded)
        device.files.put(Data(#""there""#.utf8), at: "/app/Documents/a/new")
        device.files.put(
            Data(#"{"location":"file/custom/new","schema":3,"state":"schema","version":1}"#.utf8), at: Self.folder + "Schema/" + Self.shared
        )
        #expect(await storageError { try await device.router().set("older", for: Self.key("a")) }?.code == .superseded)
    }

    /// Else it would say for ever that a value was removed which is there again.
    @Test func theMarkOfAnEarlierVersionIsTakenAwayToo() async throws {
        device.files.put(
            Data(#"{"location":"file/custom/new","schema":3,"state":"schema","version":1}"#.utf8), at: Self.folder + "Schema/" + Self.shared
        )
        try await device.router().set("newer", for: Self.key("a", schema: 3))
        try await device.router().remove(Self.key("a", schema: 3))
        #expect(device.files.peek(Self.folder + "Schema/" + Self.shared) == nil)
        try await device.router().set("older", for: Self.key("a"))
        #expect(try await device.router().get(Self.key("a")) == "older")
    }
}
