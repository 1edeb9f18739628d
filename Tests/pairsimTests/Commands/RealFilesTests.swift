import Foundation
import Testing

@testable import PairsimTool

struct RealFilesTests {
    private let files = RealFiles()

    /// Runs the body with a folder of its own.
    private func withFolder(_ name: String = #function, _ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("pairsim-files-\(getpid())-\(name.prefix { $0 != "(" })")
            .path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    @Test func writingMakesTheFoldersAndLeavesNothingElse() throws {
        try withFolder { folder in
            try files.write(Data("one".utf8), to: folder + "/a/b/report.xml")
            try files.write(Data("two".utf8), to: folder + "/a/b/report.xml")
            #expect(try Data(contentsOf: URL(fileURLWithPath: folder + "/a/b/report.xml")) == Data("two".utf8))
            #expect(try files.names(in: folder + "/a/b") == ["report.xml"])
        }
    }

    /// Nobody may ever write into it.
    @Test func aPipeIsNotWaitedFor() throws {
        try withFolder { folder in
            #expect(mkfifo(folder + "/pipe", 0o600) == 0)
            let error = #expect(throws: FileError.self) { try files.read(folder + "/pipe") }
            #expect(error?.reason == "it is not a regular file")
        }
    }

    /// Nor is one waited for that nobody reads.
    @Test func aPipeWithoutAReaderIsNotWrittenTo() throws {
        try withFolder { folder in
            #expect(mkfifo(folder + "/pipe", 0o600) == 0)
            let error = #expect(throws: FileError.self) { try files.write(Data("x".utf8), to: folder + "/pipe") }
            #expect(error?.reason.hasPrefix("nobody reads it") == true)
            let reader = open(folder + "/pipe", O_RDONLY | O_NONBLOCK)
            defer { close(reader) }
            try files.write(Data("x".utf8), to: folder + "/pipe")
            var byte: UInt8 = 0
            #expect(Foundation.read(reader, &byte, 1) == 1 && byte == UInt8(ascii: "x"))
        }
    }

    /// Processes of two containers may have the same number, and somebody may have put a link there that leads to a file of another.
    @Test func aNameThatCanBeGuessedIsNotUsed() throws {
        try withFolder { folder in
            try files.write(Data("precious".utf8), to: folder + "/precious")
            let guess = folder + "/report.xml.pairsim-\(getpid())"
            try FileManager.default.createSymbolicLink(atPath: guess, withDestinationPath: "precious")
            try files.write(Data("x".utf8), to: folder + "/report.xml")
            #expect(try files.create(Data("y".utf8), at: folder + "/new.xml") && !files.create(Data("z".utf8), at: folder + "/new.xml"))
            #expect(try files.read(folder + "/precious") == Data("precious".utf8))
            #expect(try files.read(folder + "/report.xml") == Data("x".utf8) && files.read(folder + "/new.xml") == Data("y".utf8))
            #expect(try files.names(in: folder).count == 4)
        }
    }

    @Test func aLinkThatLeadsNowhereYetIsFollowed() throws {
        try withFolder { folder in
            try FileManager.default.createSymbolicLink(atPath: folder + "/link", withDestinationPath: "deep/report.xml")
            try FileManager.default.createSymbolicLink(atPath: folder + "/self", withDestinationPath: "self")
            try files.write(Data("x".utf8), to: folder + "/link")
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder + "/link") == "deep/report.xml")
            #expect(try files.read(folder + "/deep/report.xml") == Data("x".utf8))
            #expect(throws: FileError.self) { try files.write(Data(), to: folder + "/self") }
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder + "/self") == "self")
        }
    }

    @Test func whatIsDoneAloneIsDoneByOneAtATime() throws {
        try withFolder { folder in
            let path = folder + "/cache/list"
            try files.makeFolder(folder + "/cache")
            DispatchQueue.concurrentPerform(iterations: 8) { number in
                files.alone(at: path) {
                    let before = (try? files.read(path)) ?? Data()
                    try? files.write(before + Data("\(number)".utf8), to: path)
                }
            }
            #expect(try files.read(path).count == 8)
        }
    }

    /// Some have no end: `/dev/zero` and `/dev/full` give as many bytes as one reads.
    @Test(arguments: ["/dev/zero", "/dev/full", "/dev/null"]) func aDeviceIsNotRead(path: String) {
        for error in [
            #expect(throws: FileError.self) { try files.read(path) }, #expect(throws: FileError.self) { try files.read(path, first: 10) },
        ] {
            #expect(error == FileError(path: path, reason: "it is not a regular file"))
        }
    }

    @Test func noMoreIsReadThanFits() throws {
        try withFolder { folder in
            let path = folder + "/large"
            try files.write(Data("abc".utf8), to: path)
            #expect(try files.read(path) == Data("abc".utf8) && files.read(path, first: 2) == Data("ab".utf8))
            // Without a block on the disk.
            #expect(truncate(path, off_t(RealFiles.maximumByteCount) + 1) == 0)
            let error = #expect(throws: FileError.self) { try files.read(path) }
            #expect(error?.reason.hasPrefix("it has more than 512 MiB") == true)
            #expect(try files.read(path, first: 4) == Data("abc\0".utf8))
            #expect(throws: FileError(path: folder, reason: "is a directory")) { try files.read(folder) }
        }
    }

    @Test func whereNothingCanBeWrittenIsKnownBefore() throws {
        try withFolder { folder in
            try files.write(Data(), to: folder + "/file")
            try FileManager.default.createSymbolicLink(atPath: folder + "/nowhere", withDestinationPath: "gone")
            #expect(files.obstacle(toWritingIn: folder) == nil && files.obstacle(toWritingIn: folder + "/a/b/c") == nil)
            #expect(files.obstacle(toWritingIn: ".") == nil && files.obstacle(toWritingIn: "") == nil)
            #expect(files.obstacle(toWritingIn: folder + "/file") == FileError(path: folder + "/file", reason: "not a directory"))
            for path in ["/file/below", "/file/below/deep", "/nowhere", "/nowhere/below"] {
                #expect(files.obstacle(toWritingIn: folder + path) != nil, "\(path)")
            }
            #expect(try files.names(in: folder).sorted() == ["file", "nowhere"])
        }
    }

    @Test func aRewrittenFileKeepsItsModeAndItsLink() throws {
        try withFolder { folder in
            let target = folder + "/target"
            try files.write(Data("one".utf8), to: target)
            #expect(chmod(target, 0o640) == 0)
            try FileManager.default.createSymbolicLink(atPath: folder + "/link", withDestinationPath: "target")
            try files.write(Data("two".utf8), to: folder + "/link")
            #expect(try Data(contentsOf: URL(fileURLWithPath: target)) == Data("two".utf8))
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder + "/link") == "target")
            var status = stat()
            #expect(stat(target, &status) == 0)
            #expect(status.st_mode & 0o777 == 0o640)
        }
    }

    /// A new file in its place would be cut off from the other names.
    @Test func aFileWithTwoNamesKeepsBoth() throws {
        try withFolder { folder in
            try files.write(Data("one and more".utf8), to: folder + "/a.scenario")
            #expect(link(folder + "/a.scenario", folder + "/b.scenario") == 0)
            try files.write(Data("two".utf8), to: folder + "/a.scenario")
            #expect(try files.read(folder + "/b.scenario") == Data("two".utf8))
            #expect(files.identity(of: folder + "/a.scenario") == files.identity(of: folder + "/b.scenario"))
            #expect(try files.names(in: folder).sorted() == ["a.scenario", "b.scenario"])
        }
    }

    @Test func aPlaceIsTheSameForAllNames() throws {
        try withFolder { folder in
            let place = files.place(of: folder)
            try files.makeFolder(folder + "/real/deep")
            for (link, target) in [("link", "real/deep"), ("gone", "real/none"), ("self", "self")] {
                try FileManager.default.createSymbolicLink(atPath: folder + "/" + link, withDestinationPath: target)
            }
            #expect(
                files.place(of: folder + "/link/../x") == place + "/real/x" && files.place(of: folder + "/gone") == place + "/real/none")
            #expect(files.place(of: folder + "//./none/../y/") == place + "/y" && files.place(of: "/..") == "/")
            #expect(files.place(of: folder + "/self").hasPrefix(place))
        }
    }

    /// The folder would let it be replaced, also by who may write into anything.
    @Test func aReadOnlyFileStays() throws {
        try withFolder { folder in
            try files.write(Data("one".utf8), to: folder + "/a.scenario")
            #expect(chmod(folder + "/a.scenario", 0o444) == 0)
            let error = #expect(throws: FileError.self) { try files.write(Data("two".utf8), to: folder + "/a.scenario") }
            #expect(error?.reason == "permission denied")
            #expect(try files.read(folder + "/a.scenario") == Data("one".utf8))
            #expect(try files.names(in: folder) == ["a.scenario"])
        }
    }

    @Test func whatIsNotAFileIsNotReplaced() throws {
        try withFolder { folder in
            try files.write(Data("x".utf8), to: "/dev/null")
            #expect(try files.kind(of: "/dev/null") == .other)
            #expect(throws: FileError(path: folder, reason: "is a directory")) { try files.write(Data(), to: folder) }
            try files.write(Data(), to: folder + "/file")
            #expect(throws: FileError(path: folder + "/file/below", reason: "not a directory")) {
                try files.write(Data(), to: folder + "/file/below/report.xml")
            }
        }
    }

    @Test func missingThings() throws {
        try withFolder { folder in
            #expect(try files.kind(of: folder + "/none") == nil)
            #expect(throws: FileError(path: folder + "/none", reason: "no such file or directory")) {
                try files.names(in: folder + "/none")
            }
            try files.makeFolder(folder + "/x/y/z")
            try files.makeFolder(folder + "/x/y/z")
            #expect(try files.kind(of: folder + "/x/y") != nil)
        }
    }
}
