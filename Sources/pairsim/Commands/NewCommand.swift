import Foundation

/// `pairsim new app`: writes a package that tests an app as a phone and a watch.
struct NewCommand {
    let command: ParsedCommand
    let host: Host

    func run() -> ExitStatus {
        let console = Console(host: host, colour: command.text(.color))
        if command.operands.count == 1 {
            guard command.text(.library) == nil else {
                console.complain("a scenario needs no checkout of this library: --library goes with new app")
                return .usage
            }
            return NewScenario(name: command.operands[0], host: host, console: console).run()
        }
        // The parser lets nothing else through than a word and one or two paths.
        guard command.operands.count > 1 else { return .usage }
        let folder = Self.withoutSlash(command.operands[1])
        if command.operands.count == 2, [".", ".."].contains(folder.split(separator: "/").last) {
            console.complain(
                "\(SafeText.line(folder)) says no name for the package: say where it is to be, as in new app \(folder) ../MyAppPair")
            return .usage
        }
        let package = Self.withoutSlash(command.operands.count > 2 ? command.operands[2] : folder + "Pair")
        do throws(FileError) {
            let survey = try AppSurvey(folder: folder, files: host.files)
            guard !survey.places.isEmpty else {
                for name in survey.passedOver { console.print("passed over: \(SafeText.line(name))") }
                console.complain("nothing selected: no Swift file in \(SafeText.line(folder))")
                return .nothingSelected
            }
            // Where it is called in the checkout itself, that is meant.
            let library = command.text(.library) ?? (isCheckout(".") ? "." : "LocalData")
            guard command.text(.library) == nil || isCheckout(library) else {
                console.complain(
                    "\(SafeText.line(library)) is no checkout of this library: it has no folder Sources/LocalData; name with --library the one that has it"
                )
                return .cannotRun
            }
            // `..` leads from where a folder really lies, whatever links lead to it.
            let place = host.files.place(of: package)
            let templates = AppTemplates(
                name: Self.name(of: folder), app: Self.path(to: host.files.place(of: folder), from: place),
                library: Self.path(to: host.files.place(of: library), from: place), survey: survey)
            var (written, kept, warnings): ([String], [String], [String]) = ([], [], [])
            defer {
                console.answer(
                    .object([
                        "written": .texts(written), "kept": .texts(kept), "passedOver": .texts(survey.passedOver),
                        "warnings": .texts(warnings),
                    ]))
            }
            for (path, text) in templates.files {
                guard !host.interruption.isRequested else { return .interrupted }
                let file = package + "/" + path
                let isNew = try host.files.create(Data(text.utf8), at: file)
                if isNew { written.append(file) } else { kept.append(file) }
                console.print(isNew ? "wrote \(SafeText.line(file))" : "kept \(SafeText.line(file)), which was there")
            }
            for line in Self.summary(survey, package: package, name: templates.name) { console.print(SafeText.line(line)) }
            let manifest = package + "/" + AppTemplates.manifest
            // One that was there may look for the library elsewhere, or not by a path.
            let named = kept.contains(manifest) ? try AppTemplates.library(in: host.files.read(manifest)) : templates.library
            guard let named else { return .passed }
            let found = named.hasPrefix("/") ? named : package + "/" + named
            if !isCheckout(found) {
                let shown = kept.contains(manifest) ? found : library
                warnings.append("there is no checkout of this library at \(shown) yet, where \(manifest) looks for it")
            }
            for warning in warnings { console.print(SafeText.line(warning)) }
            guard command.text(.library) == nil || host.files.place(of: found) == host.files.place(of: library) else {
                console.complain(
                    SafeText.line(
                        "\(manifest) was there, and looks for the library at \(named), not at \(templates.library) as --library says: change it there"
                    ))
                return .cannotRun
            }
            return .passed
        } catch {
            console.complain(error.text(error.path.hasPrefix(package) ? "write" : "read"))
            return .cannotRun
        }
    }

    private func isCheckout(_ folder: String) -> Bool {
        let sources = host.files.place(of: (folder == "." ? "" : folder + "/") + "Sources/LocalData")
        return if case .folder? = try? host.files.kind(of: sources) { true } else { false }
    }

    private static func summary(_ survey: AppSurvey, package: String, name: String) -> [String] {
        func line(_ what: String, _ names: [String]) -> String? { names.isEmpty ? nil : "\(what): \(names.joined(separator: ", "))" }
        return [
            "",
            line("session delegates", Set(survey.delegates.map(\.name)).sorted())
                ?? "no class is a WCSessionDelegate: say in the adapters what starts the app",
            line("entry points, left out", survey.entryPoints), line("App Groups, there on both devices", survey.groups),
            survey.passedOver.isEmpty ? nil : "passed over: \(survey.passedOver.joined(separator: "; "))",
            "next: swift test --package-path \(ShellWord.quoted(package))",
            "if the app does not compile here: swift run OneSourceTool fit \(ShellWord.quoted(package)) \(name)Phone \(name)Watch",
        ].compactMap { $0 }
    }

    // MARK: Names and paths

    private static func withoutSlash(_ path: String) -> String { path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path }

    /// The folder's name, as the name of a Swift module.
    private static func name(of folder: String) -> String {
        let last = folder.split(separator: "/").last ?? "App"
        let letters = last.unicodeScalars.filter { CharacterSet.alphanumerics.contains($0) && $0.isASCII }.map(Character.init)
        let name = String(letters)
        return name.first?.isLetter == true ? name.prefix(1).uppercased() + name.dropFirst() : "App" + name
    }

    /// `path` as it is found from `folder`, both as they are found from here.
    static func path(to path: String, from folder: String, here: String = FileManager.default.currentDirectoryPath) -> String {
        var to = parts(of: path, here: here)[...]
        var from = parts(of: folder, here: here)[...]
        while let first = to.first, first == from.first {
            to = to.dropFirst()
            from = from.dropFirst()
        }
        return (from.map { _ in ".." } + to).joined(separator: "/")
    }

    private static func parts(of path: String, here: String) -> [String] {
        var parts: [String] = []
        for part in (path.hasPrefix("/") ? path : here + "/" + path).split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(String(part)) }
        }
        return parts
    }
}
