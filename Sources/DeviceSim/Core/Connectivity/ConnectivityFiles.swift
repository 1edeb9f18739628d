import Foundation

/// What a connectivity daemon does with the files of its device, as the system: past the app's sandbox, not past data protection.
package protocol ConnectivityFiles: AnyObject {
    /// The bytes of a file of the app, as they are now.
    /// - Throws: `invalidParameter` for a directory, `fileAccessDenied` for what is not there or cannot be read now (W91).
    func stage(fileAt path: String) throws(SendFailure) -> Data
    /// Puts a received file into a temporary place of the app's container, unless it lies there.
    /// - Parameter folder: Names the transfer; each has a folder of its own there.
    /// - Returns: its absolute path.
    /// - Throws: `insufficientSpace` where there is no room for it (W91).
    func place(received data: Data, name: String, folder: String) throws(SendFailure) -> String
    /// Removes what ``place(received:name:folder:)`` put there, if it is still there (W90).
    func removeReceivedFile(folder: String)
    /// Deletes what lies in the directory for one counterpart (W24).
    func emptyWatchDirectory(named name: String)
    /// The directory for one counterpart in the app's container, made if it is missing; `nil` if it cannot be made.
    func watchDirectory(named name: String) -> String?
}
