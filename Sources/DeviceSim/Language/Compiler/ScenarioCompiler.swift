import LocalData

/// Makes runs of scenario files: reads, includes, substitutes, types and checks them, and finds all that is wrong in one go.
///
/// Same files, same result. Safe to call from any thread.
public enum ScenarioCompiler {
    /// With so many errors, the rest of a file is not looked at.
    public static let maximumErrorCount = DiagnosticList.limit

    /// - Parameters:
    ///   - path: the file, as the user named it.
    ///   - files: where files are read from.
    ///   - catalogs: what an embedding test registered for `catalog NAME` lines.
    public static func compile(
        path: String, files: ScenarioFiles = .disk, catalogs: [String: any StorageKeyCatalog] = [:]
    ) -> ScenarioCompilation {
        let report = CompilerReport(rootPath: path)
        let expander = FileExpander(files: files, report: report)
        guard let root = expander.load(path) else {
            return ScenarioCompilation(header: ScenarioHeader(), scenarios: [], diagnosticsAsWritten: report.sorted, mask: DiagnosticMask())
        }
        let header = root.header
        guard !root.statements.isEmpty else {
            if report.isEmpty { report.faultFile(path, isEmpty: root.headerLines.isEmpty && root.trailing.isEmpty) }
            return ScenarioCompilation(header: header, scenarios: [], diagnosticsAsWritten: report.sorted, mask: DiagnosticMask())
        }
        let table = examples(in: root, report: report)
        var scenarios: [Scenario] = []
        var budget = ValueParser.budget
        var mask = DiagnosticMask()
        for (index, row) in rows(of: table).enumerated() where !report.isFull {
            let run = RunCompiler(expander: expander, report: report, catalogs: catalogs, budget: budget)
            let name = row == nil ? path : "\(path)[\(index + 1)]"
            var scenario = run.compile(
                root, name: name, header: header, row: nil, variables: variables(of: table, row: row))
            scenario.rowLine = row?.range.line
            // Of a file with problems a step may speak of a key that is none.
            if let row, let table, report.isEmpty { scenario.row = table.label(of: row, in: scenario, of: root) }
            mask.add(run)
            scenarios.append(scenario)
            budget = run.context.budget
        }
        // A line that is faulty may have used what now nothing does.
        if report.isEmpty { expander.refuseUnused(columns: table?.columnsInUse ?? [], of: path) }
        if !report.isEmpty { mask.add(definitions: report.definitions) }
        return ScenarioCompilation(
            header: header, scenarios: report.isEmpty ? scenarios : [], diagnosticsAsWritten: report.sorted, mask: mask)
    }

    private static func examples(in document: ScenarioDocument, report: CompilerReport) -> ExamplesTable? {
        var table: ExamplesTable?
        var first: SourceRange?
        for statement in document.statements where statement.tokens.first?.isWord("examples") == true && !statement.isBroken {
            if let first {
                report.diagnose(
                    statement.range, "there is a table of examples already, at line \(first.line)", hint: "put the rows into one table")
                continue
            }
            first = statement.range
            table = ExamplesTable.read(statement) { report.diagnose($0, $1, hint: $2) }
        }
        return table
    }

    private static func rows(of table: ExamplesTable?) -> [ExamplesTable.Row?] {
        guard let table, !table.rows.isEmpty else { return [nil] }
        return table.rows
    }

    private static func variables(of table: ExamplesTable?, row: ExamplesTable.Row?) -> [String: [Token]?] {
        guard let table else { return [:] }
        var variables: [String: [Token]?] = [:]
        for (index, name) in table.names.enumerated() {
            // Without rows there is a fault already; the columns' names are known and stand for nothing.
            variables[name] = .some(row?.cells[index])
        }
        return variables
    }
}

/// What came of compiling a scenario file.
public struct ScenarioCompilation: Sendable {
    /// Also of a faulty file, as far as it was read.
    public let header: ScenarioHeader
    /// The runs that the file asks for: one, or one for each row of its examples. Empty if anything is wrong.
    public let scenarios: [Scenario]
    /// All that is wrong, in the order of the file. Empty if the scenarios can be run. Values are left out that may be a secret's.
    public let diagnostics: [ScenarioDiagnostic]
    /// The same, one for one, with all that the file says: for nobody but the person who has the file before him.
    package let diagnosticsAsWritten: [ScenarioDiagnostic]

    init(header: ScenarioHeader, scenarios: [Scenario], diagnosticsAsWritten: [ScenarioDiagnostic], mask: DiagnosticMask) {
        self.header = header
        self.scenarios = scenarios
        self.diagnosticsAsWritten = diagnosticsAsWritten
        diagnostics = diagnosticsAsWritten.map { mask.masked($0) }
    }
}
