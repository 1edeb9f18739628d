import Foundation

/// The folder that `--save` names: what was found, as scenario files. None of them ever replaces another file.
struct FoundFolder {
    let path: String
    let files: any FileAccess

    enum Saved: Equatable {
        case new(String)
        /// A file that says the same is there, from an earlier search or another shard.
        case known(String)
    }

    /// - Parameter slug: What the file is called, if that name is free.
    func save(_ text: String, slug: String) throws(FileError) -> Saved {
        var number = 1
        while true {
            let path = "\(path)/\(slug)\(number == 1 ? "" : "-\(number)").scenario"
            if try files.create(Data(text.utf8), at: path) { return .new(path) }
            if try files.kind(of: path) == .file, Self.isSame(String(decoding: try files.read(path), as: UTF8.self), text) {
                return .known(path)
            }
            number += 1
        }
    }

    /// Whether two scenarios differ at most in what they say of the runs that they were found by, which another seed estimates otherwise.
    private static func isSame(_ one: String, _ other: String) -> Bool {
        func essence(_ text: String) -> [Substring] {
            text.split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.hasPrefix("#") }
        }
        return essence(one) == essence(other)
    }
}

extension Console {
    /// Shows a failure that a search found, and saves its scenario if a folder is named.
    /// - Returns: Whether the scenario is there.
    func show(_ failure: FoundFailure, savingIn folder: FoundFolder?) -> Bool {
        for line in failure.lines(style: style) { print(line) }
        var isSaved = true
        var savedPath: String?
        if let small = failure.small, let folder {
            do throws(FileError) {
                switch try folder.save(small.text, slug: small.slug) {
                case .new(let path):
                    savedPath = path
                    print("  \(style.paint("saved", .bold))     \(SafeText.line(path))")
                case .known(let path): print("  \(style.paint("known", .bold))     \(SafeText.line(path))")
                }
            } catch {
                isSaved = false
                complain(error.text("write the scenario"))
            }
        }
        print(failure.replayLine(style: style, program: program))
        annotate(
            GitHubAnnotation.error(
                path: savedPath.map(annotated), title: "pairsim explore: \(failure.invariant.rawValue)",
                message: ([failure.invariant.sentence] + failure.explanation + [failure.replay]).joined(separator: "\n")))
        return isSaved
    }
}
