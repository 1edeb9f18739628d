import Foundation

// Called by the plugin: onesource phone ORIGINAL OUTPUT, onesource names OUTPUT.

do {
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch (arguments.first, arguments.count) {
    case ("names", 2):
        try Data(SystemNames.source.utf8).write(to: URL(fileURLWithPath: arguments[1]))
    case (let side?, 3) where Side(rawValue: side) != nil:
        guard let side = Side(rawValue: side) else { break }
        let source = try String(contentsOf: URL(fileURLWithPath: arguments[1]), encoding: .utf8)
        let rewritten = SourceRewriter.rewrite(source, path: arguments[1], side: side)
        try Data(rewritten.utf8).write(to: URL(fileURLWithPath: arguments[2]))
    default:
        FileHandle.standardError.write(Data("usage: onesource phone|watch SOURCE OUTPUT, onesource names OUTPUT\n".utf8))
        exit(64)
    }
} catch {
    FileHandle.standardError.write(Data("error: onesource: \(error.localizedDescription)\n".utf8))
    exit(1)
}
