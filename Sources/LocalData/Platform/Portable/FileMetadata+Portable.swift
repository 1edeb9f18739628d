#if !canImport(Darwin)
    import Foundation

    /// What a file system knows of files beyond POSIX. Hosts other than Apple's have no data protection.
    enum FileMetadata {
        /// Does nothing: there are no protection classes.
        static func setProtection(_ protection: FileProtection, at path: String) throws {}

        /// - Returns: A descriptor to write to.
        static func openNew(_ path: String, _ protection: FileProtection) throws -> Int32 {
            try Posix.call("open", path) { open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
        }

        static func isProtectedFromTheStart(_ protection: FileProtection) -> Bool { false }

        static func protection(at path: String) -> FileProtection? { nil }

        /// Sets freedesktop.org's mark for backup programs (CommonExtendedAttributes), where the file system has extended attributes.
        static func setExcludedFromBackup(_ excluded: Bool, at path: String) throws {
            guard let calls = ExtendedAttributes.calls else { return }
            do {
                if excluded {
                    let value = Array("false".utf8)
                    try Posix.call("setxattr", path) { calls.set(path, name, value, value.count, 0) }
                } else {
                    try Posix.call("removexattr", path) { calls.remove(path, name) }
                }
            } catch let error as FileSystemError where error.errno == ENOTSUP || (!excluded && error.errno == ENODATA) {
                // No attributes on this file system, or none to remove.
            }
        }

        static func isExcludedFromBackup(_ path: String) -> Bool {
            guard let calls = ExtendedAttributes.calls else { return false }
            var value = [UInt8](repeating: 0, count: 8)
            let count = calls.get(path, name, &value, value.count)
            return count > 0 && value.prefix(count) == ArraySlice("false".utf8)
        }

        private static let name = "user.xdg.robots.backup"
    }

    /// The calls for extended attributes, which Swift's Glibc module leaves out.
    private struct ExtendedAttributes {
        typealias Set = @convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeRawPointer, Int, Int32) -> Int32
        typealias Get = @convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeMutableRawPointer, Int) -> Int
        typealias Remove = @convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>) -> Int32

        let set: Set
        let get: Get
        let remove: Remove

        static let calls: ExtendedAttributes? = {
            guard let process = dlopen(nil, RTLD_LAZY) else { return nil }
            guard let set = dlsym(process, "setxattr"), let get = dlsym(process, "getxattr"), let remove = dlsym(process, "removexattr")
            else { return nil }
            return ExtendedAttributes(
                set: unsafeBitCast(set, to: Set.self), get: unsafeBitCast(get, to: Get.self), remove: unsafeBitCast(remove, to: Remove.self)
            )
        }()
    }
#endif
