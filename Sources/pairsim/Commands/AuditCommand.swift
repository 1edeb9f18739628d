import Foundation
import LocalData

/// `pairsim audit`: what lies on devices that were run with `--roots`.
///
/// With `--json` the result is an object of `devices`, by their paths below the folder named. Without a scenario each has `entries` (`place`, `name`,
/// `bytes`, `attributes`, `form`) and `problems`; with one it is the audit report of LocalData.
struct AuditCommand {
    let command: ParsedCommand
    let host: Host
    let engine: ScenarioEngine

    func run() -> ExitStatus {
        let console = Console(host: host, colour: command.text(.color))
        guard let path = command.operands.first else { return .usage }
        do {
            // A folder that is not there, or is none, is said so in the words of every other command.
            _ = try host.files.names(in: path)
            let root = URL(fileURLWithPath: path, isDirectory: true)
            let folders = try StoredDevice.folders(in: root)
            guard !folders.isEmpty else {
                console.complain("nothing selected: no device in \(SafeText.line(path)); a run with --roots leaves them there")
                return .nothingSelected
            }
            guard let file = command.text(.scenario) else {
                let looked = devices(folders, below: root) { try $0.inventory() }
                if command.has(.strict) {
                    console.remark(
                        "without --scenario no value was opened, and no key is known: --strict says only whether everything could be read")
                }
                return conclude(try show(looked.found, on: console), looked.troubles, on: console)
            }
            let loaded = engine.load(file)
            guard let scenario = loaded.scenarios.first, loaded.problems.isEmpty else {
                return ExitStatus.foremost(ProblemText.show([loaded.problems], on: console))
            }
            let looked = devices(folders, below: root) { try $0.auditReport(for: scenario, catalogs: engine.catalogs) }
            return conclude(try show(looked.found, on: console), looked.troubles, on: console)
        } catch let trouble as FileError {
            console.complain(trouble.text("read"))
        } catch let error as FileSystemError {
            console.complain("cannot read \(SafeText.line(path)): errno \(error.errno) at \(error.operation)")
        } catch {
            console.complain("cannot audit \(SafeText.line(path)): \(SafeText.line("\(error)"))")
        }
        return .cannotRun
    }

    private func conclude(_ status: ExitStatus, _ troubles: [String], on console: Console) -> ExitStatus {
        for trouble in troubles { console.complain(trouble) }
        return troubles.isEmpty ? status : .cannotRun
    }

    /// What is to be said of each device. One that cannot be looked at does not hide the others.
    private func devices<Found>(
        _ folders: [URL], below root: URL, _ look: (StoredDevice) throws -> Found
    ) -> (found: [(name: String, Found)], troubles: [String]) {
        var found: [(name: String, Found)] = []
        var troubles: [String] = []
        for folder in folders {
            let name = name(of: folder, below: root)
            do {
                found.append((name, try look(try StoredDevice(folder: folder))))
            } catch let error as FileSystemError {
                troubles.append("cannot read \(SafeText.line(name)): errno \(error.errno) at \(error.operation)")
            } catch {
                troubles.append("cannot audit \(SafeText.line(name)): \(SafeText.line("\(error)"))")
            }
        }
        return (found, troubles)
    }

    private func name(of folder: URL, below root: URL) -> String {
        let (path, base) = (folder.standardizedFileURL.path, root.standardizedFileURL.path)
        return path == base || !path.hasPrefix(base + "/") ? folder.lastPathComponent : String(path.dropFirst(base.count + 1))
    }

    // MARK: What lies there

    private func show(_ devices: [(name: String, inventory: DeviceInventory)], on console: Console) throws -> ExitStatus {
        if command.has(.json) {
            emit(devices.map { ($0.name, json($0.inventory)) }, on: console)
        } else {
            for (index, device) in devices.enumerated() {
                if index > 0 { console.print() }
                console.print(console.style.paint(SafeText.line(device.name), .bold))
                for line in lines(device.inventory) { console.print(line) }
            }
        }
        return command.has(.strict) && devices.contains { !$0.inventory.problems.isEmpty } ? .failed : .passed
    }

    private func lines(_ inventory: DeviceInventory) -> [String] {
        var lines: [String] = []
        var place: String?
        for entry in inventory.entries {
            if entry.place != place { lines.append("  " + SafeText.line(entry.place)) }
            place = entry.place
            let facts = [Plural.of(entry.byteCount, "byte")] + entry.attributes + [entry.form]
            lines.append("    " + SafeText.line("\(entry.name): \(facts.joined(separator: ", "))"))
        }
        if inventory.entries.isEmpty, inventory.problems.isEmpty { lines.append("  nothing") }
        return lines + inventory.problems.map { "  " + SafeText.line($0) }
    }

    private func json(_ inventory: DeviceInventory) -> JSONValue {
        .object([
            "entries": .list(
                inventory.entries.map { entry in
                    .object([
                        "place": .text(entry.place), "name": .text(entry.name), "bytes": .number(Int64(entry.byteCount)),
                        "attributes": .texts(entry.attributes), "form": .text(entry.form),
                    ])
                }),
            "problems": .texts(inventory.problems),
        ])
    }

    // MARK: What a scenario's app says of it

    private func show(_ devices: [(name: String, report: StorageAuditReport)], on console: Console) throws -> ExitStatus {
        if command.has(.json) {
            emit(
                try devices.map { ($0.name, JSONValue(try JSONDecoder().decode(AnyCodable.self, from: Data($0.report.json.utf8)))) },
                on: console)
        } else {
            for (index, device) in devices.enumerated() {
                if index > 0 { console.print() }
                console.print(console.style.paint(SafeText.line(device.name), .bold))
                for line in device.report.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
                    console.print(line.isEmpty ? "" : "  " + SafeText.line(String(line)))
                }
            }
        }
        return command.has(.strict) && devices.contains { !$0.report.isInOrder } ? .failed : .passed
    }

    private func emit(_ devices: [(String, JSONValue)], on console: Console) {
        let byName = Dictionary(devices) { first, _ in first }
        console.answer(.object(["devices": .object(byName)]))
    }
}

extension StorageAuditReport {
    /// Whether nothing is damaged, orphaned, left behind, out of sight, or declared against itself.
    fileprivate var isInOrder: Bool {
        let hasDamage =
            items.contains { if case .damaged? = $0.presence { true } else { false } }
            || (findings ?? []).contains { [.damaged, .leftover, .abandoned].contains($0.kind) }
        return !hasDamage && !isIncomplete && orphans.isEmpty && warnings.isEmpty
            && !items.contains { $0.legacyCopies.contains { $0.state == .residual } }
    }

    /// Whether something could not be looked into, such as on a locked device: nobody knows whether that is in order.
    private var isIncomplete: Bool {
        items.contains { if case .unreadable? = $0.presence { true } else { false } }
            || (findings ?? []).contains { $0.kind == .unreadable }
    }
}
