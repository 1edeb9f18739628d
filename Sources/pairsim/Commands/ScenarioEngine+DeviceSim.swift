import DeviceSim
import Foundation

extension ScenarioEngine {
    /// The language and the simulation of DeviceSim.
    ///
    /// - Parameter files: Where scenario files, and what they include, are read from.
    static func deviceSim(files: ScenarioFiles = .disk) -> ScenarioEngine {
        ScenarioEngine(
            load: { path in
                let compilation = ScenarioCompiler.compile(path: path, files: files)
                return LoadedFile(
                    path: path, scenarios: compilation.scenarios, problems: compilation.diagnostics.map { FileProblem($0, in: path) })
            },
            format: { path in
                do throws(ScenarioDiagnostic) {
                    let bytes = try files.read(path)
                    return switch ScenarioFormatter.format(try SourceText(path: path, bytes: bytes)) {
                    case .success(let text): .formatted(old: Data(bytes), new: Data(text.utf8))
                    case .failure(let failure): .problems(failure.diagnostics.map { FileProblem($0, in: path) })
                    }
                } catch {
                    return .problems([FileProblem(error, in: path)])
                }
            },
            run: { scenario, options in ScenarioRunner.run(scenario, options: options) },
            obstacle: HostRuntime.obstacle)
    }
}

extension FileProblem {
    /// - Parameter root: The file that the user named. Another one that cannot be read is a mistake in an `include` of this one.
    fileprivate init(_ diagnostic: ScenarioDiagnostic, in root: String) {
        let range = diagnostic.range
        self.init(
            kind: diagnostic.kind == .unreadable && range.path == root ? .access : .syntax, path: range.path,
            line: range.line > 0 ? range.line : nil, column: range.line > 0 ? range.column : nil, message: diagnostic.message,
            text: diagnostic.rendered())
    }
}
