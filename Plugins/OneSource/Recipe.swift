import Foundation

/// What a target that the plugin makes says it is made of: a side, and the folders of the sources.
///
/// Knows nothing of the package manager, so that tests can compile it too.
struct Recipe {
    static let mark = "// OneSource: "

    /// The file that says it.
    let file: URL
    /// `phone` or `watch`.
    let side: String
    /// Relative to the package's folder.
    let folders: [String]

    /// - Parameters:
    ///   - module: The target's name.
    ///   - files: The target's own Swift files.
    init(module: String, files: [URL]) throws {
        let wanted = "`\(Self.mark)phone from FOLDER` or `\(Self.mark)watch from FOLDER`"
        for file in files {
            guard let line = try Self.lines(of: file).first(where: { $0.hasPrefix(Self.mark) }) else { continue }
            let words = line.dropFirst(Self.mark.count).split(whereSeparator: { $0 == " " || $0 == "," }).map(String.init)
            guard words.count > 2, words[0] == "phone" || words[0] == "watch", words[1] == "from" else {
                throw OneSourceError("\(file.path): `\(line)` should be \(wanted)")
            }
            if let folder = words[2...].first(where: { folder in words[2...].filter { $0 == folder }.count > 1 }) {
                throw OneSourceError("\(file.path): `\(line)` names the folder \(folder) twice")
            }
            self.file = file
            side = words[0]
            folders = Array(words[2...])
            return
        }
        throw OneSourceError("\(module) uses the plugin OneSource, so one of its Swift files needs a line \(wanted)")
    }

    private static func lines(of file: URL) throws -> [Substring] {
        do {
            return try String(contentsOf: file, encoding: .utf8).split(whereSeparator: \.isNewline)
        } catch {
            throw OneSourceError("\(file.path): cannot be read: \(error.localizedDescription)")
        }
    }

    /// The Swift files of the folders, sorted, and what each becomes.
    func sources(in package: URL) throws -> [(source: URL, made: String)] {
        var first: [String: URL] = [:]
        return try folders.flatMap { folder in
            let root = package.appendingPathComponent(folder).standardizedFileURL
            let names = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
            let files = names.filter { $0.hasSuffix(".swift") }.sorted()
            guard !files.isEmpty else { throw OneSourceError("\(file.path): there is no Swift file in the folder \(root.path)") }
            return try files.map { name in
                let source = root.appendingPathComponent(name)
                // Named otherwise than its source, so that `#fileID` names one file of the module only.
                let made = "\(source.deletingPathExtension().lastPathComponent).\(side).swift"
                if let other = first.updateValue(source, forKey: made) {
                    throw OneSourceError(
                        "\(source.path): \(other.path) has the same name, and the files of a module need names of their own")
                }
                return (source, made)
            }
        }
    }
}

struct OneSourceError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
