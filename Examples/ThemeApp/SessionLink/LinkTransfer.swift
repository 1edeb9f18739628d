import Foundation
import WatchConnectivity

/// Something on its way in the background, as an app shows it in a list.
public struct LinkTransfer {
    public enum Kind: String {
        case userInfo, file
    }

    public let kind: Kind
    /// The name of the message or file.
    public let name: String
    public let isTransferring: Bool
    /// Of a file.
    public let progress: Progress?
    private let cancellation: () -> Void

    init(_ transfer: WCSessionUserInfoTransfer) {
        kind = .userInfo
        name = transfer.userInfo["name"] as? String ?? ""
        isTransferring = transfer.isTransferring
        progress = nil
        cancellation = transfer.cancel
    }

    init(_ transfer: WCSessionFileTransfer) {
        kind = .file
        name = transfer.file.metadata?["name"] as? String ?? transfer.file.fileURL.lastPathComponent
        isTransferring = transfer.isTransferring
        progress = transfer.progress
        cancellation = transfer.cancel
    }

    public func cancel() { cancellation() }
}
