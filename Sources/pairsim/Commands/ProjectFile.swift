import Foundation

/// A project's defaults: `pairsim.conf` in the current folder or the nearest one above it.
///
/// ```
/// # What is run where nothing is named.
/// paths = Scenarios Tests/Scenarios
/// seeds = 3
/// skip-tag = slow
/// report = junit=out/junit.xml
/// ```
///
/// Each line is `paths` or an option of `run` without its dashes, and its value; a switch has `true`. Paths, and those in reports, are relative to the
/// file's folder. What the command line says goes before. An unknown entry is an error, not something to pass over: it would change what is tested.
struct ProjectFile {
    static let name = "pairsim.conf"
    private static let pathsEntry = "paths"

    /// The options that it may have.
    static let options: [OptionName] = [
        .seed, .seeds, .order, .orders, .jobs, .filter, .tag, .skipTag, .report, .stuckAfter, .crashPoints, .failFast, .repeat, .slowest,
        .events,
        .quiet, .verbose, .color,
    ]

    /// The commands that it is for; paths are for those that run, read or list scenarios.
    static let commands: Set<CommandName> = [.run, .watch, .check, .list, .fmt]

    /// A command line with what the project says added to it.
    static func applied(to command: ParsedCommand, host: Host) throws(UsageError) -> ParsedCommand {
        guard commands.contains(command.name), let (path, text) = try find(host, for: command.name) else { return command }
        var command = command
        let folder = path.contains("/") ? String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) : ""
        let hasPaths = !command.operands.isEmpty
        let given = command
        var seen: Set<String> = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let content = line.prefix { $0 != "#" }.trimmingWhitespace
            guard !content.isEmpty else { continue }
            let place = "\(path):\(index + 1)"
            let parts = content.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(\.trimmingWhitespace)
            guard parts.count == 2, !parts[1].isEmpty else {
                throw UsageError("\(place): an entry is a name, = and a value, such as seeds = 3", command: command.name)
            }
            let (name, value) = (parts[0], parts[1])
            if name == pathsEntry {
                if !hasPaths {
                    let paths = value.split(whereSeparator: \.isWhitespace).map { joined(folder, String($0)) }
                    try require(paths, host, at: place, for: command.name)
                    command.operands += paths
                }
                continue
            }
            guard let option = options.first(where: { $0.rawValue == name }),
                let spec = CommandTable.command(.run).option(option) ?? common(option)
            else {
                let known = [pathsEntry] + options.map(\.rawValue)
                throw UsageError(
                    "\(place): there is no entry \"\(name)\"; the entries are \(known.joined(separator: ", "))",
                    suggestion: Suggestion.closest(to: name, among: known), command: command.name)
            }
            guard spec.isRepeatable || seen.insert(name).inserted else {
                throw UsageError("\(place): \(name) is there already; leave one of them", command: command.name)
            }
            try add(value, of: spec, at: place, in: folder, given: given, to: &command)
        }
        return command
    }

    /// Whoever runs `pairsim run` named no path, and is told where it stands.
    private static func require(_ paths: [String], _ host: Host, at place: String, for command: CommandName) throws(UsageError) {
        let exists = { (path: String) in (try? host.files.kind(of: path)) != nil }
        for path in paths where path != "-" && !exists(ScenarioOperand(path, exists: exists).path) {
            throw UsageError("\(place): there is no file or folder \(path)", command: command)
        }
    }

    private static func add(
        _ value: String, of spec: OptionSpec, at place: String, in folder: String, given: ParsedCommand, to command: inout ParsedCommand
    ) throws(UsageError) {
        let run = CommandTable.command(.run)
        var value = value
        if case .none = spec.value {
            guard ["true", "false"].contains(value) else {
                throw UsageError("\(place): \(spec.name.rawValue) is true or false", command: command.name)
            }
            if value == "false" { return }
            value = ""
        } else {
            do throws(UsageError) {
                try ArgumentParser.validate(value, of: spec, in: run)
            } catch {
                throw UsageError("\(place): \(error.message)", suggestion: error.suggestion, command: command.name)
            }
            if case .formattedFile = spec.value, let equals = value.firstIndex(of: "=") {
                value = value[...equals] + joined(folder, String(value[value.index(after: equals)...]))
            }
        }
        // Not every command has every option; and what the command line says of an option, or of the one that excludes it, goes before.
        guard CommandTable.command(command.name).option(spec.name) != nil || common(spec.name) != nil, !given.has(spec.name) else { return }
        let rivals: [OptionName: OptionName] = [.order: .orders, .orders: .order, .quiet: .verbose, .verbose: .quiet]
        if let rival = rivals[spec.name], given.has(rival) { return }
        if spec.name == .report, given.has(.json), value.hasSuffix("=-") { return }
        command.add(value, to: spec.name, isRepeatable: spec.isRepeatable)
        command.projectOptions.insert(spec.name)
    }

    private static func common(_ name: OptionName) -> OptionSpec? { CommandTable.common.first { $0.name == name } }

    /// The nearest file, by its path from the current folder.
    ///
    /// One that is there and cannot be read is an error: what it says would be passed over.
    private static func find(_ host: Host, for command: CommandName) throws(UsageError) -> (path: String, text: String)? {
        let depth = host.folder.split(separator: "/").count
        for count in 0...min(depth, 64) {
            let path = String(repeating: "../", count: count) + name
            // A folder above that may not be entered has none for whoever stands here.
            guard let kind = try? host.files.kind(of: path) else { continue }
            do throws(FileError) {
                if case .folder = kind { throw FileError(path: path, reason: "it is a folder, and not a file of defaults") }
                let text = String(decoding: try host.files.read(path), as: UTF8.self).replacing("\r\n", with: "\n")
                // Editors of Windows begin a file so.
                return (path, text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text)
            } catch {
                throw UsageError(error.text("read"), command: command)
            }
        }
        return nil
    }

    private static func joined(_ folder: String, _ path: String) -> String {
        folder.isEmpty || path.hasPrefix("/") || path == "-" ? path : folder + "/" + path
    }
}
