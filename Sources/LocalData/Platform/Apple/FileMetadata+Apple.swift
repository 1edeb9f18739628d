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
            let refusals = [CocoaError.Code.fileWriteNoPermission.rawValue, CocoaError.Code.fileReadNoPermission.rawValue]
            return refusals.contains((error as NSError).code) ? EPERM : EIO
        }
    }

    extension FileProtection {
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
