import Foundation
import PackagePlugin

/// Makes a target out of source folders that a phone app and a watch app share, with the conditions of one side true.
///
/// A comment line in a Swift file of the target says which side it is, and names the folders, relative to the package's:
///
/// ```swift
/// // OneSource: phone from ThemeApp, SessionLink
/// ```
@main
struct OneSource: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
        guard let module = target as? SourceModuleTarget else { return [] }
        let tool = try context.tool(named: "onesource").url
        let recipe = try Recipe(for: module)
        let output = context.pluginWorkDirectoryURL
        let names = output.appendingPathComponent("SystemNames.swift")
        var commands: [Command] = [
            .buildCommand(
                displayName: "System names for \(target.name)", executable: tool, arguments: ["names", names.path],
                inputFiles: [recipe.file], outputFiles: [names])
        ]
        for source in try recipe.sources(in: context.package.directoryURL) {
            // Named otherwise than its source, so that `#fileID` names one file of the module only.
            let name = source.deletingPathExtension().lastPathComponent
            let made = output.appendingPathComponent("\(name).\(recipe.side).swift")
            commands.append(
                .buildCommand(
                    displayName: "\(source.lastPathComponent) for the \(recipe.side)", executable: tool,
                    arguments: [recipe.side, source.path, made.path], inputFiles: [source, recipe.file], outputFiles: [made]))
        }
        return commands
    }
}

/// What a target says it is made of.
struct Recipe {
    static let mark = "// OneSource: "

    let file: URL
    let side: String
    let folders: [String]

    init(for module: any SourceModuleTarget) throws {
        let wanted = "`\(Self.mark)phone from FOLDER` or `\(Self.mark)watch from FOLDER`"
        for file in module.sourceFiles(withSuffix: "swift").map(\.url) {
            let lines = try String(contentsOf: file, encoding: .utf8).split(whereSeparator: \.isNewline)
            guard let line = lines.first(where: { $0.hasPrefix(Self.mark) }) else { continue }
            let words = line.dropFirst(Self.mark.count).split(whereSeparator: { $0 == " " || $0 == "," }).map(String.init)
            guard words.count > 2, words[0] == "phone" || words[0] == "watch", words[1] == "from" else {
                throw OneSourceError("\(file.path): `\(line)` should be \(wanted)")
            }
            self.file = file
            side = words[0]
            folders = Array(words[2...])
            return
        }
        throw OneSourceError("\(module.name) uses the plugin OneSource, so one of its Swift files needs a line \(wanted)")
    }

    /// The Swift files of the folders, sorted.
    func sources(in package: URL) throws -> [URL] {
        try folders.flatMap { folder in
            let root = package.appendingPathComponent(folder).standardizedFileURL
            let names = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
            let files = names.filter { $0.hasSuffix(".swift") }.sorted()
            guard !files.isEmpty else { throw OneSourceError("\(file.path): there is no Swift file in the folder \(root.path)") }
            return files.map { root.appendingPathComponent($0) }
        }
    }
}

struct OneSourceError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
