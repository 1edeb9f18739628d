import Foundation
import LocalData
import Synchronization

/// What the tool asks of DeviceSim. Tests of the tool bring their own.
struct ScenarioEngine: Sendable {
    /// Reads a file and what it includes, and makes runs of it.
    var load: @Sendable (_ path: String) -> LoadedFile
    /// The files that a file includes, and those that these include, whether they are there or not.
    var included: @Sendable (_ path: String) -> [String] = { _ in [] }
    /// The text of a file in the canonical layout.
    var format: @Sendable (_ path: String) -> FormattedFile
    /// As ``load``, with the texts of some files in place of what lies there, and what is wrong as the language says it.
    var compile: @Sendable (_ path: String, _ texts: [String: String]) -> ScenarioCompilation = { path, texts in
        ScenarioCompiler.compile(path: path, files: .memory(texts))
    }
    /// How many lines a file has that can be read.
    var lineCount: @Sendable (_ path: String) -> Int? = { _ in nil }
    /// Runs a scenario on the calling thread.
    var run: @Sendable (Scenario, RunOptions) -> ScenarioResult
    /// What keeps runs from being deterministic on this host; `nil`: nothing.
    var obstacle: String?
    /// How a search makes its runs. Tests of the tool plant a mistake here, to be found.
    var search = RunOptions()
    /// What `catalog NAME` lines may name.
    var catalogs: [String: any StorageKeyCatalog] = [:]
}

/// A scenario file that has been read.
struct LoadedFile: Sendable {
    let path: String
    /// One for each row of the file's examples; empty when the file has problems.
    var scenarios: [Scenario] = []
    var problems: [FileProblem] = []
}

enum FormattedFile: Sendable {
    case formatted(old: Data, new: Data)
    case problems([FileProblem])
}

/// What is wrong with a file.
struct FileProblem: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case syntax
        /// The file itself could not be read.
        case access
    }

    let kind: Kind
    /// Of the file at fault, which may be an included one.
    let path: String
    let line: Int?
    let column: Int?
    let message: String
    /// The lines that a person reads: place, source line with caret, what is wrong, what would be right. No value that may be a secret's.
    let text: String
    /// The same with all that the file says: for a terminal at which somebody sits, and for no log and no report.
    let textAsWritten: String

    /// - Parameter textAsWritten: `nil` where nothing was left out.
    init(
        kind: Kind = .syntax, path: String, line: Int? = nil, column: Int? = nil, message: String, text: String? = nil,
        textAsWritten: String? = nil
    ) {
        self.kind = kind
        self.path = path
        self.line = line
        self.column = column
        self.message = message
        let place = ([path] + [line, column].compactMap { $0.map(String.init) }).joined(separator: ":")
        self.text = text ?? "\(place): error: \(message)"
        self.textAsWritten = textAsWritten ?? self.text
    }

    var status: ExitStatus { kind == .access ? .cannotRun : .unparsable }

    /// With the text that a person reads.
    var json: JSONValue {
        .object([
            "path": .text(path), "line": .optional(line), "column": .optional(column), "message": .text(message), "text": .text(text),
        ])
    }
}

extension ScenarioEngine {
    /// The language and the simulation of DeviceSim.
    ///
    /// - Parameters:
    ///   - files: Where scenario files, and what they include, are read from.
    ///   - app: Whose code is run.
    static func deviceSim(files: ScenarioFiles = .disk, app: AppUnderTest = AppUnderTest()) -> ScenarioEngine {
        ScenarioEngine(
            load: { path in
                let compilation = ScenarioCompiler.compile(path: path, files: files, catalogs: app.catalogs)
                return LoadedFile(
                    path: path, scenarios: compilation.scenarios,
                    problems: zip(compilation.diagnostics, compilation.diagnosticsAsWritten).map {
                        FileProblem($0, asWritten: $1, in: path)
                    })
            },
            included: { path in
                let read = Mutex<Set<String>>([])
                let noting = ScenarioFiles { file throws(ScenarioDiagnostic) in
                    read.withLock { _ = $0.insert(file) }
                    return try files.read(file)
                }
                _ = ScenarioCompiler.compile(path: path, files: noting, catalogs: app.catalogs)
                return read.withLock { $0.subtracting([path]).sorted() }
            },
            format: { path in
                do throws(ScenarioDiagnostic) {
                    let bytes = try files.read(path)
                    return switch ScenarioFormatter.format(try SourceText(path: path, bytes: bytes)) {
                    case .success(let text): .formatted(old: Data(bytes), new: Data(text.utf8))
                    case .failure(let failure):
                        // What its keys are is not looked at, so any value may be a secret's.
                        .problems(failure.diagnostics.map { FileProblem(DiagnosticMask().masked($0), asWritten: $0, in: path) })
                    }
                } catch {
                    return .problems([FileProblem(DiagnosticMask().masked(error), asWritten: error, in: path)])
                }
            },
            compile: { path, texts in
                let over = ScenarioFiles { path throws(ScenarioDiagnostic) in
                    guard let text = texts[path] else { return try files.read(path) }
                    return Array(text.utf8)
                }
                return ScenarioCompiler.compile(path: path, files: over, catalogs: app.catalogs)
            },
            lineCount: { path in (try? files.read(path)).flatMap { try? SourceText(path: path, bytes: $0) }?.lineCount },
            run: { scenario, options in ScenarioRunner.run(scenario, options: app.adapting(options)) },
            obstacle: HostRuntime.obstacle, search: app.adapting(RunOptions()), catalogs: app.catalogs)
    }
}

extension FileProblem {
    /// - Parameter root: The file that the user named. Another one that cannot be read is a mistake in an `include` of this one.
    fileprivate init(_ diagnostic: ScenarioDiagnostic, asWritten: ScenarioDiagnostic, in root: String) {
        let range = diagnostic.range
        self.init(
            kind: diagnostic.kind == .unreadable && range.path == root ? .access : .syntax, path: range.path,
            line: range.line > 0 ? range.line : nil, column: range.line > 0 ? range.column : nil, message: diagnostic.message,
            text: diagnostic.rendered(), textAsWritten: asWritten.rendered())
    }
}
