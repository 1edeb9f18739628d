import Foundation

extension Probe {
    func useFiles() throws {
        let files = FileManager.default
        let documents = try files.url(for: .documentDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
        let folder = documents.appendingPathComponent("Notes/\(side)")
        try files.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appendingPathComponent("a.txt")
        try Data("one".utf8).write(to: file)
        try "two".write(to: file, atomically: true, encoding: .utf8)
        try files.copyItem(at: file, to: folder.appendingPathComponent("b.txt"))
        try files.moveItem(at: file, to: URL.temporaryDirectory.appendingPathComponent("c.txt"))
        log("names \(try files.contentsOfDirectory(atPath: folder.path)) \(files.fileExists(atPath: file.path))")
        log("text \(try String(contentsOf: files.temporaryDirectory.appendingPathComponent("c.txt"), encoding: .utf8))")
        log("other side \(files.fileExists(atPath: documents.appendingPathComponent("Notes/\(side == "phone" ? "watch" : "phone")").path))")
        do {
            _ = try Data(contentsOf: file)
        } catch CocoaError.fileReadNoSuchFile {
            log("gone")
        }
        do {
            try Data().write(to: folder.appendingPathComponent("b.txt"), options: .withoutOverwriting)
        } catch CocoaError.fileWriteFileExists {
            log("exists")
        }
        do {
            try files.removeItem(at: folder)
        } catch CocoaError.featureUnsupported {
            log("kept")
        }
    }
}
