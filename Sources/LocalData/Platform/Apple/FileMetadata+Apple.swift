#if canImport(Darwin)
    import Foundation

    /// What a file system knows of files beyond POSIX: Apple's protection classes and exclusion from backups.
    enum FileMetadata {
        /// Does nothing where the volume has no data protection, as in the Simulator.
        static func setProtection(_ protection: FileProtection, at path: String) throws {
            do {
                try FileManager.default.setAttributes([.protectionKey: protection.fileProtectionType], ofItemAtPath: path)
            } catch {
                throw FileSystemError(errno: posixCode(of: error), operation: "setProtection", path: path)
            }
        }

        /// A new file that has its class from the start. What a plain `open` makes has the class of its folder, which the app's entitlement may set to one that
        /// refuses new files while the device is locked.
        /// - Returns: A descriptor to write to.
        static func openNew(_ path: String, _ protection: FileProtection) throws -> Int32 {
            #if os(macOS)
                return try Posix.call("open", path) { open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
            #else
                if protection == .completeUnlessOpen { return try openNewUnlessOpen(path) }
                do {
                    try Data().write(to: URL(fileURLWithPath: path), options: [.withoutOverwriting, protection.writingOption])
                } catch {
                    let code = posixCode(of: error)
                    // A volume without classes, as in the Simulator.
                    guard [ENOTSUP, EINVAL, EIO].contains(code) else {
                        // It may have been made all the same.
                        if code != EEXIST { unlink(path) }
                        throw FileSystemError(errno: code, operation: "open", path: path)
                    }
                    return try Posix.call("open", path) { open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
                }
                do {
                    let descriptor = try Posix.call("open", path) { open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW) }
                    fchmod(descriptor, 0o600)
                    return descriptor
                } catch {
                    unlink(path)
                    throw error
                }
            #endif
        }

        #if !os(macOS)
            /// On a locked device a file of this class can be made, and not be opened again: so it is the descriptor that made it which is written to.
            private static func openNewUnlessOpen(_ path: String) throws -> Int32 {
                let descriptor = try Posix.call("open", path) { open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
                // PROTECTION_CLASS_B of the system's headers.
                guard fcntl(descriptor, F_SETPROTECTIONCLASS, 2) == -1 else { return descriptor }
                let code = errno
                // A volume without classes, as in the Simulator.
                if code == ENOTSUP || code == EINVAL || code == ENOTTY { return descriptor }
                close(descriptor)
                unlink(path)
                throw FileSystemError(errno: code, operation: "setProtection", path: path)
            }
        #endif

        /// Whether ``openNew(_:_:)`` gives a file its class for good, so that nothing is to be set by its path: on a locked device that may be refused.
        static func isProtectedFromTheStart(_ protection: FileProtection) -> Bool {
            #if os(macOS)
                false
            #else
                protection == .completeUnlessOpen
            #endif
        }

        static func protection(at path: String) -> FileProtection? {
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            return (attributes?[.protectionKey] as? FileProtectionType).flatMap(FileProtection.init)
        }

        static func setExcludedFromBackup(_ excluded: Bool, at path: String) throws {
            var url = URL(fileURLWithPath: path)
            var values = URLResourceValues()
            values.isExcludedFromBackup = excluded
            do {
                try url.setResourceValues(values)
            } catch {
                throw FileSystemError(errno: posixCode(of: error), operation: "setExcludedFromBackup", path: path)
            }
        }

        static func isExcludedFromBackup(_ path: String) -> Bool {
            let values = try? URL(fileURLWithPath: path).resourceValues(forKeys: [.isExcludedFromBackupKey])
            return values?.isExcludedFromBackup ?? false
        }

        /// The errno beneath a Foundation error; `EIO` where there is none.
        private static func posixCode(of error: any Error) -> Int32 {
            var next: NSError? = error as NSError
            while let current = next {
                if current.domain == NSPOSIXErrorDomain { return Int32(truncatingIfNeeded: current.code) }
                next = current.userInfo[NSUnderlyingErrorKey] as? NSError
            }
            if (error as NSError).code == CocoaError.Code.fileWriteFileExists.rawValue { return EEXIST }
            let refusals = [CocoaError.Code.fileWriteNoPermission.rawValue, CocoaError.Code.fileReadNoPermission.rawValue]
            return refusals.contains((error as NSError).code) ? EPERM : EIO
        }
    }

    extension FileProtection {
        fileprivate var writingOption: Data.WritingOptions {
            switch self {
            case .complete: .completeFileProtection
            case .completeUnlessOpen: .completeFileProtectionUnlessOpen
            case .completeUntilFirstUserAuthentication: .completeFileProtectionUntilFirstUserAuthentication
            case .none: .noFileProtection
            }
        }

        fileprivate var fileProtectionType: FileProtectionType {
            switch self {
            case .complete: .complete
            case .completeUnlessOpen: .completeUnlessOpen
            case .completeUntilFirstUserAuthentication: .completeUntilFirstUserAuthentication
            case .none: .none
            }
        }

        fileprivate init?(_ type: FileProtectionType) {
            switch type {
            case .complete: self = .complete
            case .completeUnlessOpen: self = .completeUnlessOpen
            case .completeUntilFirstUserAuthentication: self = .completeUntilFirstUserAuthentication
            case .none: self = .none
            default: return nil
            }
        }
    }
#endif
