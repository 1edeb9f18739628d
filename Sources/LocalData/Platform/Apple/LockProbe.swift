#if canImport(Darwin)
    import Foundation

    /// Tells the state of the device's lock by what data protection lets through, from any thread, in apps and in extensions.
    ///
    /// `UIApplication.isProtectedDataAvailable` belongs to the main actor and is not there in extensions and on the watch. Two files of one
    /// byte, one of each class, answer the same question: opening one whose class key is not there fails with `EPERM`. Where there is no
    /// data protection (Simulator, most Macs, no passcode), both always open.
    struct LockProbe: Sendable {
        /// The directory that holds the two files.
        let directory: String
        let fileSystem: PosixFileSystem

        /// What is not known counts as locked: nothing is then taken for absent.
        var state: DeviceLockState {
            if isBeforeFirstUnlock ?? true { return .beforeFirstUnlock }
            return isLocked(.complete, name: "unlocked") ?? true ? .locked : .unlocked
        }

        /// `nil` where it cannot be told just now, such as without a descriptor to spare.
        var isBeforeFirstUnlock: Bool? { isLocked(.completeUntilFirstUserAuthentication, name: "after-first-unlock") }

        private func isLocked(_ protection: FileProtection, name: String) -> Bool? {
            let path = "\(directory)/\(name)"
            do {
                if try !fileSystem.contents(of: path).isEmpty { return false }
                // A crash came between creating the file and writing to it.
                try fileSystem.removeFile(at: path)
                return create(path, protection)
            } catch let error as FileSystemError where error.errno == ENOENT {
                return create(path, protection)
            } catch let error as FileSystemError where error.errno == EPERM {
                return true
            } catch {
                // Other failures say nothing about the lock.
                return nil
            }
        }

        /// - Returns: whether the class refused the file, which is as good an answer.
        private func create(_ path: String, _ protection: FileProtection) -> Bool? {
            do {
                try fileSystem.createDirectory(at: directory)
                let file = try fileSystem.createFile(at: path, protection: protection)
                // An empty file may have no key of its own, and would open in every state then.
                try file.write(Data([1]))
                try file.close()
                return false
            } catch let error as FileSystemError where error.errno == EEXIST {
                // Another thread, or process, has just made it: it tells. One that is still being written to says nothing yet.
                return ((try? fileSystem.contents(of: path)) ?? Data()).isEmpty
            } catch let error as FileSystemError where error.errno == ENOSPC || error.errno == EDQUOT {
                // A device that has been full since before LocalData came can make no probe. Whoever stores something meets that himself.
                return false
            } catch let error as FileSystemError where error.errno == EPERM {
                return true
            } catch {
                return nil
            }
        }
    }
#endif
