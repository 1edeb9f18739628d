import Foundation

/// Everything that one device has to say about the synced values, as it travels: in the application context or in the answer to a request.
///
/// It is a value and may cross any boundary; the dictionaries that the session hands out may not. So parse in the session's callback, then hop:
///
/// ```swift
/// func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
///     guard let snapshot = try? SyncSnapshot(in: applicationContext) else { return }
///     Task { try await StorageRouter.shared.apply(snapshot) }
/// }
/// ```
///
/// Its values are serialized and opened: they leave the device protected by the session's own transport, and the receiver secures them again
/// by its own policy.
public struct SyncSnapshot: Sendable, Hashable {
    /// LocalData's own entry in contexts and messages. What else is in them belongs to the app and is left alone.
    public static let entryKey = "com.localdata.sync"
    /// The format that ``payload`` has.
    public static let formatVersion: Int64 = 1
    /// What an application context may take, in bytes of its serialized form (W100).
    public static let maximumContextByteCount = 262_144
    /// What a message or a reply may take, in bytes of its serialized form (W100).
    public static let maximumMessageByteCount = 65_536

    /// ``DeviceDescribing/identifier`` of the sender.
    public var device: String
    /// Random, one for each installation of the sender. A new one means that the sender knows nothing of what went before.
    public var epoch: String
    /// Counts the sender's snapshots of this epoch. A snapshot older than one already applied is ignored: it may hold what was deleted since.
    public var sequence: UInt64
    /// The ``sequence`` at which ``entries`` became what they are. A snapshot that was merely sent again has the same one.
    public var content: UInt64
    /// The latest snapshot of the receiver that the sender took into account.
    public var acknowledged: Acknowledgement?
    /// The versions, by key name.
    public var entries: [String: SyncEntry]
    /// Names that the sender has a version of and could not put in: too large, or unreadable for now. Sorted.
    public var omitted: [String]
    /// What was wrong with entries that were left out when the snapshot was read, by name. They are refused alone; nothing of them is believed.
    public internal(set) var refused: [String: String] = [:]

    /// Names a snapshot of the other side.
    public struct Acknowledgement: Sendable, Hashable, Codable {
        /// The sender's epoch, as in ``SyncSnapshot/epoch``.
        public var epoch: String
        /// Which of its snapshots, as in ``SyncSnapshot/sequence``.
        public var sequence: UInt64
        /// Which content that had, as in ``SyncSnapshot/content``.
        public var content: UInt64

        /// An acknowledgement of the snapshot with these numbers.
        public init(epoch: String, sequence: UInt64, content: UInt64) {
            self.epoch = epoch
            self.sequence = sequence
            self.content = content
        }

        /// Whether both name the same content, be it sent once or again.
        func isSameContent(as other: Acknowledgement?) -> Bool { epoch == other?.epoch && content == other?.content }
    }

    /// A snapshot put together by hand, for tests. LocalData's own come from ``StorageRouter/syncSnapshot(maximumByteCount:)``, or from
    /// what the session delivered.
    public init(
        device: String, epoch: String, sequence: UInt64, content: UInt64, acknowledged: Acknowledgement? = nil,
        entries: [String: SyncEntry], omitted: [String] = []
    ) {
        self.device = device
        self.epoch = epoch
        self.sequence = sequence
        self.content = content
        self.acknowledged = acknowledged
        self.entries = entries
        self.omitted = omitted
    }
}

extension SyncSnapshot {
    /// What another snapshot acknowledges that took this one into account.
    var acknowledgement: Acknowledgement { Acknowledgement(epoch: epoch, sequence: sequence, content: content) }
}
