import Foundation
import LocalData

/// A rule that makes storage operations fail.
public struct StorageFault: Sendable, Hashable {
    /// Which operations it is about.
    public var operations: Set<StorageOperation>
    /// A part of the path, of the suite's name, or of `service/account`; `nil` for any.
    public var place: String?
    /// Which of the operations it hits, counted from 1 from when the fault was set.
    public var occurrence: Int
    /// Whether it also hits all that follow.
    public var isPermanent: Bool
    /// What the operation fails with.
    public var failure: Failure

    /// What an operation can fail with.
    public enum Failure: Sendable, Hashable {
        /// An `errno`, with the host's own numbering. The keychain answers −34 to ENOSPC, −36 to others.
        case errno(Int32)
        /// An `OSStatus`. Files and preferences fail with EIO.
        case status(KeychainStatus)
    }

    /// A fault that hits the first matching operation, once, unless it says otherwise.
    public init(
        _ operations: Set<StorageOperation>, at place: String? = nil, occurrence: Int = 1, isPermanent: Bool = false, failure: Failure
    ) {
        self.operations = operations
        self.place = place
        self.occurrence = occurrence
        self.isPermanent = isPermanent
        self.failure = failure
    }
}

extension StorageFault.Failure {
    var errno: Int32 {
        switch self {
        case .errno(let code): code
        case .status: EIO
        }
    }

    var status: KeychainStatus {
        switch self {
        case .errno(ENOSPC): .diskFull
        case .errno: .inputOutput
        case .status(let status): status
        }
    }
}

extension StorageFault.Failure: CustomStringConvertible {
    /// As the trace has it: a name where there is one, since numbers differ among hosts.
    public var description: String {
        switch self {
        case .errno(let code): Self.names[code] ?? "errno \(code)"
        case .status(let status): "OSStatus \(status.rawValue)"
        }
    }

    /// The errors that storage gives, by number.
    static let names: [Int32: String] = [
        EPERM: "EPERM", ENOENT: "ENOENT", EIO: "EIO", EBADF: "EBADF", ENOMEM: "ENOMEM", EACCES: "EACCES", EBUSY: "EBUSY", EEXIST: "EEXIST",
        ENOTDIR: "ENOTDIR", EISDIR: "EISDIR", EINVAL: "EINVAL", ENFILE: "ENFILE", EMFILE: "EMFILE", EFBIG: "EFBIG", ENOSPC: "ENOSPC",
        EROFS: "EROFS", ENAMETOOLONG: "ENAMETOOLONG", ENOTEMPTY: "ENOTEMPTY", EDQUOT: "EDQUOT",
    ]
}

/// The faults that await an app's storage operations, and the points at which it is to crash.
///
/// Confined to the simulation's thread.
public struct StorageFaultPlan {
    private var pending: [(fault: StorageFault, seen: Int, onTrigger: (() -> Void)?)] = []
    private var interruptions: [(operation: Int, action: () -> Void)] = []

    /// A plan without faults.
    public init() {}

    /// Whether nothing is to go wrong.
    public var isEmpty: Bool { pending.isEmpty && interruptions.isEmpty }

    /// Whether an operation is to fail.
    package var hasFaults: Bool { !pending.isEmpty }

    /// The faults that can still hit, in the order in which they were added.
    public var faults: [StorageFault] { pending.map(\.fault) }

    /// Adds a fault, which counts operations from now on.
    /// - Parameter onTrigger: Called each time that an operation fails by it, and not where another fault that was added before hits the same operation. Let it
    ///   hold nothing that holds the device.
    public mutating func add(_ fault: StorageFault, onTrigger: (() -> Void)? = nil) {
        pending.append((fault, 0, onTrigger))
    }

    /// Calls `action` before the operation of that number (``DeviceStorage/operationCount`` counts them, from 1), once.
    ///
    /// An action that ends the process makes that operation, and all later ones, throw ``ProcessEnded`` without an effect. Let it hold the
    /// device weakly: it stays until it is called or removed.
    public mutating func interrupt(beforeOperation number: Int, _ action: @escaping () -> Void) {
        interruptions.append((number, action))
    }

    /// Takes back the faults of these operations.
    public mutating func remove(of operations: Set<StorageOperation>) {
        pending.removeAll { !$0.fault.operations.isDisjoint(with: operations) }
    }

    /// Takes back the points at which something was to happen.
    public mutating func removeInterruptions() {
        interruptions.removeAll()
    }

