import Foundation
import WatchConnectivity

/// What a transfer in the background carries.
package enum TransferContent: Sendable {
    /// - Parameter isUrgent: Whether it was paid for with the complication's budget (W96).
    case userInfo(Payload, isUrgent: Bool)
    case file(StagedFile)

    var channel: TransferChannelKind {
        switch self {
        case .userInfo: .userInfo
        case .file: .file
        }
    }

    /// Names and sizes, never values.
    var facts: [TraceEvent.Fact] {
        switch self {
        case .userInfo(let payload, let isUrgent): payload.facts + (isUrgent ? [.init("complication", .flag(true))] : [])
        case .file(let file):
            [.init("name", .text(file.name)), .init("bytes", .number(file.data.count))]
                + (file.metadata.map { [.init("keys", .list($0.values.keys.sorted()))] } ?? [])
        }
    }
}

/// The two queues of a device's transfers. Each keeps its own order; between them there is none.
package enum TransferChannelKind: Sendable, Hashable, CaseIterable {
    case userInfo
    case file

    /// For a person.
    package var noun: String { self == .userInfo ? "user info" : "file" }
}

/// A file that was handed to the session, as it was at that moment (W90): what the app makes of its own changes nothing, unless a knob says so (W146).
package struct StagedFile: Sendable {
    /// Where the app's own file lies.
    let url: URL
    package let data: Data
    let metadata: Payload?

    var name: String { url.lastPathComponent }

    /// The same with the bytes that lie there now.
    func readAnew(by sender: ConnectivityDaemon) throws(SendFailure) -> StagedFile {
        guard let files = sender.host?.files else { return self }
        return StagedFile(url: url, data: try files.stage(fileAt: url.path), metadata: metadata)
    }
}

/// Something on its way, or arrived and not yet handed over.
typealias Transfer = TransferQueue<TransferContent>.Entry

extension TransferQueue<TransferContent>.Entry {
    var numberFact: TraceEvent.Fact { .init("sequence", .number(number)) }
    var facts: [TraceEvent.Fact] { [numberFact] + content.facts }
}

/// How a transfer ended, for the app that asked for it (W83).
struct TransferOutcome: Sendable {
    let transfer: Transfer
    /// `nil`: it has arrived.
    let failure: SendFailure?
}

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
        ProgressObservers.tell(bytes)
    }

    func arrived() {
        hasArrived = true
        progressed()
    }
}

/// What arrived through transfers in the background and was not handed over: the rules of the receiving side (W82, W87, W88).
struct TransferInbox: Sendable {
    private var waiting = Fifo<Transfer>()
    /// What the app is being given at this moment.
    private(set) var delivering: Transfer?

    /// W10: whether something is still to be handed over. What is being handed over now is not.
    var hasContent: Bool { !waiting.isEmpty }

    /// What is handed over next.
    var next: Transfer? { waiting.first }

    /// What the app has not taken yet, in order.
    var contents: [Transfer] { (delivering.map { [$0] } ?? []) + waiting.all }

    mutating func arrive(_ transfer: Transfer) {
        waiting.append(transfer)
    }

    /// Begins to hand over the first: again, if a process ended while it was given it.
    mutating func begin() -> Transfer? {
        delivering = waiting.popFirst()
        return delivering
    }

    /// The receive callback has returned.
    mutating func finish() {
        delivering = nil
    }

    /// The process ended. What it was being given comes again (W87), if it is to.
    /// - Returns: what will not come again.
    mutating func interrupt(redelivers: Bool) -> Transfer? {
        guard let transfer = delivering else { return nil }
        delivering = nil
        guard redelivers else { return transfer }
        waiting.prepend(transfer)
        return nil
    }
}

/// What a scenario knows of one transfer that it asked for.
///
/// Confined to the simulation's thread.
package final class TransferLog: @unchecked Sendable {
    package let device: DeviceID
    package let kind: TransferChannelKind
    /// Told when the app's call has returned.
    package var number: Int?
    /// What the app's `didFinish` was told, each time.
    package private(set) var endings: [(any Error)?] = []
    /// What the app got from the call.
    package var fileTransfer: WCSessionFileTransfer?

    package init(device: DeviceID, kind: TransferChannelKind) {
        self.device = device
        self.kind = kind
    }

    func finish(_ error: (any Error)?) { endings.append(error) }

    package var error: (any Error)? { endings.lazy.compactMap { $0 }.first }
}

extension AppBehaviour {
    /// The app's `didFinish` was called.
    func transferFinished(_ kind: TransferChannelKind, number: Int?, _ error: (any Error)?) {
        transferLogs.first { $0.kind == kind && $0.number == number }?.finish(error)
    }
}
