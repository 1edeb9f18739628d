import Foundation
import WatchConnectivity

/// What an app holds of a user info that it transfers.
///
/// Confined to the simulation's thread.
package final class SimulatedUserInfoTransfer: WCSessionUserInfoTransfer, @unchecked Sendable {
    enum Content {
        case taken(Payload)
        /// As the app handed it over.
        case refused([String: Any])
    }

    package let number: Int
    private weak var endpoint: SessionEndpoint?
    private let content: Content

    init(number: Int, content: Content, endpoint: SessionEndpoint?) {
        self.number = number
        self.content = content
        self.endpoint = endpoint
    }

    package override var userInfo: [String: Any] {
        switch content {
        case .taken(let payload): payload.dictionary(for: endpoint?.integerBitWidth ?? Int.bitWidth)
        case .refused(let dictionary): dictionary
        }
    }

    package override var isTransferring: Bool { endpoint?.isTransferring(number, of: .userInfo) ?? false }
    package override var isCurrentComplicationInfo: Bool { endpoint?.isCurrentComplicationInfo(number) ?? false }
    package override func cancel() { endpoint?.cancelTransfer(number, of: .userInfo) }
}

/// What an app holds of a file that it transfers.
///
/// Confined to the simulation's thread.
package final class SimulatedFileTransfer: WCSessionFileTransfer, @unchecked Sendable {
    package let number: Int
    private weak var endpoint: SessionEndpoint?
    private let byteCount: Int
    private lazy var bytes: Progress = {
        let progress = Progress.discreteProgress(totalUnitCount: Int64(byteCount))
        progress.kind = .file
        return progress
    }()
    /// Whether the app has asked for the progress: else nobody looks.
    private(set) var hasProgress = false
    private var hasArrived = false

    init(number: Int, file: WCSessionFile, byteCount: Int, endpoint: SessionEndpoint?) {
        self.number = number
        self.byteCount = byteCount
        self.endpoint = endpoint
        super.init(file: file)
    }

    package override var isTransferring: Bool { endpoint?.isTransferring(number, of: .file) ?? false }
    package override func cancel() { endpoint?.cancelTransfer(number, of: .file) }

    package override var progress: Progress {
        if !hasProgress {
            hasProgress = true
            endpoint?.watchFileProgress()
        }
        progressed()
        return bytes
    }

    /// To be called when time has passed on the way.
    func progressed() {
        guard hasProgress else { return }
        bytes.completedUnitCount = hasArrived ? Int64(byteCount) : Int64(endpoint?.transferredBytes(ofFile: number) ?? 0)
    }

    func arrived() {
        hasArrived = true
        progressed()
    }
}
