/// Turns the paths of a command line into scenario files.
///
/// A folder stands for every `*.scenario` file in it and in its folders, in alphabetical order, a folder's own files
/// before those of its folders; names that start with a dot are
/// passed over, a link that leads nowhere is a trouble, and a folder that links lead to twice is entered once. So is a file: of a link and what it leads
/// to the latter counts, unless it includes others, which are looked for beside the link. A file that is named counts whatever its name is.
struct ScenarioFinder {
    static let defaultFolder = "Scenarios"
    static let suffix = ".scenario"

    private let files: any FileAccess
    private(set) var found: [String] = []
    /// What identifies each of them on every machine: its path from the last part of what the user named on, whatever folder that lies in.
    private(set) var identities: [String] = []
    private(set) var troubles: [String] = []
    /// Of the files of which only rows or lines were named, what was.
    private(set) var picks: [String: [ScenarioOperand]] = [:]
    /// The path that each of them was found under first, by the folder that it lies in, whatever way leads there, and its name.
    private var firstPaths: [String: String] = [:]
    private var folderIdentities: [String: String] = [:]
    private var entered: Set<String> = []
    /// The links to files that folders have, which count last.
    private var links: [(path: String, target: String)] = []
    /// How many bytes of the paths being searched stand before the last part of what the user named.
    private var parentLength = 0

    init(files: any FileAccess) {
        self.files = files
    }

    /// - Parameter paths: As the user named them; none for the default folder.
    mutating func search(_ paths: [String]) {
        for path in paths.isEmpty ? [Self.defaultFolder] : paths {
            let operand = ScenarioOperand(path) { (try? files.kind(of: $0)) != nil }
            guard operand.path != "-" else {
                add("-", as: operand)
                continue
            }
            let path = Self.cleaned(operand.path)
            entered = []
            parentLength = path.lastIndex(of: "/").map { path.utf8.distance(from: path.startIndex, to: $0) + 1 } ?? 0
            do throws(FileError) {
                switch try files.kind(of: path) {
                case .file, .other: add(path, as: operand)
                case .folder(let identity):
                    links = []
                    try searchFolder(path, identity: identity)
                    passOverLinks()
                case nil: troubles.append(missing(path, isDefault: paths.isEmpty))
                }
            } catch {
                troubles.append(error.text("read"))
            }
        }
    }

    private mutating func searchFolder(_ folder: String, identity: String) throws(FileError) {
        guard entered.insert(identity).inserted else { return }
        let names = try files.names(in: folder).filter { !$0.hasPrefix(".") }
        var folders: [(path: String, identity: String)] = []
        let own = files.place(of: folder)
        for name in names.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
            let path = folder == "." ? name : folder.hasSuffix("/") ? folder + name : folder + "/" + name
            do throws(FileError) {
                switch try files.kind(of: path) {
                case .folder(let identity): folders.append((path, identity))
                case .file where name.hasSuffix(Self.suffix):
                    let place = files.place(of: path)
                    if place != (own == "/" ? "" : own) + "/" + name, place != name { links.append((path, place)) }
                    add(path)
                case .file: continue
                case .other:
                    guard name.hasSuffix(Self.suffix) else { continue }
                    throw FileError(path: path, reason: "it is neither a file nor a folder; remove it, or give it another name")
                case nil: throw FileError(path: path, reason: Self.whyNothing(name))
                }
            } catch {
                troubles.append(error.text("read"))
            }
        }
        for (path, identity) in folders {
            do throws(FileError) {
                try searchFolder(path, identity: identity)
            } catch {
                troubles.append(error.text("read"))
            }
        }
    }

    /// Takes out the links whose file was found as well, by its own name or by another link.
    private mutating func passOverLinks() {
        guard !links.isEmpty else { return }
        let linked = Set(links.map(\.path))
        var places = Set(found.filter { !linked.contains($0) && $0 != "-" }.map(files.place))
        for (path, target) in links where !places.insert(target).inserted && !includes(path) {
            guard let index = found.firstIndex(of: path) else { continue }
            found.remove(at: index)
            identities.remove(at: index)
        }
    }

    /// Whether the file includes others, which a link of it in another folder has others of.
    private func includes(_ path: String) -> Bool {
        guard let data = try? files.read(path) else { return true }
        return String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline).contains {
            $0.drop { $0 == " " || $0 == "\t" }.hasPrefix("include")
        }
    }

    /// Why there is nothing under a name that a folder lists: it would be passed over in silence otherwise, and perhaps a scenario or a report with it.
    static func whyNothing(_ name: String) -> String {
        name.unicodeScalars.contains("\u{FFFD}")
            ? "its name is not UTF-8; rename it" : "it is a link that leads nowhere; remove it, or mend what it leads to"
    }

    /// - Parameter operand: What the user named, where that is this very file.
    private mutating func add(_ named: String, as operand: ScenarioOperand? = nil) {
        let place = place(of: named)
        let path = firstPaths[place] ?? named
        let isNew = firstPaths.updateValue(path, forKey: place) == nil
        // A file that is named as a whole too is meant as a whole.
        if let operand, operand.row != nil || operand.line != nil, isNew || picks[path] != nil {
            picks[path, default: []].append(operand)
        } else {
            picks[path] = nil
        }
        guard isNew else { return }
        found.append(path)
        identities.append(String(decoding: path.utf8.dropFirst(parentLength), as: UTF8.self))
    }

    /// What is the same for all paths that lead to one file of one folder. A link of another name or in another folder is another scenario: what it
    /// includes is looked for beside the link.
    private mutating func place(of path: String) -> String {
        guard path != "-" else { return path }
        let folder = RealFiles.folder(of: path)
        let identity = folderIdentities[folder] ?? files.identity(of: folder) ?? folder
        folderIdentities[folder] = identity
        return identity + "/" + (path.split(separator: "/").last.map(String.init) ?? path)
    }

    private func missing(_ path: String, isDefault: Bool) -> String {
        guard !isDefault else {
            let own = files.ownScenarios.map { "; pairsim's own lie in \(SafeText.line($0))" } ?? ""
            return "there is no folder \(path) here; name files or folders, or change to the folder that has it" + own
        }
        let last = path.split(separator: "/").last.map(String.init) ?? path
        if names(beside: path).contains(last) { return FileError(path: path, reason: Self.whyNothing(last)).text("read") }
        let message = "there is no file or folder \(SafeText.line(path))"
        guard let meant = neighbour(of: path) else { return message }
        return message + "; did you mean \(SafeText.line(meant))?"
    }

    /// The names in the folder in which a path would lie.
    private func names(beside path: String) -> [String] { (try? files.names(in: RealFiles.folder(of: path))) ?? [] }

    /// What has nearly that name in the same folder.
    private func neighbour(of path: String) -> String? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard let last = parts.last else { return nil }
        let start = parts.count > 1 ? parts.dropLast().joined(separator: "/") + "/" : ""
        let names = names(beside: path)
        if names.contains(last + Self.suffix) { return start + last + Self.suffix }
        return Suggestion.closest(to: String(last), among: names.sorted()).map { start + $0 }
    }

    /// Without `./` at the start, doubled slashes and a slash at the end.
    private static func cleaned(_ path: String) -> String {
        let parts = path.split(separator: "/").filter { $0 != "." }
        let isAbsolute = path.hasPrefix("/")
        return parts.isEmpty ? (isAbsolute ? "/" : ".") : (isAbsolute ? "/" : "") + parts.joined(separator: "/")
    }
}
