import Foundation
import LocalData

/// Where things are on the simulated disk. The paths are the same with real files: there they lie below the device's folder.
extension DeviceStorage {
    package static let applicationsPath = ["Containers", "Data", "Application"]
    static let extensionsPath = ["Containers", "Data", "PluginKitPlugin"]
    package static let groupsPath = ["Containers", "Shared", "AppGroup"]

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
        try disk.mirror?.refreshTree(of: disk)
        try disk.mirror?.setApplication(container: self.container, installations: installations, disk: disk)
        isPrepared = true
        updateAttention()
    }

    func path(of directory: ContainerDirectory, for part: AppPart = .app) throws -> String {
        if !isPrepared { try prepare() }
        var own: ContainerPaths {
            get throws {
                if part == .widget { try prepareWidget() }
                return part == .app ? containerPaths : widgetPaths
            }
        }
        switch directory {
        case .documents: return try own.documents
        case .caches: return try own.caches
        case .applicationSupport: return try own.applicationSupport
        case .temporary: return try own.temporary
        case .appGroup(let group):
            try requireGroup(group)
            if !preparedGroups.contains(group) {
                try disk.makeSystemPath(Self.groupsPath + [group], systemDepth: Self.groupsPath.count)
                preparedGroups.insert(group)
            }
            return DiskPath.joined(Self.groupsPath + [group])
        }
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
