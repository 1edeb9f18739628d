import Foundation
import LocalData

/// What a simulated device stores: files, preferences, keychain. It outlives the app's processes, each of which sees it through views of
/// its own.
///
/// An operation first asks whether its process still exists; one that ended changes nothing and learns nothing. Every operation of an app
/// is numbered (``operationCount``) and can be made to fail (``faults``).
///
/// Confined to the simulation's thread. An operation from another one fails, and is reported as an escape.
public final class DeviceStorage: @unchecked Sendable {
    /// An operation that the app asked for, and where: a path, a suite's name, or `service/account`. A rename is where it leads to.
    public struct LoggedOperation: Sendable, Hashable {
        /// What was asked for.
        public let operation: StorageOperation
        /// Where: a path, a suite and key, or `service/account`.
        public let place: String
    }

    /// Where the bytes are kept.
    public enum Backing: Sendable, Hashable {
        /// In memory, for speed.
        case memory
        /// Real files below a folder, laid out like a device. What lies there already is taken over.
        case directory(URL)
    }

    /// The device whose storage it is.
    public let device: DeviceID
    /// How many storage operations the device's app has asked for, whatever came of them.
    public var operationCount: Int { counts.operations }
    /// How many of them could have changed what is stored or made it durable: 0 more of them mean that nothing was written.
    public var changeCount: Int { counts.changes }
    private var counts = (operations: 0, changes: 0)
    /// The operations asked for since this was set to an empty list; `nil` keeps no list.
    public var operationLog: [LoggedOperation]? {
        didSet { updateAttention() }
    }
    /// Faults to come.
    public var faults = StorageFaultPlan() {
        didSet { updateAttention() }
    }
    /// How the person answers when a keychain item asks for authentication.
    public var authenticationAnswer = AuthenticationAnswer.succeeds
    /// Which App Groups and access groups the app may use.
    public var entitlements = StorageEntitlements()
    /// What ``powerLoss()`` takes. By default everything that was not synchronized.
    public var powerLossPolicy = PowerLossPolicy.dropsAll
    /// The App Groups that other apps on the device belong to: their containers outlive this app.
    public var appGroupsOfOtherApps: Set<String> = []
    /// The App Groups whose containers are there from the app's installation on, so that their paths lead somewhere. That of another group is made when the app
    /// first asks for it.
    let groupsOfTheApp: Set<String>

    let knobs: Knobs
    let disk: MemoryDisk
    let preferences = SimulatedPreferences()
    let keychain = SimulatedKeychain()
    let recorder: Recorder
    let bundleIdentifier: String
    let folder: RealFolder?
    let state: () -> DeviceState

    /// How long after locking the device keeps the keys that it discards then.
    private let lockGrace: VirtualDuration
    var lockedAt: VirtualTime?
    /// The process that was last given a view, until it ended. Held strongly: an object that is held weakly somewhere is slow to hold anywhere.
    var process: ProcessLife?

    /// The folder name of the app's container, and how often the app was installed.
    var container: String {
        didSet {
            containerPaths = ContainerPaths(container: container)
            knownWidgetPaths = nil
        }
    }
    /// Made once for each container: every operation on LocalData's own files asks for one of them.
    private(set) var containerPaths: ContainerPaths
    /// Where the widget extension's own files are: it shares none of the app's but the groups'.
    var widgetPaths: ContainerPaths {
        if let knownWidgetPaths { return knownWidgetPaths }
        let paths = ContainerPaths(container: container, among: Self.extensionsPath, part: .widget)
        knownWidgetPaths = paths
        return paths
    }
    private var knownWidgetPaths: ContainerPaths?
    var installations = 0
    var isPrepared = false
    /// The App Groups whose container is known to exist.
    var preparedGroups: Set<String> = []
    var isWidgetPrepared = false
    /// What went wrong when the system changed real files. The app's next operation reports it.
    private var systemFailure: (any Error)?
    /// Whether an operation must look at more than its process: the containers are not prepared, a fault or a failure waits.
    private var needsAttention = true

    /// - Parameters:
    ///   - state: Reads the device's state. Must not keep the device alive.
    ///   - lockGrace: How long after locking `complete` files and `whenUnlocked` items stay readable; none by default, as the tables have it.
    init(
        device: DeviceID, backing: Backing, state: @escaping () -> DeviceState, recorder: Recorder, knobs: Knobs = Knobs(),
        bundleIdentifier: String = "com.example.app", groupsOfTheApp: Set<String> = [], lockGrace: VirtualDuration = .zero
    ) {
        self.device = device
        self.state = state
        self.recorder = recorder
        self.knobs = knobs
        self.bundleIdentifier = bundleIdentifier
        self.groupsOfTheApp = groupsOfTheApp
        self.lockGrace = lockGrace
        disk = MemoryDisk(foldsCase: knobs.diskIgnoresCase)
        container = bundleIdentifier
        containerPaths = ContainerPaths(container: bundleIdentifier)
        switch backing {
        case .memory: folder = nil
        case .directory(let url):
            let folder = RealFolder(url)
            self.folder = folder
            disk.mirror = DiskMirror(folder: folder, nextNumber: { [unowned disk] in disk.nextNumber() })
            keychain.files = KeychainFile(folder: folder)
            preferences.files = PreferencesFiles(
                folder: folder, directory: { [unowned self] in preferencesDirectory(group: $0, part: $1) },
                groups: {
                    let path = "/" + Self.groupsPath.joined(separator: "/")
                    guard case .directory? = try folder.kind(of: path) else { return [] }
                    return try folder.files.list(folder.real(path))
                })
            // So that the folder looks like a device from the start. A failure shows at the first operation.
            try? prepare()
        }
    }

