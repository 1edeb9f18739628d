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
