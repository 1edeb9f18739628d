import Foundation
import PackagePlugin

/// Makes a target out of sources that a phone app and a watch app share, with the conditions of one side true.
///
/// A comment line in a Swift file of the target says which side it is, and names folders and files, relative to the package's folder:
///
/// ```swift
/// // OneSource: phone from ThemeApp, SessionLink
/// ```
///
/// The tool runs in every build, and compares: files that are new, gone or changed are noticed without a change to `Package.swift`. SwiftPM asks a plugin
/// only when the package's own structure changes, and runs a command only when a file that it named is another one. So the first command's mark is
/// changed by the second: the next build finds it changed, and runs both. New files go into places that are kept free for them until the plugin is asked
/// anew.
@main
struct OneSource: BuildToolPlugin {
    /// Files that may be new until the plugin is asked again.
    private static let freePlaces = 24

    func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
        guard let module = target as? SourceModuleTarget else { return [] }
        let tool = try context.tool(named: "OneSourceTool").url
        let package = context.package.directoryURL
        let output = context.pluginWorkDirectoryURL
        let (file, side, made) = Self.made(of: module, in: package)
        let names = made + (1...Self.freePlaces).map { "Added\($0).\(side).swift" }
        // Its kind is one that SwiftPM neither compiles nor copies.
        let mark = output.appendingPathComponent("Looked.docc")
        let end = output.appendingPathComponent("Looked.swift")
        var modules = target.recursiveTargetDependencies.compactMap { $0 as? SourceModuleTarget }.compactMap(Self.moduleName)
        modules += Self.moduleName(of: module).map { [$0] } ?? []
        let files = [file.path] + names
        return [
            .buildCommand(
                displayName: "Sources of the \(side) for \(target.name)", executable: tool,
                arguments: ["make", package.path, output.path, modules.joined(separator: ",")] + files, inputFiles: [],
                outputFiles: (["SystemNames.swift"] + names).map { output.appendingPathComponent($0) } + [mark]),
            .buildCommand(
                displayName: "Look again at the sources for \(target.name)", executable: tool, arguments: ["again", mark.path, end.path],
                inputFiles: [mark], outputFiles: [end]),
        ]
    }

    /// The file that says what the target is made of, its side, and the files that come of it.
    ///
    /// A recipe that is wrong fails its own target, when that is built, and no other: the tool reads it again, and says what is wrong. Here nothing is
    /// thrown, since that would end the planning of the whole package.
    private static func made(of module: SourceModuleTarget, in package: URL) -> (file: URL, side: String, names: [String]) {
        let files = module.sourceFiles(withSuffix: "swift").map(\.url)
        do {
            let recipe = try recipe(of: module)
            return (recipe.file, recipe.side, try recipe.sources(in: package).map(\.made))
        } catch {
            let marked = files.first {
                $0.lastPathComponent != Recipe.leftOutName && ((try? String(contentsOf: $0, encoding: .utf8)) ?? "").contains(Recipe.mark)
            }
            return (marked ?? files.first ?? module.directoryURL, "side", [])
        }
    }

    private static func recipe(of module: SourceModuleTarget) throws -> Recipe {
        try Recipe(module: module.name, files: module.sourceFiles(withSuffix: "swift").map(\.url))
    }

    /// `MyAppCore=MyAppCorePhone` for a module that the app's code calls otherwise than the package does.
    private static func moduleName(of module: SourceModuleTarget) -> String? {
        (try? recipe(of: module))?.moduleName.map { "\($0)=\(module.moduleName)" }
    }
}
