import Foundation

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

/// A file that was handed to the session, as it was at that moment: the app may change or remove its own (W90).
package struct StagedFile: Sendable {
    /// Where the app's own file lies.
    let url: URL
    package let data: Data
    let metadata: Payload?

    var name: String { url.lastPathComponent }
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
