import Foundation
import LocalData

/// What a device's connectivity daemon needs to know of the device, and may ask of it.
package protocol ConnectivityHost: AnyObject {
    var id: DeviceID { get }
    var state: DeviceState { get }
    /// Whether the app (on a watch, the watch app) is installed.
    var isAppInstalled: Bool { get }
    /// `nil` while the app does not run.
    var appState: AppState? { get }
    /// Whether the app runs in the background with high priority (W30).
    var hasHighPriority: Bool { get }
    /// Whether the app's complication is on the active watch face. Always false on a phone.
    var isComplicationOnFace: Bool { get }
    /// Whether the app holds a refresh task in the background. Always false on a phone.
    var hasRefreshTime: Bool { get }
    /// The time that the device shows.
    var wallClock: Date { get }
    /// `nil` for a device without storage.
    var files: (any ConnectivityFiles)? { get }
    /// The endpoint of the running app process, if one runs.
    var endpoint: SessionEndpoint? { get }
    /// Launches the app in the background, or resumes it if it is suspended. No effect while it runs.
    func wakeApp(for reason: WakeReason)
    /// The system removes the app, since that of the phone was removed which it depends on (W120).
    func removeApp()
    /// The session's delegate has no code for several watches (W118).
    func appOptedOut()
}

extension ConnectivityHost {
    var hasHighPriority: Bool { false }
    func removeApp() {}
    func appOptedOut() {}
}

/// Why the system starts an app in the background.
package enum WakeReason: String, Sendable, Hashable, CaseIterable {
    case message
    case context
    case userInfo
    case complication
    case file
    /// A complication loads its data.
    case complicationLoad
    /// The app refreshes itself.
    case refresh
}

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
        for (path, content) in Self.contents(of: daemon) {
            switch content {
            case .list(let fields): try folder.replace(path, with: PropertyListValue.dictionary(fields).encoded(as: .xml))
            case .file(let bytes): try folder.replace(path, with: bytes)
            }
        }
    }

    /// What lies in the folder, whether or not there is one.
    static func contents(of daemon: ConnectivityDaemon) -> [ConnectivityDaemon.Held] {
        daemon.pairings.flatMap { pairing -> [ConnectivityDaemon.Held] in
            let place = "\(name)/\(pairing.counterpart)"
            let contexts = contents(pairing.contexts.outbox, pairing.received, in: place + "/ApplicationContext")
            return contexts + (pairing.transfers.map { contents($0, of: pairing, in: place) } ?? [])
        }
    }

    private static func contents(_ transfers: PairingTransfers, of pairing: Pairing, in place: String) -> [ConnectivityDaemon.Held] {
        var held: [ConnectivityDaemon.Held] = []
        for kind in TransferChannelKind.allCases {
            let channel = transfers.channel(kind)
            let queue = channel.queue
            for transfer in channel.outstanding {
                let name = digits(transfer.number, of: 4) + "-" + kind.fileName
                var fields = fields(of: transfer)
                fields["isTransferring"] = .bool(queue.inFlight == transfer.number)
                if queue.current == transfer.number { fields["isCurrentComplicationInfo"] = .bool(true) }
                held.append(("\(place)/Outgoing/\(name).plist", .list(fields)))
                if case .file(let file) = transfer.content { held.append(("\(place)/Outgoing/\(name)/\(file.name)", .file(file.data))) }
            }
        }
        for (index, transfer) in transfers.inbox.contents.enumerated() {
            var fields = fields(of: transfer)
            if case .file(let file) = transfer.content { fields["path"] = .string(pairing.folder(of: transfer) + "/" + file.name) }
            held.append(("\(place)/Incoming/\(index + 1)-\(transfer.content.channel.fileName).plist", .list(fields)))
        }
        for (index, outcome) in transfers.outcomes.all.enumerated() {
            var fields = fields(of: outcome.transfer)
            fields["error"] = outcome.failure.map { .string($0.code.name) }
            held.append(("\(place)/Finished/\(index + 1)-\(outcome.transfer.content.channel.fileName).plist", .list(fields)))
        }
        return held
    }

    private static func contents(_ outbox: ContextOutbox, _ inbox: ContextInbox, in place: String) -> [ConnectivityDaemon.Held] {
        var held: [ConnectivityDaemon.Held] = []
        if !outbox.current.isEmpty { held.append((place + "/sent.plist", .list(outbox.current))) }
        if let update = outbox.waiting ?? outbox.inFlight { held.append((place + "/underway.plist", .list(update.payload.values))) }
        if !inbox.latest.isEmpty { held.append((place + "/received.plist", .list(inbox.latest))) }
        for (index, update) in inbox.undelivered.enumerated() {
            held.append(("\(place)/undelivered-\(index + 1).plist", .list(update.payload.values)))
        }
        return held
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

    private static func digits(_ number: Int, of count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}

extension ConnectivityDaemon {
    /// A path from the device's folder on, as real files have it, and what lies there.
    package typealias Held = (path: String, content: HeldFile)

    package enum HeldFile: Sendable {
        case list([String: PropertyListValue])
        case file(Data)
    }

    /// All that it holds of contexts and transfers, with the values: for looking for what must not be there.
    package var heldFiles: [Held] { ConnectivityFolder.contents(of: self) }
}

extension TransferChannelKind {
    fileprivate var fileName: String { self == .userInfo ? "userInfo" : "file" }
}

/// What all parts of one pair's connectivity share. Knows none of them, so that nothing holds itself in memory.
///
/// Confined to the simulation's thread.
final class ConnectivityContext {
    let scheduler: Scheduler
    let recorder: Recorder
    let knobs: Knobs
    /// One way, from one radio to the other. Applies to what is sent from now on.
    var latency: VirtualDuration
    /// As of the last time the conditions were looked at.
    var facts = PairFacts()
    var random: SeededGenerator
    /// False for a phone that cannot have a watch: `WCSession.isSupported()` is false on it.
    let phoneCanPair: Bool
    /// Whether the app has no part on the phone (W16).
    let isWatchOnlyApp: Bool
    /// Whether the watch's app cannot be without that of the phone (W120).
    let isDependentWatchApp: Bool
    /// When a message, or a reply, was sent last.
    var lastMessage = VirtualTime.start
    /// What hurried context updates do to the link (W52).
    private var congestion = Congestion()

    init(
        scheduler: Scheduler, recorder: Recorder, knobs: Knobs, random: SeededGenerator, phoneCanPair: Bool = true,
        isWatchOnlyApp: Bool = false, isDependentWatchApp: Bool = false
    ) {
        self.scheduler = scheduler
        self.recorder = recorder
        self.knobs = knobs
        self.random = random
        self.phoneCanPair = phoneCanPair
        self.isWatchOnlyApp = isWatchOnlyApp
        self.isDependentWatchApp = isDependentWatchApp
        latency = knobs.linkLatency
    }

    /// The earliest that a context or message can leave now.
    var departure: VirtualTime { max(scheduler.now, congestion.end) }

    /// To be called for every context that an app updates.
    func contextWasUpdated(by device: DeviceID) {
        guard knobs.contextCongestion > .zero else { return }
        congestion.contextWasUpdated(by: device, at: scheduler.now, delay: knobs.contextCongestion)
    }
}
