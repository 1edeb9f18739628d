import Foundation
import LocalData

/// What a connectivity daemon holds, as real files to look into after a run: `Connectivity/<counterpart>` in the device's folder. Everything is a property
/// list in XML; a file that waits lies beside its list. A later run does not read them.
///
/// ```
/// ApplicationContext/sent.plist, received.plist      what `applicationContext` and `receivedApplicationContext` are
/// ApplicationContext/underway.plist, undelivered-1.plist …  accepted and not arrived; arrived and not given to the app
/// Outgoing/0003-userInfo.plist, 0001-file.plist, 0001-file/photo.jpg     outstanding, by their number
/// Incoming/1-userInfo.plist …                        arrived and not given to the app, in that order
/// Finished/1-userInfo.plist …                        ended, and the app was not told how
/// ```
struct ConnectivityFolder {
    static let name = "Connectivity"

    let folder: RealFolder

    func write(_ daemon: ConnectivityDaemon) throws {
        try folder.removeTree(at: "/" + Self.name)
        for pairing in daemon.pairings {
            let place = "\(Self.name)/\(pairing.counterpart)"
            try write(pairing.contexts.outbox, pairing.received, in: place + "/ApplicationContext")
            if let transfers = pairing.transfers { try write(transfers, of: pairing, in: place) }
        }
    }

    private func write(_ transfers: PairingTransfers, of pairing: Pairing, in place: String) throws {
        for kind in TransferChannelKind.allCases {
            let channel = transfers.channel(kind)
            let queue = channel.queue
            for transfer in channel.outstanding {
                let name = Self.digits(transfer.number, of: 4) + "-" + kind.fileName
                var fields = Self.fields(of: transfer)
                fields["isTransferring"] = .bool(queue.inFlight == transfer.number)
                if queue.current == transfer.number { fields["isCurrentComplicationInfo"] = .bool(true) }
                try write(fields, to: "\(place)/Outgoing/\(name).plist")
                if case .file(let file) = transfer.content { try write(file.data, to: "\(place)/Outgoing/\(name)/\(file.name)") }
            }
        }
        for (index, transfer) in transfers.inbox.contents.enumerated() {
            var fields = Self.fields(of: transfer)
            if case .file(let file) = transfer.content { fields["path"] = .string(pairing.folder(of: transfer) + "/" + file.name) }
            try write(fields, to: "\(place)/Incoming/\(index + 1)-\(transfer.content.channel.fileName).plist")
        }
        for (index, outcome) in transfers.outcomes.all.enumerated() {
            var fields = Self.fields(of: outcome.transfer)
            fields["error"] = outcome.failure.map { .string($0.code.name) }
            try write(fields, to: "\(place)/Finished/\(index + 1)-\(outcome.transfer.content.channel.fileName).plist")
        }
    }

    private func write(_ outbox: ContextOutbox, _ inbox: ContextInbox, in place: String) throws {
        if !outbox.current.isEmpty { try write(outbox.current, to: place + "/sent.plist") }
        if let update = outbox.waiting ?? outbox.inFlight { try write(update.payload.values, to: place + "/underway.plist") }
        if !inbox.latest.isEmpty { try write(inbox.latest, to: place + "/received.plist") }
        for (index, update) in inbox.undelivered.enumerated() {
            try write(update.payload.values, to: "\(place)/undelivered-\(index + 1).plist")
        }
    }

    private static func fields(of transfer: Transfer) -> [String: PropertyListValue] {
        var fields: [String: PropertyListValue] = ["number": .integer(Int64(transfer.number))]
        switch transfer.content {
        case .userInfo(let payload, let isUrgent):
            fields["userInfo"] = .dictionary(payload.values)
            if isUrgent { fields["isComplication"] = .bool(true) }
        case .file(let file):
            fields["path"] = .string(file.url.path)
            fields["bytes"] = .integer(Int64(file.data.count))
            fields["metadata"] = file.metadata.map { .dictionary($0.values) }
        }
        return fields
    }

    private func write(_ fields: [String: PropertyListValue], to path: String) throws {
        try write(PropertyListValue.dictionary(fields).encoded(as: .xml), to: path)
    }

    private func write(_ bytes: Data, to path: String) throws {
        try folder.replace(path, with: bytes)
    }

    private static func digits(_ number: Int, of count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}

extension TransferChannelKind {
    fileprivate var fileName: String { self == .userInfo ? "userInfo" : "file" }
}
