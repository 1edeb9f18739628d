import Testing

@testable import OneSourceTool

/// The file of names that a made module gets.
@Suite struct SystemNameTests {
    @Test(arguments: Side.allCases) func nothingOfDeviceSimIsImported(_ side: Side) {
        let imports = SystemNames.source(for: side).split(separator: "\n").filter { $0.contains("import ") }
        #expect(
            imports == [
                "@_exported import Combine", "@_exported import Foundation", "@_exported import SimulatedKits",
                "@_exported import SimulatedSystem",
            ])
    }

    /// Default arguments and inlinable code of public declarations may name public types and what is usable from inline, and nothing else.
    @Test func publicCodeMayUseAllOfIt() {
        let lines = SystemNames.source(for: .watch).split(separator: "\n")
        let declarations = lines.filter {
            $0.contains(#/^(    )?(@usableFromInline |public |nonisolated |static |mutating )*(func|var|init|typealias)\b/#)
        }
        #expect(declarations.count > 50)
        for line in declarations {
            #expect(
                line.hasPrefix("public ") || line.hasPrefix("@usableFromInline ") || line.hasPrefix("    @usableFromInline "), "\(line)")
        }
    }

    @Test func theTableIsSortedAndNamesEachOnce() {
        for table in [SystemNames.types, SystemNames.watchTypes] {
            #expect(table.map(\.name) == Set(table.map(\.name)).sorted())
        }
    }
}
