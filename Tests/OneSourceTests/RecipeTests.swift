import Foundation
import Testing

@testable import OneSourceTool

/// What a target says that it is made of, and what the plugin says of targets that it cannot make.
@Suite struct RecipeTests {
    private let package: URL

    init() throws {
        package = FileManager.default.temporaryDirectory.appendingPathComponent("recipe-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: package, withIntermediateDirectories: true)
    }

    @Test func aTargetIsMadeOfFolders() throws {
        defer { remove() }
        try write("App/B.swift", "")
        try write("App/Deep/A.swift", "")
        try write("App/notes.txt", "")
        try write("Link/C.swift", "")
        let recipe = try recipe("import X\n// OneSource: watch from App, Link\n")
        #expect(recipe.side == "watch" && recipe.places == ["App", "Link"])
        let sources = try recipe.sources(in: package)
        #expect(sources.map(\.made) == ["B.watch.swift", "A.watch.swift", "C.watch.swift"])
        #expect(sources.map { name($0.source) } == ["App/B.swift", "App/Deep/A.swift", "Link/C.swift"])
    }

    @Test(arguments: [
        ("", "T uses the plugin OneSource, so one of its Swift files needs a line `// OneSource: phone from FOLDER`"),
        ("// OneSource: phone", "`// OneSource: phone` should be `// OneSource: phone from FOLDER` or `// OneSource: watch from FOLDER`"),
        ("// OneSource: tv from App", "`// OneSource: tv from App` should be `// OneSource: phone from FOLDER`"),
        ("// OneSource: without App", "`// OneSource: without App` should be"),
        ("// OneSource: phone from A\n// OneSource: watch from A", "`// OneSource: watch from A` is the second line that names a side"),
        ("// OneSource: phone of App", "should be"),
        ("// OneSource: phone from App, App", "names App twice"),
    ])
    func aLineThatIsWrongIsQuoted(_ text: String, _ message: String) {
        defer { remove() }
        #expect(throws: OneSourceError.self) { try recipe(text) }
        #expect(self.message { _ = try recipe(text) }.contains(message))
        if !text.isEmpty { #expect(self.message { _ = try recipe(text) }.hasPrefix(package.path + "/Made.swift: ")) }
    }

    @Test func filesAndOtherFoldersCanBeNamed() throws {
        defer { remove() }
        for name in ["App/A.swift", "App/Views/V.swift", "App/B.swift", "Two Words/C.swift", "Link/D.swift", "Link/E.swift"] {
            try write("\(name)", "")
        }
        let inside = package.appendingPathComponent("App")
        let recipe = try recipe(
            """
            // OneSource: phone from ../App, "../Two Words" ../Link/E.swift without ../App/Views, ../App/B.swift
            // OneSource: as MyCore keeping MyApp, Other
            """)
        #expect(recipe.moduleName == "MyCore" && recipe.keeping == ["MyApp", "Other"])
        #expect(try recipe.sources(in: inside).map { name($0.source) } == ["App/A.swift", "Two Words/C.swift", "Link/E.swift"])
        let text = message { _ = try self.recipe("// OneSource: phone from App without App/C.swift").sources(in: package) }
        #expect(text.contains("Made.swift: there is no App/C.swift to leave out (\(package.path)/App/C.swift)"))
        let missing = message { _ = try self.recipe("// OneSource: phone from App/No.swift").sources(in: package) }
        #expect(missing.hasSuffix("Made.swift: there is no file \(package.path)/App/No.swift"))
    }

    @Test func aFolderWithoutSourcesIsNamed() throws {
        defer { remove() }
        try write("Empty/readme.md", "")
        for folder in ["Empty", "NoSuchFolder"] {
            let text = message { _ = try recipe("// OneSource: phone from \(folder)").sources(in: package) }
            #expect(text.hasSuffix("Made.swift: there is no Swift file in the folder \(package.path)/\(folder)"))
        }
    }

    @Test func twoFilesOfOneNameAreNamed() throws {
        defer { remove() }
        try write("App/A.swift", "")
        try write("Link/A.swift", "")
        let text = message { _ = try recipe("// OneSource: phone from App Link").sources(in: package) }
        #expect(
            text
                == "\(package.path)/Link/A.swift: \(package.path)/App/A.swift has the same name, and the files of a module need names of their own"
        )
    }

    @Test func aFileThatCannotBeReadIsNamed() throws {
        defer { remove() }
        try write("Made.swift", Data([0x2F, 0x2F, 0xFF, 0xFE]))
        let file = package.appendingPathComponent("Made.swift")
        #expect(message { _ = try Recipe(module: "T", files: [file]) }.hasPrefix("\(file.path): cannot be read: "))
        let missing = package.appendingPathComponent("Missing.swift")
        #expect(message { _ = try Recipe(module: "T", files: [missing]) }.hasPrefix("\(missing.path): cannot be read: "))
    }

    // MARK: Help

    private func recipe(_ text: String) throws -> Recipe {
        try write("Made.swift", text)
        return try Recipe(module: "T", files: [package.appendingPathComponent("Made.swift")])
    }

    private func message(_ body: () throws -> Void) -> String {
        do {
            try body()
            return "nothing was thrown"
        } catch {
            return "\(error)"
        }
    }

    private func name(_ url: URL) -> String { String(url.path.dropFirst(package.path.count + 1)) }
    private func write(_ name: String, _ text: String) throws { try write(name, Data(text.utf8)) }

    private func write(_ name: String, _ data: Data) throws {
        let file = package.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file)
    }

    private func remove() { try? FileManager.default.removeItem(at: package) }
}
