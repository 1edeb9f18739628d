import Foundation

/// The sync policies that were chosen at run time, as they are stored. A value with functions.
///
/// Whoever reads them decides what leaves the device, so doubt means ``SyncPolicy/never``: a policy that this version of LocalData does not know, and a
/// key of which a damaged list may have said something.
struct SyncPolicyChoices: Sendable, Hashable {
    /// By key name, as stored: what a newer version chose is kept as it is.
    private(set) var names: [String: String] = [:]
    /// Whether a damaged list was replaced by this one: nobody knows what was chosen for the keys that are not in it.
    private(set) var isIncomplete = false

    /// Stands, in an incomplete list, for what the key declares.
    private static let declared = "declared"

    init(names: [String: String] = [:], isIncomplete: Bool = false) {
        self.names = names
        self.isIncomplete = isIncomplete
    }

    /// What was chosen for a key; `nil` where its declaration holds.
    subscript(name: String) -> SyncPolicy? {
        switch names[name] {
        case nil: isIncomplete ? .never : nil
        case Self.declared: nil
        case let chosen?: SyncPolicy(rawValue: chosen) ?? .never
        }
    }

    /// `nil` returns to what the key declares.
    mutating func choose(_ policy: SyncPolicy?, for name: String) {
        names[name] = policy?.rawValue ?? (isIncomplete ? Self.declared : nil)
    }
}

/// The stored form: one line of JSON with sorted keys, pinned by a test.
extension SyncPolicyChoices {
    static let formatVersion: Int64 = 1

    var encoded: String {
        let list = names.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            .map { "\(JSONText.quoted($0.key)):\(JSONText.quoted($0.value))" }.joined(separator: ",")
        // Earlier versions of LocalData pass over it.
        let others = isIncomplete ? "\"others\":\"\(SyncPolicy.never.rawValue)\"," : ""
        return "{\(others)\"policies\":{\(list)},\"version\":\(Self.formatVersion)}"
    }

    /// - Throws: ``StorageError/Code/corrupt``, or ``StorageError/Code/superseded`` for a newer format.
    init(encoded data: Data) throws {
        let stored = try SyncFile.decode(Stored.self, from: data, version: Self.formatVersion, what: "list of sync policies")
        self.init(names: stored.policies, isIncomplete: stored.others != nil)
    }

    private struct Stored: SyncFileContent {
        var version: Int64
        /// Written only in the place of a damaged list.
        var others: String?
        var policies: [String: String]
    }
}
