import DeviceSim
import Foundation
import LocalData
import Testing

/// The laws of a file system, over the simulated disk, the real files of a simulated device, and the plain adapter.
@Suite struct FileSystemConformanceTests {
    private func with(_ backend: StorageBackend, _ body: (any FileSystem, String) throws -> Void) throws {
        let fixture = try ConformanceFixture(backend)
        try body(fixture.files, fixture.directory)
    }

    @Test(arguments: StorageBackend.allCases) func whatIsWrittenIsRead(_ backend: StorageBackend) throws {
        try with(backend) { files, folder in
            try files.put(Data("hello".utf8), at: folder + "/a")
            #expect(try files.contents(of: folder + "/a") == Data("hello".utf8))
        }
    }

    @Test(arguments: StorageBackend.allCases) func writesAppend(_ backend: StorageBackend) throws {
        try with(backend) { files, folder in
            let file = try files.createFile(at: folder + "/a", protection: .none)
            try file.write(Data("one ".utf8))
            #expect(try files.contents(of: folder + "/a") == Data("one ".utf8))
            try file.synchronize()
            try file.write(Data("two".utf8))
            try file.close()
            #expect(try files.contents(of: folder + "/a") == Data("one two".utf8))
        }
    }

    @Test(arguments: StorageBackend.allCases) func aSliceOfDataIsReadFromIndexZero(_ backend: StorageBackend) throws {
        try with(backend) { files, folder in
            try files.put(Data(repeating: 7, count: 100).dropFirst(60), at: folder + "/a")
            let contents = try files.contents(of: folder + "/a")
            #expect(contents.startIndex == 0)
            #expect(contents.count == 40)
        }
    }

