import Foundation

// Called by the plugin: OneSourceTool phone SOURCE OUTPUT, OneSourceTool names phone OUTPUT.

func fail(_ message: String, status: Int32) -> Never {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    exit(status)
}

let arguments = Array(CommandLine.arguments.dropFirst())
let made: String
switch (arguments.first, arguments.count) {
case ("names", 3):
    guard let side = Side(rawValue: arguments[1]) else {
        fail("error: OneSourceTool: there is no side '\(arguments[1])'; write phone or watch", status: 64)
    }
    made = SystemNames.source(for: side)
case (let name?, 3):
    guard let side = Side(rawValue: name) else {
        fail("error: OneSourceTool: there is no side '\(name)'; write phone or watch", status: 64)
    }
    // Errors are in the compiler's form, so that editors show them at the file.
    do {
        let source = try String(contentsOf: URL(fileURLWithPath: arguments[1]), encoding: .utf8)
        made = try SourceRewriter.rewrite(source, path: arguments[1], side: side)
    } catch let problem as SourceProblem {
        fail("\(arguments[1]):\(problem.line):\(problem.column): error: \(problem.message)", status: 1)
    } catch {
        fail("\(arguments[1]):1:1: error: the file cannot be read as UTF-8 text: \(error.localizedDescription)", status: 1)
    }
default:
    fail("usage: OneSourceTool phone|watch SOURCE OUTPUT, OneSourceTool names phone|watch OUTPUT", status: 64)
}
do {
    try Data(made.utf8).write(to: URL(fileURLWithPath: arguments[2]))
} catch {
    fail("error: OneSourceTool: \(arguments[2]) cannot be written: \(error.localizedDescription)", status: 1)
}
