import Foundation

/// `pairsim new NAME`: writes a scenario that passes, to begin with.
struct NewScenario {
    let name: String
    let host: Host
    let console: Console

    func run() -> ExitStatus {
        // What is not UTF-8 in an argument comes as U+FFFD.
        guard SafeText.line(name) == name, !name.unicodeScalars.contains("\u{FFFD}") else {
            console.complain("\(SafeText.line(name)) has signs that no file's name should have; give the scenario another name")
            return .usage
        }
        let last = name.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        let stem = last.hasSuffix(ScenarioFinder.suffix) ? last.dropLast(ScenarioFinder.suffix.count) : last
        guard stem.contains(where: { $0 != "." }) else {
            let example = name.hasSuffix("/") ? name + "theme" : "theme"
            console.complain(
                "\(SafeText.line(name)) says no name for the scenario; give it one, as in new \(SafeText.line(ShellWord.quoted(example)))")
            return .usage
        }
        do throws(FileError) {
            let path = try path()
            guard try host.files.create(Data(Self.text(title: Self.title(of: path)).utf8), at: path) else {
                console.answer(.object(["written": .list([]), "kept": .texts([path])]))
                console.complain("\(SafeText.line(path)) is there already; give the scenario another name")
                return .cannotRun
            }
            console.answer(.object(["written": .texts([path]), "kept": .list([])]))
            console.print("wrote \(SafeText.line(path))")
            console.print("next: \(console.program) run \(SafeText.line(ShellWord.quoted(path)))")
            return .passed
        } catch {
            console.complain(error.text("write"))
            return .cannotRun
        }
    }

    private func path() throws(FileError) -> String {
        let file = name.hasSuffix(ScenarioFinder.suffix) ? name : name + ScenarioFinder.suffix
        guard !file.contains("/"), case .folder? = try host.files.kind(of: ScenarioFinder.defaultFolder) else { return file }
        return ScenarioFinder.defaultFolder + "/" + file
    }

    /// `late-theme.scenario`: Late theme.
    private static func title(of path: String) -> String {
        let last = path.split(separator: "/").last.map(String.init) ?? path
        let words = String(last.dropLast(ScenarioFinder.suffix.count)).map { $0 == "-" || $0 == "_" ? " " : $0 }
        let safe = SafeText.line(String(words)).trimmingWhitespace
        return safe.isEmpty ? "A new scenario" : safe.prefix(1).uppercased() + safe.dropFirst()
    }

    /// In canonical layout.
    static func text(title: String) -> String {
        """
        # \(title).
        # Tags: sync

        key theme: String
            security  none
            sync      automaticSmall

        # out of range
        link down
        phone set theme "dark"
        expect watch theme missing

        # back in range
        link up
        expect watch theme "dark" within 5s
        expect devices agree on theme

        """
    }
}

extension StringProtocol {
    /// Without spaces at either end.
    var trimmingWhitespace: String {
        var text = self[...]
        while let first = text.first, first.isWhitespace { text = text.dropFirst() }
        while let last = text.last, last.isWhitespace { text = text.dropLast() }
        return String(text)
    }
}