    @Test(arguments: StorageBackend.allCases) func filesMayBeEmptyOrLarge(_ backend: StorageBackend) throws {
        try with(backend) { files, folder in
            try files.put(Data(), at: folder + "/empty")
            #expect(try files.contents(of: folder + "/empty") == Data())
            #expect(try files.attributes(of: folder + "/empty")?.size == 0)
            let large = Data((0..<3_000_001).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            try files.put(large, at: folder + "/large")
            #expect(try files.contents(of: folder + "/large") == large)
            #expect(try files.attributes(of: folder + "/large")?.size == large.count)
        }
    }

    @Test(arguments: StorageBackend.allCases) func creatingIsExclusive(_ backend: StorageBackend) throws {
        try with(backend) { files, folder in
            try files.put(Data("first".utf8), at: folder + "/a")
            #expect(try errnoOf { _ = try files.createFile(at: folder + "/a", protection: .none) } == EEXIST)
            #expect(try files.contents(of: folder + "/a") == Data("first".utf8))
            try files.createDirectory(at: folder + "/d")
            #expect(try errnoOf { _ = try files.createFile(at: folder + "/d", protection: .none) } == EEXIST)
        }
    }

    @Test(arguments: StorageBackend.allCases) func renamingReplacesAtomically(_ backend: StorageBackend) throws {
        try with(backend) { files, folder in
            try files.put(Data("old".utf8), at: folder + "/a")
            try files.put(Data("new".utf8), at: folder + "/b")
            try files.rename(folder + "/b", to: folder + "/a")
            #expect(try files.contents(of: folder + "/a") == Data("new".utf8))
            #expect(try files.list(folder) == ["a"])
            try files.rename(folder + "/a", to: folder + "/a")
            #expect(try files.contents(of: folder + "/a") == Data("new".utf8))
        }
    }

    @Test(arguments: StorageBackend.allCases) func renamingGoesBetweenDirectories(_ backend: StorageBackend) throws {
        try with(backend) { files, folder in
            try files.createDirectory(at: folder + "/from")
            try files.createDirectory(at: folder + "/to")
            try files.put(Data("x".utf8), at: folder + "/from/a")
            try files.rename(folder + "/from/a", to: folder + "/to/b")
            #expect(try files.list(folder + "/from") == [])
            #expect(try files.contents(of: folder + "/to/b") == Data("x".utf8))
            try files.rename(folder + "/to", to: folder + "/moved")
            #expect(try files.contents(of: folder + "/moved/b") == Data("x".utf8))
            #expect(try files.attributes(of: folder + "/to") == nil)
            #expect(try files.attributes(of: folder + "/to/b") == nil)
        }
    }

    @Test(arguments: StorageBackend.allCases) func renamingRefusesWhatDoesNotGoTogether(_ backend: StorageBackend) throws {
        try with(backend) { files, folder in
            try files.put(Data("x".utf8), at: folder + "/file")
            try files.createDirectory(at: folder + "/empty")
            try files.createDirectory(at: folder + "/full/inner")
            #expect(try errnoOf { try files.rename(folder + "/missing", to: folder + "/x") } == ENOENT)
            #expect(try errnoOf { try files.rename(folder + "/file", to: folder + "/nowhere/x") } == ENOENT)
            #expect(try errnoOf { try files.rename(folder + "/file", to: folder + "/empty") } == EISDIR)
            #expect(try errnoOf { try files.rename(folder + "/file", toNew: folder + "/file2") } == nil)
            #expect(try errnoOf { try files.rename(folder + "/file2", toNew: folder + "/file") } == nil)
            #expect(try errnoOf { try files.rename(folder + "/file", toNew: folder + "/empty") } == EEXIST)
            #expect(try errnoOf { try files.rename(folder + "/missing", toNew: folder + "/x") } == ENOENT)
            #expect(try errnoOf { try files.rename(folder + "/empty", to: folder + "/file") } == ENOTDIR)
            #expect(try errnoOf { try files.rename(folder + "/empty", to: folder + "/full") } == ENOTEMPTY)
            #expect(try errnoOf { try files.rename(folder + "/full", to: folder + "/full/inner/x") } == EINVAL)
            #expect(try files.list(folder) == ["empty", "file", "full"])
            try files.rename(folder + "/full", to: folder + "/empty")
            #expect(try files.list(folder + "/empty") == ["inner"])
        }
    }

    @Test(arguments: StorageBackend.allCases) func whatIsMissingIsENOENT(_ backend: StorageBackend) throws {
        try with(backend) { files, folder throws in
            #expect(try errnoOf { _ = try files.contents(of: folder + "/missing") } == ENOENT)
            #expect(try errnoOf { try files.removeFile(at: folder + "/missing") } == ENOENT)
            #expect(try errnoOf { _ = try files.list(folder + "/missing") } == ENOENT)
            #expect(try errnoOf { try files.synchronizeDirectory(at: folder + "/missing") } == ENOENT)
            #expect(try errnoOf { _ = try files.createFile(at: folder + "/missing/a", protection: .none) } == ENOENT)
            #expect(try files.attributes(of: folder + "/missing") == nil)
            #expect(try files.attributes(of: folder + "/missing/a") == nil)
        }
    }

    @Test(arguments: StorageBackend.allCases) func aDirectoryIsNoFile(_ backend: StorageBackend) throws {
        try with(backend) { files, folder in
            try files.createDirectory(at: folder + "/d")
            #expect(try errnoOf { _ = try files.contents(of: folder + "/d") } == EISDIR)
            #expect(try errnoOf { try files.removeFile(at: folder + "/d") } == EISDIR)
            #expect(try files.attributes(of: folder + "/d")?.isDirectory == true)
        }
    }

    @Test(arguments: StorageBackend.allCases) func aFileIsNoDirectory(_ backend: StorageBackend) throws {
        try with(backend) { files, folder in
            try files.put(Data("x".utf8), at: folder + "/f")
            #expect(try errnoOf { _ = try files.list(folder + "/f") } == ENOTDIR)
            #expect(try errnoOf { try files.synchronizeDirectory(at: folder + "/f") } == ENOTDIR)
            #expect(try errnoOf { try files.createDirectory(at: folder + "/f") } == ENOTDIR)
            #expect(try errnoOf { _ = try files.createFile(at: folder + "/f/a", protection: .none) } == ENOTDIR)
            #expect(try errnoOf { _ = try files.contents(of: folder + "/f/a") } == ENOTDIR)
            #expect(try files.attributes(of: folder + "/f/a") == nil)
            #expect(try files.attributes(of: folder + "/f")?.isDirectory == false)
        }
    }

    @Test(arguments: StorageBackend.allCases) func listingIsSortedByBytes(_ backend: StorageBackend) throws {
        try with(backend) { files, folder in
            let names = ["b", "a", "B", "a b", "é", "z", "10", "9", ".hidden", "日本"]
            for name in names { try files.put(Data(), at: folder + "/" + name) }
            #expect(try files.list(folder) == names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        }
    }

    @Test(arguments: StorageBackend.allCases, ["with space", "dots...", ".hidden", "ünïcödé", "日本語", "👩‍👩‍👧", "a\nb", "-rf", "%2F", "a:b"])
    func namesAreKept(_ backend: StorageBackend, _ name: String) throws {
        try with(backend) { files, folder in
            try files.replaceDurably(folder + "/" + name, with: Data("x".utf8))
            #expect(try files.list(folder) == [name])
            #expect(try files.contents(of: folder + "/" + name) == Data("x".utf8))
            try files.removeFile(at: folder + "/" + name)
            #expect(try files.list(folder) == [])
        }
    }

    @Test(arguments: StorageBackend.allCases) func namesHaveALimit(_ backend: StorageBackend) throws {
        try with(backend) { files, folder in
            let name = String(repeating: "n", count: 255)
            try files.put(Data(), at: folder + "/" + name)
            #expect(try files.list(folder) == [name])
            #expect(try errnoOf { _ = try files.createFile(at: folder + "/" + name + "n", protection: .none) } == ENAMETOOLONG)
        }
    }

    @Test(arguments: StorageBackend.allCases) func pathsAreResolved(_ backend: StorageBackend) throws {
        try with(backend) { files, folder in
            try files.createDirectory(at: folder + "/d/")
            try files.put(Data("x".utf8), at: folder + "//d/./a")
            #expect(try files.contents(of: folder + "/d/../d/a") == Data("x".utf8))
            #expect(try files.list(folder + "/d/") == ["a"])
        }
    }

    @Test(arguments: StorageBackend.allCases) func pathsThatEndEarlyAreRefused(_ backend: StorageBackend) throws {
        try with(backend) { files, folder throws in
            #expect(try errnoOf { _ = try files.createFile(at: folder + "/a\0b", protection: .none) } == EINVAL)
            #expect(try errnoOf { _ = try files.contents(of: "") } == EINVAL)
            #expect(try files.list(folder) == [])
        }
    }

    @Test(arguments: StorageBackend.allCases) func directoriesAreMadeWithThoseAbove(_ backend: StorageBackend) throws {
        try with(backend) { files, folder in
            try files.createDirectory(at: folder + "/a/b/c")
            try files.createDirectory(at: folder + "/a/b/c")
            #expect(try files.list(folder + "/a") == ["b"])
            try files.put(Data("x".utf8), at: folder + "/a/b/c/file")
            try files.synchronizeDirectory(at: folder + "/a/b/c")
            try files.createDirectory(at: folder + "/a/b/c")
            #expect(try files.contents(of: folder + "/a/b/c/file") == Data("x".utf8))
        }
    }

    @Test(arguments: StorageBackend.allCases) func aHandleFollowsItsFile(_ backend: StorageBackend) throws {
        try with(backend) { files, folder in
            let file = try files.createFile(at: folder + "/a", protection: .none)
            try file.write(Data("1".utf8))
            try files.rename(folder + "/a", to: folder + "/b")
            try file.write(Data("2".utf8))
            #expect(try files.contents(of: folder + "/b") == Data("12".utf8))
            try files.removeFile(at: folder + "/b")
            try file.write(Data("3".utf8))
            try file.synchronize()
            try file.close()
            #expect(try files.list(folder) == [])
        }
    }

    @Test(arguments: StorageBackend.allCases) func aClosedHandleIsEBADF(_ backend: StorageBackend) throws {
        try with(backend) { files, folder in
            let file = try files.createFile(at: folder + "/a", protection: .none)
            try file.close()
            try file.close()
            #expect(try errnoOf { try file.write(Data("x".utf8)) } == EBADF)
            #expect(try errnoOf { try file.synchronize() } == EBADF)
        }
    }

    @Test(arguments: StorageBackend.allCases) func removingMakesRoomForAnotherFile(_ backend: StorageBackend) throws {
        try with(backend) { files, folder in
            try files.put(Data("first".utf8), at: folder + "/a")
            try files.removeFile(at: folder + "/a")
            try files.put(Data("second".utf8), at: folder + "/a")
            #expect(try files.contents(of: folder + "/a") == Data("second".utf8))
        }
    }

    @Test(arguments: StorageBackend.allCases) func errorsNameTheirPath(_ backend: StorageBackend) throws {
        try with(backend) { files, folder throws in
            let error = #expect(throws: FileSystemError.self) { _ = try files.contents(of: folder + "/missing") }
            #expect(error?.path == folder + "/missing")
            #expect(error?.operation == "open")
        }
    }

    /// Hosts have no protection classes; a simulated device does.
    @Test(arguments: [StorageBackend.memory, .realFiles]) func aFileHasTheClassItWasCreatedWith(_ backend: StorageBackend) throws {
        try with(backend) { files, folder in
            for protection in FileProtection.allCases {
                try files.put(Data("x".utf8), at: folder + "/\(protection)", protection: protection)
                #expect(try files.attributes(of: folder + "/\(protection)")?.protection == protection)
            }
            try files.rename(folder + "/complete", to: folder + "/none")
            #expect(try files.attributes(of: folder + "/none")?.protection == .complete, "a replacement has the class of the new file")
        }
    }

    @Test(arguments: [StorageBackend.memory, .realFiles]) func filesCanBeKeptOutOfBackups(_ backend: StorageBackend) throws {
        try with(backend) { files, folder in
            try files.put(Data("x".utf8), at: folder + "/a")
            #expect(try files.attributes(of: folder + "/a")?.isExcludedFromBackup == false)
            try files.setExcludedFromBackup(true, at: folder + "/a")
            #expect(try files.attributes(of: folder + "/a")?.isExcludedFromBackup == true)
            try files.setExcludedFromBackup(false, at: folder + "/a")
            #expect(try files.attributes(of: folder + "/a")?.isExcludedFromBackup == false)
            #expect(try errnoOf { try files.setExcludedFromBackup(true, at: folder + "/missing") } == ENOENT)
        }
    }
}
