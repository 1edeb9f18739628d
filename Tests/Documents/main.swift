// Writes the documents that are made from the sources, or with `--check` says which are out of date; the exit status is 1 if one is.
//
//     swift run documents [--check]

import Foundation

func complain(_ message: String) { FileHandle.standardError.write(Data("documents: \(message)\n".utf8)) }

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.isEmpty || arguments == ["--check"] else {
    complain("usage: documents [--check]")
    exit(64)
}
var status: Int32 = 0
for document in Document.all {
    do {
        if arguments.isEmpty {
            print(try document.write() ? "written: \(document.path)" : "as it was: \(document.path)")
        } else if try !document.isUpToDate() {
            complain("\(document.path) is out of date: run `swift run documents`")
            status = 1
        }
    } catch {
        complain("\(document.path): \(error)")
        status = 1
    }
}
exit(status)
