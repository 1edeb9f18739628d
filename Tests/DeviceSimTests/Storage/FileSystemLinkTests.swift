import DeviceSim
import Foundation
import LocalData
import Testing

@testable import DeviceSimCore

/// The laws of links and of physical identity, over the simulated disk, the real files of a simulated device, and the plain adapter.
@Suite struct FileSystemLinkTests {
    private func with(_ backend: StorageBackend, _ body: (ConformanceFixture, String) throws -> Void) throws {
        let fixture = try ConformanceFixture(backend)
        try body(fixture, fixture.directory)
    }

    @Test(arguments: StorageBackend.allCases) func aLinkIsFollowedOnTheWayToAFile(_ backend: StorageBackend) throws {
        try with(backend) { fixture, folder in
            let files = fixture.files
            try files.createDirectory(at: folder + "/real")
            try fixture.link(folder + "/link", "real")
            try files.put(Data("x".utf8), at: folder + "/link/a")
            #expect(try files.contents(of: folder + "/real/a") == Data("x".utf8))
            #expect(try files.list(folder + "/link") == ["a"])
            try files.createDirectory(at: folder + "/link")
            try files.createDirectory(at: folder + "/link/inner")
            #expect(try files.attributes(of: folder + "/real/inner")?.isDirectory == true)
            try files.synchronizeDirectory(at: folder + "/link")
            try files.removeFile(at: folder + "/link/a")
            #expect(try files.list(folder + "/real") == ["inner"])
        }
    }

    @Test(arguments: StorageBackend.allCases) func aLinkInThePlaceOfAFileIsNotFollowed(_ backend: StorageBackend) throws {
        try with(backend) { fixture, folder throws in
            let files = fixture.files
            try files.put(Data("secret".utf8), at: folder + "/secret")
            try fixture.link(folder + "/link", "secret")
            #expect(try errnoOf { _ = try files.contents(of: folder + "/link") } == ELOOP)
            #expect(try errnoOf { _ = try files.createFile(at: folder + "/link", protection: .none) } == EEXIST)
            let attributes = try #require(try files.attributes(of: folder + "/link"))
            #expect(attributes.isLink && !attributes.isDirectory && !attributes.isFile)
            // Replaced, not written through.
            try files.put(Data("new".utf8), at: folder + "/new")
            try files.rename(folder + "/new", to: folder + "/link")
            #expect(try files.contents(of: folder + "/secret") == Data("secret".utf8))
            #expect(try files.contents(of: folder + "/link") == Data("new".utf8))
        }
    }

    @Test(arguments: StorageBackend.allCases) func removingALinkLeavesWhatItLeadsTo(_ backend: StorageBackend) throws {
        try with(backend) { fixture, folder in
            let files = fixture.files
            try files.createDirectory(at: folder + "/real")
            try files.put(Data("x".utf8), at: folder + "/real/a")
            try fixture.link(folder + "/link", "real")
            // What was found on this way is found no longer.
            #expect(try files.contents(of: folder + "/link/a") == Data("x".utf8))
            try files.removeFile(at: folder + "/link")
            #expect(try files.contents(of: folder + "/real/a") == Data("x".utf8))
            #expect(try files.attributes(of: folder + "/link/a") == nil)
        }
    }

    @Test(arguments: StorageBackend.allCases) func aLinkThatLeadsNowhereIsThere(_ backend: StorageBackend) throws {
        try with(backend) { fixture, folder throws in
            let files = fixture.files
            try fixture.link(folder + "/link", "missing")
            #expect(try files.attributes(of: folder + "/link")?.isLink == true)
            #expect(try errnoOf { _ = try files.contents(of: folder + "/link/a") } == ENOENT)
            #expect(try errnoOf { _ = try files.canonicalDirectory(at: folder + "/link") } == ENOENT)
            try fixture.link(folder + "/first", "second")
            try fixture.link(folder + "/second", "first")
            #expect(try errnoOf { _ = try files.canonicalDirectory(at: folder + "/first") } == ELOOP)
            #expect(try errnoOf { _ = try files.list(folder + "/first") } == ELOOP)
        }
    }

    @Test(arguments: StorageBackend.allCases) func oneFileHasOneIdentity(_ backend: StorageBackend) throws {
        try with(backend) { fixture, folder in
            let files = fixture.files
            try files.createDirectory(at: folder + "/real")
            try fixture.link(folder + "/link", "real")
            try files.put(Data("x".utf8), at: folder + "/real/a")
            try files.put(Data("x".utf8), at: folder + "/real/b")
            let identity = try #require(try files.attributes(of: folder + "/real/a")?.identity)
            #expect(try files.attributes(of: folder + "/link/a")?.identity == identity)
            #expect(try files.attributes(of: folder + "/real/b")?.identity != identity)
            #expect(try files.attributes(of: folder + "/link")?.identity != files.attributes(of: folder + "/real")?.identity)
            try files.rename(folder + "/real/a", to: folder + "/moved")
            #expect(try files.attributes(of: folder + "/moved")?.identity == identity)
        }
    }

    @Test(arguments: StorageBackend.allCases) func aDirectoryHasOneCanonicalPath(_ backend: StorageBackend) throws {
        try with(backend) { fixture, folder in
            let files = fixture.files
            try files.createDirectory(at: folder + "/real/inner")
            try fixture.link(folder + "/link", folder + "/real")
            let real = try files.canonicalDirectory(at: folder + "/real/inner")
            #expect(real.isCaseSensitive)
            #expect(try files.canonicalDirectory(at: folder + "/link/inner") == real)
            #expect(try files.canonicalDirectory(at: real.path) == real)
            // What is not there yet is as it was asked for.
            #expect(try files.canonicalDirectory(at: folder + "/link/inner/later/on").path == real.path + "/later/on")
        }
    }

    @Test func theRootHasAnotherName() throws {
        let fixture = try ConformanceFixture(.memory)
        try fixture.files.put(Data("x".utf8), at: fixture.directory + "/a")
        #expect(try fixture.files.contents(of: "/private" + fixture.directory + "/a") == Data("x".utf8))
        #expect(try fixture.files.canonicalDirectory(at: "/private" + fixture.directory).path == fixture.directory)
    }

    @Test func lettersOfAnotherCaseAreTheSameNameByAKnob() throws {
        var knobs = Knobs()
        knobs.diskIgnoresCase = true
        let rig = StorageRig(.memory, knobs: knobs)
        let folder = try rig.files.path(of: .documents)
        try rig.files.put(Data("x".utf8), at: folder + "/Theme.json")
        #expect(try rig.files.contents(of: folder + "/theme.JSON") == Data("x".utf8))
        #expect(try rig.files.list(folder) == ["Theme.json"])
        #expect(
            try rig.files.attributes(of: folder + "/theme.json")?.identity == rig.files.attributes(of: folder + "/Theme.json")?.identity)
        #expect(try !rig.files.canonicalDirectory(at: folder.lowercased()).isCaseSensitive)
        #expect(try rig.files.canonicalDirectory(at: folder.lowercased()).path == folder)
        try rig.files.removeFile(at: folder + "/THEME.json")
        #expect(try rig.files.list(folder) == [])
    }
}