    // MARK: Views

    /// The files as one app process sees them.
    public func fileSystem(for life: ProcessLife) -> any FileSystem {
        adopt(life)
        return SimulatedFileSystem(storage: self, life: life)
    }

    /// The preferences as one app process sees them.
    public func defaults(for life: ProcessLife) -> any DefaultsStore {
        adopt(life)
        return SimulatedDefaults(storage: self, life: life)
    }

    /// The keychain as one app process sees it.
    public func keychain(for life: ProcessLife) -> any KeychainStore {
        adopt(life)
        return SimulatedKeychainAccess(storage: self, life: life)
    }

    private func adopt(_ life: ProcessLife) {
        if life.isOfApp, life.part == .app { process = life }
    }

    // MARK: Operations

    var isBeforeFirstUnlock: Bool { state().lockState == .beforeFirstUnlock }

    /// The class keys that are there now.
    var keys: ClassKeys {
        let lockState = state().lockState
        guard lockState == .locked, lockGrace > .zero, let lockedAt else { return ClassKeys(lockState) }
        return ClassKeys(lockState, isInGrace: recorder.now < lockedAt + lockGrace)
    }

    /// When the class keys go though nothing happens then: the time after locking is over.
    package var endOfGrace: VirtualTime? {
        guard state().lockState == .locked, lockGrace > .zero, let lockedAt, recorder.now < lockedAt + lockGrace else { return nil }
        return lockedAt + lockGrace
    }

    var unlinkRule: UnlinkRule { knobs.unlinkNeedsClassKey ? .withKey(keys) : .always }

    /// Begins an operation of a process. One that looks at the device from outside the app is not counted, and no fault hits it.
    /// - Returns: the fault that hits it, if one does.
    /// - Throws: ``ProcessEnded``; and what went wrong with real files before.
    @inline(__always)
    func begin(
        _ operation: StorageOperation, _ life: ProcessLife, at place: @autoclosure () -> String
    ) throws -> StorageFault.Failure? {
        try admit(operation.rawValue, life)
        guard life.isOfApp else {
            if !isPrepared { try prepare() }
            return nil
        }
        counts.operations &+= 1
        if operation.isChange { counts.changes &+= 1 }
        return needsAttention ? try attend(operation, life, at: place()) : nil
    }

    /// Refuses callers that are no more, and those that come from another thread.
    @inline(__always)
    func admit(_ operation: String, _ life: ProcessLife) throws {
        guard recorder.isOnHomeThread(at: "\(device) storage: \(operation)") else {
            throw StorageError(
                .inputOutput, operation: operation,
                facts: ["a simulated device's storage was used from a thread that is not its simulation's"])
        }
        recorder.touch(device)
        try life.check()
    }

    private func attend(_ operation: StorageOperation, _ life: ProcessLife, at place: String) throws -> StorageFault.Failure? {
        for action in faults.takeInterruptions(before: operationCount) {
            record(operation, life, place, effect: "interrupt")
            action()
        }
        try life.check()
        operationLog?.append(LoggedOperation(operation: operation, place: place))
        let failure = faults.failure(of: operation, at: place)
        if let failure {
            record(operation, life, place, effect: failure.description)
            return failure
        }
        if let systemFailure {
            self.systemFailure = nil
            updateAttention()
            throw systemFailure
        }
        if !isPrepared { try prepare() }
        return nil
    }

    private func record(_ operation: StorageOperation, _ life: ProcessLife, _ place: String, effect: String) {
        recorder.record(
            .fault, on: device, process: life.number, .init("operation", .text(operation.rawValue)),
            .init("number", .number(operationCount)), .init("place", .text(place)), .init("effect", .text(effect)))
    }

    func updateAttention() {
        needsAttention = !isPrepared || !faults.isEmpty || systemFailure != nil || operationLog != nil
    }

    /// Does what the system does to storage. With real files it can fail; the app's next operation says so.
    func asSystem(_ body: () throws -> Void) {
        do {
            try body()
        } catch {
            systemFailure = error
        }
        updateAttention()
    }
}

