import Foundation

/// Makes all files of a module: those of its recipe for its side, and the one with the system's names.
///
/// It runs in every build. Where nothing changed it reads no source; where something did, it writes only what comes out otherwise than before, so that the
/// compiler has no more to do than in a module that is compiled directly.
struct ModuleMaker {
    let package: URL
    let output: URL
    /// `MyAppCore=MyAppCorePhone`: what the app's code calls a module, and what it is called here.
    let modules: [String]
    /// The file with the recipe.
    let recipeFile: URL
    /// The files that the package manager compiles.
    let names: [String]

    /// What is written to the build's output.
    struct Report {
        var lines: [String] = []
        var hasErrors = false
    }

    func make() throws -> Report {
        let recipe = try Recipe(module: recipeFile.lastPathComponent, files: [recipeFile])
        guard let side = Side(rawValue: recipe.side) else { throw OneSourceError("there is no side '\(recipe.side)'") }
        let sources = try recipe.sources(in: package)
        let state = stateText(of: sources.map(\.source))
        let stateFile = output.appendingPathComponent("Looked.docc")
        if let known = try? String(contentsOf: stateFile, encoding: .utf8), Self.isSame(known, state), names.allSatisfy(isThere) {
            try state.write(to: stateFile, atomically: true, encoding: .utf8)
            return Report()
        }
        let report = try write(sources, recipe: recipe, side: side)
        // After an error the next build looks again.
        try (report.hasErrors ? "errors" : state).write(to: stateFile, atomically: true, encoding: .utf8)
        return report
    }

    /// The second command of the plugin: the mark is another file than the first command left, so the next build runs both again.
    static func lookAgain(mark: URL, end: URL) throws {
        let state = try String(contentsOf: mark, encoding: .utf8)
        try (state.hasSuffix(again) ? String(state.dropLast(again.count)) : state + again).write(
            to: mark, atomically: true, encoding: .utf8)
        try write("// Made by the plugin OneSource.\n", to: end)
    }

    private static let again = "\nlook again"

    private static func isSame(_ known: String, _ state: String) -> Bool { known == state || known == state + again }

    // MARK: What there is

    /// Differs whenever a source, the recipe, the tool or what it was asked for does.
    private func stateText(of sources: [URL]) -> String {
        let tool = URL(fileURLWithPath: CommandLine.arguments.first ?? "")
        let files = ([tool, recipeFile, Recipe.leftOutFile(beside: recipeFile)] + sources).map { file in
            let attributes = (try? FileManager.default.attributesOfItem(atPath: file.path)) ?? [:]
            let time = (attributes[.modificationDate] as? Date)?.timeIntervalSinceReferenceDate ?? 0
            return "\(file.path) \(attributes[.size] ?? 0) \(time)"
        }
        return (files + modules + names).joined(separator: "\n")
    }

    private func isThere(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: output.appendingPathComponent(name).path)
    }

    // MARK: Writing

    private func write(_ sources: [(source: URL, made: String)], recipe: Recipe, side: Side) throws -> Report {
        var report = Report()
        var texts: [String] = []
        for (source, _) in sources {
            do {
                texts.append(try String(contentsOf: source, encoding: .utf8))
            } catch {
                texts.append("")
                report.add("\(source.path):1:1: error: the file cannot be read as UTF-8 text: \(error.localizedDescription)")
            }
        }
        let tokens = texts.map { Tokenizer.tokens(of: $0) }
        let typesOfFiles = tokens.flatMap { tokens in Self.declarations(in: tokens, on: side).map { (type: $0, tokens: tokens) } }
        let declarations = typesOfFiles.map(\.type)
        var facts = ModuleFacts(keeping: recipe.keeping, declarations: typesOfFiles, recipe: recipeFile.path)
        facts.leftOut = LeftOut(recipe)
        let hasInterface = tokens.contains { tokens in
            Import.all(in: tokens).contains { HostModules.interface.contains(tokens[$0.name].text) }
        }
        facts.interface = hasInterface ? InterfaceCutter.names(among: declarations, keeping: recipe.keeping) : []
        for pair in modules {
            let names = pair.split(separator: "=")
            if names.count == 2 { facts.modules[names[0]] = names[1] }
        }
        var made: [String: String] = [:]
        for ((source, name), text) in zip(sources, texts) {
            do {
                let result = try SourceRewriter.rewrite(text, path: source.path, side: side, facts: facts)
                made[name] = result.text
                report.lines += result.notes.map { "\(source.path):\($0.line):\($0.column): note: \($0.message)" }
            } catch {
                made[name] = "#error(\"see the message of OneSource\")\n"
                report.add("\(source.path):\(error.line):\(error.column): error: \(error.message)")
            }
        }
        try place(made, report: &report)
        let own =
            declarations.filter { $0.isAtTopLevel && $0.keyword != "extension" }.map(\.name.text) + tokens.flatMap(Self.namesOfOtherModules)
        let renamed = recipe.moduleName.flatMap { name in
            facts.modules[Substring(name)].flatMap { SystemNames.alias(of: Substring(name), named: $0, among: typesOfFiles) }
        }
        try Self.write(
            SystemNames.source(
                for: side, without: Set(own),
                renamed: (renamed ?? "")
                    + facts.leftOut.declarations(bases: Set(declarations.filter { $0.keyword == "class" }.flatMap(\.inherited)))),
            to: output.appendingPathComponent("SystemNames.swift")
        )
        return report
    }

    private static func declarations(in tokens: [Token], on side: Side) -> [TypeDeclaration] {
        let inactive = ConditionEvaluator.inactive(in: tokens, on: side)
        return TypeDeclaration.all(in: tokens).filter { declaration in
            !inactive.contains { $0.contains(declaration.name.range.lowerBound) }
        }
    }

    /// What is imported by name from a module that is not the system's: `import struct MyAppCore.Operation`.
    private static func namesOfOtherModules(_ tokens: [Token]) -> [Substring] {
        Import.all(in: tokens).filter { tokens[$0.name].text != "Foundation" && tokens[$0.name].text != "Dispatch" }
            .map { tokens[$0.tokens.upperBound - 1].text }
    }

    /// Puts each made file in its place; new ones into places that are kept free. A place whose source is gone is emptied.
    private func place(_ made: [String: String], report: inout Report) throws {
        let isFree = { (name: String) in name.hasPrefix("Added") && made[name] == nil }
        var new = made.keys.filter { !names.contains($0) }.sorted()[...]
        for name in names {
            let file = output.appendingPathComponent(name)
            if let text = made[name] {
                try Self.write(text, to: file)
            } else if isFree(name), let source = new.popFirst(), let text = made[source] {
                try Self.write(text, to: file)
            } else {
                try Self.write("// OneSource: no source is here.\n", to: file)
            }
        }
        guard !new.isEmpty else { return }
        report.add(
            "\(recipeFile.path):1:1: error: more files are new than the plugin keeps places for: save Package.swift again, so that it is asked anew"
        )
    }

    private static func write(_ text: String, to file: URL) throws {
        if let known = try? String(contentsOf: file, encoding: .utf8), known == text { return }
        do {
            try text.write(to: file, atomically: true, encoding: .utf8)
        } catch {
            throw OneSourceError("\(file.path) cannot be written: \(error.localizedDescription)")
        }
    }
}

extension ModuleMaker.Report {
    fileprivate mutating func add(_ error: String) {
        lines.append(error)
        hasErrors = true
    }
}
