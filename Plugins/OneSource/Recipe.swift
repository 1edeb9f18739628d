import Foundation

/// What a target that the plugin makes says it is made of: a side, and where the sources are. Lines of a Swift file of the target say it:
///
/// ```swift
/// // OneSource: phone from ../MyApp/Shared, ../MyApp/Phone/Session.swift
/// // OneSource: without ../MyApp/Shared/Views
/// // OneSource: as MyAppCore
/// ```
///
/// Knows nothing of the package manager: the plugin, its tool and tests compile it.
struct Recipe {
    static let mark = "// OneSource: "

    /// The file that says it.
    let file: URL
    /// `phone` or `watch`.
    let side: String
    /// Folders and single files, relative to the package's folder.
    let places: [String]
    /// Folders and files in those that are left out.
    let without: [String]
    /// Types that are kept though they are of a user interface.
    let keeping: Set<String>
    /// What other code of the app calls the module.
    let moduleName: String?
    /// The words with which a recipe leaves parts of files out, and what follows them.
    let leftOut: [String: Set<String>]

    /// - Parameters:
    ///   - module: The target's name.
    ///   - files: The target's own Swift files.
    init(module: String, files: [URL]) throws {
        for file in files where file.lastPathComponent != Self.leftOutName {
            let lines = try Self.lines(of: file).filter { $0.hasPrefix(Self.mark) }
            if !lines.isEmpty {
                // What `fit` found is in a file of its own beside it.
                let more = Self.leftOutFile(beside: file)
                let found = more != file && FileManager.default.fileExists(atPath: more.path) ? try Self.lines(of: more) : []
                let all = lines + found.filter { $0.hasPrefix(Self.mark) }
                try self.init(file: file, lines: all.map { String($0.dropFirst(Self.mark.count)) })
                return
            }
        }
        throw OneSourceError("\(module) uses the plugin OneSource, so one of its Swift files needs a line \(Self.wanted)")
    }

    /// What `fit` writes.
    static let leftOutName = "LeftOut.swift"

    static func leftOutFile(beside file: URL) -> URL { file.deletingLastPathComponent().appendingPathComponent(leftOutName) }

    static let leavingOut = ["lacking", "naming", "promising", "emptying", "dropping"]

    private static let wanted = "`\(mark)phone from FOLDER` or `\(mark)watch from FOLDER`"

    private init(file: URL, lines: [String]) throws {
        var lists: [String: [String]] = [:]
        var side: String?
        for line in lines {
            func problem(_ what: String) -> OneSourceError { OneSourceError("\(file.path): `\(Self.mark)\(line)` \(what)") }
            var words = Self.words(of: line)[...]
            if words.first?.text == "phone" || words.first?.text == "watch" {
                guard side == nil else { throw problem("is the second line that names a side") }
                side = words.removeFirst().text
                guard words.count > 1, words.first?.text == "from" else { throw problem("should be \(Self.wanted)") }
            }
            var list = ""
            for word in words {
                if !word.isQuoted, (["from", "without", "keeping", "as"] + Self.leavingOut).contains(word.text) {
                    list = word.text
                } else if list.isEmpty {
                    throw problem("should be \(Self.wanted), or begin with 'without', 'keeping' or 'as'")
                } else {
                    lists[list, default: []].append(word.text)
                }
            }
        }
        let places = lists["from"] ?? []
        guard let side, !places.isEmpty else {
            throw OneSourceError("\(file.path): `\(Self.mark)\(lines.first ?? "")` should be \(Self.wanted)")
        }
        if let place = places.first(where: { place in places.filter { $0 == place }.count > 1 }) {
            throw OneSourceError("\(file.path): the line `\(Self.mark)…` names \(place) twice")
        }
        self.file = file
        self.side = side
        self.places = places
        without = lists["without"] ?? []
        keeping = Set(lists["keeping"] ?? [])
        moduleName = lists["as"]?.last
        leftOut = lists.filter { Self.leavingOut.contains($0.key) }.mapValues { Set($0) }
    }

    /// The words of a line. Blanks and commas part them; one in quotation marks may have both.
    private static func words(of line: String) -> [(text: String, isQuoted: Bool)] {
        line.split(separator: "\"", omittingEmptySubsequences: false).enumerated().flatMap { index, part in
            index % 2 == 1
                ? [(String(part), true)]
                : part.split(whereSeparator: { $0 == " " || $0 == "," }).map { (String($0), false) }
        }
    }

    private static func lines(of file: URL) throws -> [Substring] {
        do {
            return try String(contentsOf: file, encoding: .utf8).split(whereSeparator: \.isNewline)
        } catch {
            throw OneSourceError("\(file.path): cannot be read: \(error.localizedDescription)")
        }
    }
}

extension Recipe {
    /// The Swift files of the places, sorted in each, and what each becomes.
    func sources(in package: URL) throws -> [(source: URL, made: String)] {
        var first: [String: URL] = [:]
        let left = without.map { url($0, in: package).path }
        for (name, path) in zip(without, left) where !FileManager.default.fileExists(atPath: path) {
            throw OneSourceError("\(file.path): there is no \(name) to leave out (\(path))")
        }
        let found = try places.flatMap { try sources(of: $0, in: package) }
        return try found.filter { source in !left.contains { source.path == $0 || source.path.hasPrefix($0 + "/") } }.map { source in
            // Named otherwise than its source, so that `#fileID` names one file of the module only.
            let made = "\(source.deletingPathExtension().lastPathComponent).\(side).swift"
            if let other = first.updateValue(source, forKey: made) {
                throw OneSourceError(
                    "\(source.path): \(other.path) has the same name, and the files of a module need names of their own")
            }
            return (source, made)
        }
    }

    private func url(_ place: String, in package: URL) -> URL {
        (place.hasPrefix("/") ? URL(fileURLWithPath: place) : package.appendingPathComponent(place)).standardizedFileURL
    }

    private func sources(of place: String, in package: URL) throws -> [URL] {
        let root = url(place, in: package)
        if place.hasSuffix(".swift") {
            guard FileManager.default.fileExists(atPath: root.path) else {
                throw OneSourceError("\(file.path): there is no file \(root.path)")
            }
            return [root]
        }
        let names = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
        let files = names.filter { $0.hasSuffix(".swift") }.sorted()
        guard !files.isEmpty else { throw OneSourceError("\(file.path): there is no Swift file in the folder \(root.path)") }
        return files.map { root.appendingPathComponent($0) }
    }
}

struct OneSourceError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
