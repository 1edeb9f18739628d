import Foundation
import LocalData

/// What the connectivity daemon does with the app's files.
extension DeviceStorage: ConnectivityFiles {
    /// Below the app's container: where received files wait for the app.
    private static let inbox = ["Documents", "Inbox", "com.apple.watchconnectivity"]
    private static let watchDirectories = ["Library", "com.apple.watchconnectivity"]

    package func stage(fileAt path: String) throws(SendFailure) -> Data {
        do {
            if !isPrepared { try prepare() }
            guard let attributes = try disk.attributes(of: path) else {
                throw SendFailure(code: .fileAccessDenied, reason: "there is no such file")
            }
            guard !attributes.isDirectory else { throw SendFailure(code: .invalidParameter, reason: "a directory cannot be transferred") }
            return try disk.contents(of: path, keys: keys)
        } catch let failure as SendFailure {
            throw failure
        } catch let error as FileSystemError where error.errno == EPERM {
            throw SendFailure(code: .fileAccessDenied, reason: "the file cannot be read while the device is locked")
        } catch {
            throw SendFailure(code: .fileAccessDenied, reason: "the file cannot be read")
        }
    }

    package func place(received data: Data, name: String, folder: String) throws(SendFailure) -> String {
        do {
            if !isPrepared { try prepare() }
            let directory = path(below: Self.inbox + [folder])
            let path = directory + "/" + name
            if try disk.attributes(of: path) != nil { return path }
            if let free = disk.freeBytes, free < data.count { throw FileSystemError(errno: ENOSPC, operation: "open", path: path) }
            try makeDirectories(Self.inbox + [folder])
            // The system writes it with the keys that it has, and all of it is durable.
            let systemKeys = ClassKeys(.unlocked)
            let (node, real) = try disk.createFile(at: path, protection: .completeUntilFirstUserAuthentication, keys: systemKeys)
            try disk.append(data, to: node, keys: systemKeys, real: real, path: path)
            try real?.close()
            disk.synchronize(node)
            try disk.synchronizeDirectory(at: directory)
            return path
        } catch let error as FileSystemError where error.errno == ENOSPC {
            throw SendFailure(code: .insufficientSpace, reason: "\(data.count) bytes, for which the counterpart has no room")
        } catch {
            throw SendFailure(code: .deliveryFailed, reason: "the counterpart cannot store the file")
        }
    }

    package func removeReceivedFile(folder: String) {
        asSystem { try disk.removeTree(at: path(below: Self.inbox + [folder])) }
    }

    package func emptyWatchDirectory(named name: String) {
        asSystem {
            guard isPrepared else { return }
            _ = try disk.emptyDirectory(at: path(below: Self.watchDirectories + [name]))
        }
    }

    package func watchDirectory(named name: String) -> String? {
        do {
            if !isPrepared { try prepare() }
            try makeDirectories(Self.watchDirectories + [name])
            return path(below: Self.watchDirectories + [name])
        } catch {
            return nil
        }
    }

    private func path(below components: [String]) -> String {
        containerPath + "/" + components.joined(separator: "/")
    }

    private func makeDirectories(_ components: [String]) throws {
        let all = Self.applicationsPath + [container] + components
        try disk.makeSystemPath(all, systemDepth: Self.applicationsPath.count + 1)
    }
}
