import Foundation
import Testing

@testable import LocalData

/// Which of the system's two calls decides whether bytes are durable.
@Suite struct SynchronizationTests {
    private func outcome(full: Int32?, plain: Int32?) -> (error: Int32?, plainCalls: Int) {
        var calls = 0
        do {
            try Posix.synchronize(
                path: "/x", fully: { if let full { throw FileSystemError(errno: full, operation: "fsync", path: "/x") } },
                plainly: {
                    calls += 1
                    if let plain { throw FileSystemError(errno: plain, operation: "fsync", path: "/x") }
                })
            return (nil, calls)
        } catch {
            return ((error as? FileSystemError)?.errno, calls)
        }
    }

    @Test func theStrongerCallDecides() {
        #expect(outcome(full: nil, plain: EIO) == (nil, 0))
        for code in [EIO, ENOSPC, EDQUOT, EBADF] { #expect(outcome(full: code, plain: nil) == (code, 0)) }
    }

    @Test func theWeakerCallDecidesWhereThereIsNoStrongerOne() {
        for code in [ENOTSUP, EINVAL] {
            #expect(outcome(full: code, plain: nil) == (nil, 1))
            #expect(outcome(full: code, plain: EIO) == (EIO, 1))
        }
    }
}

/// Folders of a system that gives an app none of its own.
@Suite struct SharedRootsTests {
    @Test func appsOutsideOfASandboxHaveFoldersOfTheirOwn() throws {
        let shared = PosixFileSystem.Roots(
            documents: "/Users/a/Documents", caches: "/Users/a/Library/Caches", applicationSupport: "/Users/a/Library/Application Support",
            temporary: "/tmp", appGroup: { "/groups/" + $0 })
        let (first, second) = (
            PosixFileSystem(roots: shared.ownPart(of: "com.first")), PosixFileSystem(roots: shared.ownPart(of: "com.second"))
        )
        for directory in [ContainerDirectory.documents, .caches, .applicationSupport, .temporary] {
            #expect(try first.path(of: directory) != second.path(of: directory))
            #expect(try first.path(of: directory).contains("/com.first"))
        }
        #expect(try first.path(of: .appGroup("g")) == second.path(of: .appGroup("g")))
        #expect(try PosixFileSystem(roots: shared.ownPart(of: "../x")).path(of: .caches) == "/Users/a/Library/Caches/LocalData")
    }
}
