import Foundation
import Testing

@testable import LocalData

@Suite struct FileSystemErrorTests {
    @Test(arguments: [
        (ENOENT, DeviceLockState.unlocked, StorageError.Code.notFound),
        (EPERM, .locked, .locked), (EPERM, .beforeFirstUnlock, .lockedBeforeFirstUnlock), (EPERM, .unlocked, .accessDenied),
        (EACCES, .locked, .accessDenied), (EROFS, .unlocked, .accessDenied),
        (ENOSPC, .locked, .noSpace), (EDQUOT, .unlocked, .noSpace), (EIO, .beforeFirstUnlock, .inputOutput),
        (EMFILE, .unlocked, .inputOutput),
    ]) func everyErrnoHasItsMeaning(_ errno: Int32, _ state: DeviceLockState, _ code: StorageError.Code) {
        #expect(FileSystemError(errno: errno, operation: "open", path: "/x").storageError(lockState: state).code == code)
    }

    @Test func theFactsNameErrnoAndStepButNoPath() {
        let error = FileSystemError(errno: ENOSPC, operation: "write", path: "/private/secret").storageError(lockState: .unlocked)
        #expect(error.facts == ["errno \(ENOSPC) (ENOSPC) at write"])
        #expect(
            FileSystemError(errno: 9999, operation: "stat", path: "").storageError(lockState: .unlocked).facts == ["errno 9999 at stat"])
    }
}