    /// Takes back everything.
    public mutating func removeAll() {
        self = StorageFaultPlan()
    }

    /// Takes out what is to happen before the operation of that number.
    mutating func takeInterruptions(before number: Int) -> [() -> Void] {
        let due = interruptions.filter { $0.operation == number }.map(\.action)
        if !due.isEmpty { interruptions.removeAll { $0.operation == number } }
        return due
    }

    /// The first fault that hits the operation. Every fault counts it, whether hit or not.
    mutating func failure(of operation: StorageOperation, at place: String) -> StorageFault.Failure? {
        var failure: StorageFault.Failure?
        var isOver: [Int] = []
        for index in pending.indices {
            let fault = pending[index].fault
            guard fault.operations.contains(operation), fault.place.map({ place.contains($0) }) ?? true else { continue }
            pending[index].seen += 1
            let seen = pending[index].seen
            guard seen == fault.occurrence || (fault.isPermanent && seen > fault.occurrence) else { continue }
            if failure == nil {
                failure = fault.failure
                pending[index].onTrigger?()
            }
            if !fault.isPermanent { isOver.append(index) }
        }
        for index in isOver.reversed() { pending.remove(at: index) }
        return failure
    }
}

/// The operations that an app's process asks of its device's storage. Each is numbered as it comes, and can be made to fail.
public enum StorageOperation: String, Sendable, Hashable, CaseIterable {
    // Files
    /// A file is created.
    case create = "file.create"
    /// Bytes are written to an open file.
    case write = "file.write"
    /// An open file is made durable (`fsync`).
    case synchronize = "file.synchronize"
    /// An open file is closed.
    case close = "file.close"
    /// A file is read.
    case read = "file.read"
    /// The attributes of a path are read.
    case attributes = "file.attributes"
    /// A file is renamed.
    case rename = "file.rename"
    /// A file is removed.
    case remove = "file.remove"
    /// A file is taken out of backups, or let in.
    case exclude = "file.exclude"
    /// An extended attribute is set.
    case setAttribute = "file.setAttribute"
    /// An extended attribute is read.
    case readAttribute = "file.readAttribute"
    /// A directory is made durable (`fsync`).
    case synchronizeDirectory = "directory.synchronize"
    /// A directory is made.
    case createDirectory = "directory.create"
    /// The names in a directory are read.
    case list = "directory.list"

    // Preferences
    /// A preference is read.
    case defaultsRead = "defaults.read"
    /// A preference is set or removed.
    case defaultsSet = "defaults.set"
    /// The keys of a suite are read.
    case defaultsKeys = "defaults.keys"
    /// A suite's changes are handed to the system.
    case defaultsSynchronize = "defaults.synchronize"

    // The keychain
    /// A keychain item is added.
    case keychainAdd = "keychain.add"
    /// Keychain items are looked for.
    case keychainRead = "keychain.read"
    /// Keychain items are changed.
    case keychainUpdate = "keychain.update"
    /// Keychain items are deleted.
    case keychainDelete = "keychain.delete"
}

extension StorageOperation {
    /// The operations of the disk.
    public static let files: Set<StorageOperation> = [
        .create, .write, .synchronize, .close, .read, .attributes, .rename, .remove, .exclude, .setAttribute, .readAttribute,
        .synchronizeDirectory, .createDirectory, .list,
    ]
    /// The operations of preferences.
    public static let defaults: Set<StorageOperation> = [.defaultsRead, .defaultsSet, .defaultsKeys, .defaultsSynchronize]
    /// What is asked of the keychain: the four calls of SecItem.
    public static let keychain: Set<StorageOperation> = [.keychainAdd, .keychainRead, .keychainUpdate, .keychainDelete]
    /// What is asked of the disk, of preferences and of the keychain.
    public static let all = Set(StorageOperation.allCases)
}

extension StorageOperation {
    /// Whether it can change what is stored, or make that durable. A crash just before an operation leaves what a crash just before the next one of
    /// these leaves.
    public var isChange: Bool {
        switch self {
        case .create, .write, .synchronize, .rename, .remove, .exclude, .setAttribute, .synchronizeDirectory, .createDirectory,
            .defaultsSet, .defaultsSynchronize, .keychainAdd, .keychainUpdate, .keychainDelete:
            true
        case .close, .read, .attributes, .readAttribute, .list, .defaultsRead, .defaultsKeys, .keychainRead: false
        }
    }
}