/// Where things are on the simulated disk. The paths are the same with real files: there they lie below the device's folder.
extension DeviceStorage {
    package static let applicationsPath = ["Containers", "Data", "Application"]
    static let extensionsPath = ["Containers", "Data", "PluginKitPlugin"]
    package static let groupsPath = ["Containers", "Shared", "AppGroup"]
    /// What the paths of the groups' containers begin with.
    static let groupsPrefix = DiskPath.joined(groupsPath) + "/"

    /// The app's container: `/Containers/Data/Application/<name>`.
    package var containerPath: String { containerPaths.container }

    /// The app's container and what is in it.
    struct ContainerPaths {
        let container: String
        let documents: String
        let caches: String
        let applicationSupport: String
        let temporary: String

        init(container name: String, among folders: [String] = DeviceStorage.applicationsPath, part: AppPart = .app) {
            container = DiskPath.joined(folders + [part.bundleIdentifier(ofApp: name)])
            documents = container + "/Documents"
            caches = container + "/Library/Caches"
            applicationSupport = container + "/Library/Application Support"
            temporary = container + "/tmp"
        }

        /// Of a directory that is no App Group's.
        func path(of directory: ContainerDirectory) -> String {
            switch directory {
            case .documents: documents
            case .caches: caches
            case .applicationSupport: applicationSupport
            case .temporary: temporary
            case .appGroup: container
            }
        }
    }

    /// Makes what the system makes when an app is installed. `Library/Application Support` is not among it: apps make that.
    func prepare() throws {
        try disk.mirror?.open()
        if let record = disk.mirror?.record, let recorded = record.applicationContainer {
            self.container = recorded
            installations = record.installations
        }
        if installations == 0 { installations = 1 }
        let container = Self.applicationsPath + [container]
        for directory in [["Documents"], ["Library", "Caches"], ["Library", "Preferences"], ["tmp"]] {
            try disk.makeSystemPath(container + directory, systemDepth: container.count)
        }
        try disk.makeSystemPath(Self.groupsPath, systemDepth: Self.groupsPath.count)
        for group in groupsOfTheApp.sorted() { try prepareGroup(group) }
        try disk.mirror?.refreshTree(of: disk)
        try disk.mirror?.setApplication(container: self.container, installations: installations, disk: disk)
        isPrepared = true
        updateAttention()
    }

    func path(of directory: ContainerDirectory, for part: AppPart = .app) throws -> String {
        if !isPrepared { try prepare() }
        let path = try plannedPath(of: directory, for: part)
        if case .appGroup(let group) = directory {
            try prepareGroup(group)
        } else if part == .widget {
            try prepareWidget()
        }
        return path
    }

    /// Makes a group's container, as the system does.
    private func prepareGroup(_ group: String) throws {
        guard !preparedGroups.contains(group) else { return }
        try disk.makeSystemPath(Self.groupsPath + [group], systemDepth: Self.groupsPath.count)
        preparedGroups.insert(group)
    }

    /// Where a directory is, or would be: nothing is made.
    func plannedPath(of directory: ContainerDirectory, for part: AppPart) throws -> String {
        if case .appGroup(let group) = directory {
            try requireGroup(group)
            return Self.groupsPrefix + group
        }
        return part == .app ? containerPaths.path(of: directory) : widgetPaths.path(of: directory)
    }

    /// Makes the widget's container, when the widget first asks for something in it.
    private func prepareWidget() throws {
        guard !isWidgetPrepared else { return }
        let container = DiskPath.plainComponents(of: widgetPaths.container) ?? []
        for directory in [["Documents"], ["Library", "Caches"], ["Library", "Preferences"], ["tmp"]] {
            try disk.makeSystemPath(container + directory, systemDepth: container.count)
        }
        isWidgetPrepared = true
    }

    func requireGroup(_ group: String) throws {
        guard DiskPath.isFolderName(group), entitlements.appGroups.map({ $0.contains(group) }) ?? true else {
            throw StorageError(.unsupported, facts: ["App Group '\(group)' has no container here"])
        }
    }

    /// Puts a symbolic link where nothing is yet, durably, as another process of the group or an earlier version of the app may have done. What it lies in
    /// is made.
    public func plantLink(at path: String, to destination: String) throws {
        if !isPrepared { try prepare() }
        let components = try DiskPath.components(of: path, operation: "symlink")
        let system = components.starts(with: Self.groupsPath) ? Self.groupsPath.count : Self.applicationsPath.count + 1
        try disk.makeSystemPath(components.dropLast(), systemDepth: system)
        try disk.plantLink(at: path, to: destination)
    }

    func preferencesDirectory(group: String?, part: AppPart) -> String {
        (group.map { DiskPath.joined(Self.groupsPath + [$0]) } ?? (part == .app ? containerPath : widgetPaths.container))
            + "/Library/Preferences"
    }
}
