// Checks the comments of public symbols, and puts the symbol graphs of each library's modules where DocC reads them.
//
// documentation-check GRAPHS OUTPUT LIBRARY=MODULE[,MODULE…]…
//
// GRAPHS is a folder of symbol graphs. Of each library, the graphs of its modules are written to OUTPUT/LIBRARY under the library's name, since that is
// what a user imports. Every problem is printed with its file and line, and the exit status is 1 if there is one.

import Foundation

func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data("documentation-check: \(message)\n".utf8))
    exit(64)
}

let arguments = CommandLine.arguments.dropFirst()
guard arguments.count >= 3, let graphs = arguments.first, let output = arguments.dropFirst().first else {
    fail("usage: documentation-check GRAPHS OUTPUT LIBRARY=MODULE[,MODULE…]…")
}
let root = FileManager.default.currentDirectoryPath
var problems: [CommentProblem] = []
var count = 0
for library in arguments.dropFirst(2) {
    let parts = library.split(separator: "=").map(String.init)
    guard parts.count == 2 else { fail("'\(library)' is not LIBRARY=MODULE[,MODULE…]") }
    do {
        let folder = URL(fileURLWithPath: output).appendingPathComponent(parts[0])
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for module in parts[1].split(separator: ",") {
            let data = try Data(contentsOf: URL(fileURLWithPath: graphs).appendingPathComponent("\(module).symbols.json"))
            let graph = try JSONDecoder().decode(SymbolGraph.self, from: data)
            problems += graph.problems(root: root)
            count += graph.symbols.count
            guard var document = try JSONSerialization.jsonObject(with: data) as? [String: Any],
                var described = document["module"] as? [String: Any]
            else { fail("the graph of \(module) names no module") }
            described["name"] = parts[0]
            document["module"] = described
            let renamed = try JSONSerialization.data(withJSONObject: document, options: .sortedKeys)
            try renamed.write(to: folder.appendingPathComponent("\(module).symbols.json"))
        }
    } catch {
        fail("\(parts[0]): \(error)")
    }
}
for problem in problems.sorted() { print(problem) }
print("\(count) public symbols, \(problems.count) problems")
exit(problems.isEmpty ? 0 : 1)
