import Foundation

/// A file of the repository, all or part of which is made from tables in the sources, from the headers of scenarios or from the titles of tests.
struct Document: Sendable {
    /// In the repository.
    let path: String
    /// The whole text of the file, made from what stands in it now.
    let make: @Sendable (_ old: String) throws(DocumentError) -> String

    static let all = [
        Document(path: "FIDELITY.md") { _ in FidelityPage.markdown },
        Document(path: "Scenarios/GRAMMAR.md") { old throws(DocumentError) in try GrammarTables.page(from: old) },
        Document(path: TracePage.path) { _ in TracePage.markdown },
        Document(path: "Scenarios/troubles/README.md") { _ in TroubleIndex.markdown },
        Document(path: "Examples/Editors/vscode/scenario.tmLanguage.json") { _ in TextMateGrammar.json },
        Document(path: "Sources/DeviceSim/Catalogue/Rules/SessionRule+Tests.swift") { _ in RuleCoverage.sourceOfSuites },
    ]

    /// Whether the file says what it is made from.
    func isUpToDate() throws(DocumentError) -> Bool {
        let old = RepositoryFiles.text(path)
        return try old == make(old ?? "")
    }

    /// Makes the file anew.
    /// - Returns: Whether that changed it.
    func write() throws -> Bool {
        let old = RepositoryFiles.text(path)
        let new = try make(old ?? "")
        guard new != old else { return false }
        try Data(new.utf8).write(to: RepositoryFiles.root.appendingPathComponent(path), options: .atomic)
        return true
    }
}

/// Why a document cannot be made.
enum DocumentError: Error, Equatable, CustomStringConvertible {
    /// One of the lines around the tables is not in the file. With them put back, the tables between them are made anew.
    case noPlaceForTables(opening: String, closing: String)

    var description: String {
        switch self {
        case .noPlaceForTables(let opening, let closing):
            "the tables stand between two lines, which must both be there: \(opening.trimmingCharacters(in: .newlines)) and "
                + closing.trimmingCharacters(in: .newlines)
        }
    }
}

/// The files of the repository that this tool was built from.
enum RepositoryFiles {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// What lies in a folder and below it, by its path in the folder, sorted.
    static func paths(in folder: String) -> [String] {
        (FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)?.compactMap { $0 as? String } ?? []).sorted()
    }

    /// `nil` where there is no such file.
    static func text(_ path: String) -> String? {
        (try? Data(contentsOf: root.appendingPathComponent(path))).map { String(decoding: $0, as: UTF8.self) }
    }
}
