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
        let tool = try context.tool(named: "OneSourceTool").url
        let recipe = try Recipe(module: module.name, files: module.sourceFiles(withSuffix: "swift").map(\.url))
        let output = context.pluginWorkDirectoryURL
        let names = output.appendingPathComponent("SystemNames.swift")
        var commands: [Command] = [
            .buildCommand(
                displayName: "System names for \(target.name)", executable: tool, arguments: ["names", recipe.side, names.path],
                inputFiles: [recipe.file], outputFiles: [names])
        ]
        for (source, name) in try recipe.sources(in: context.package.directoryURL) {
            let made = output.appendingPathComponent(name)
            commands.append(
                .buildCommand(
                    displayName: "\(source.lastPathComponent) for the \(recipe.side)", executable: tool,
                    arguments: [recipe.side, source.path, made.path], inputFiles: [source, recipe.file], outputFiles: [made]))
        }
        return commands
    }
}
