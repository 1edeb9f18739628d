import DeviceSimCore
import Foundation
import LocalData

/// What lies on a stored device, place by place. Never a value.
public struct DeviceInventory: Sendable, Hashable {
    /// Something that lies on the device.
    public struct Entry: Sendable, Hashable {
        /// Such as `files`, `preferences com.example.app`, `keychain com.example.app`.
        public let place: String
        /// The name of the file, preference or keychain item.
        public let name: String
        /// As it is stored.
        public let byteCount: Int
        /// Data protection class, accessibility, whether it is kept out of backups.
        public let attributes: [String]
        /// How it is sealed and with which key; `plain` for anything that is no envelope.
        public let form: String
    }

    /// Sorted by place and name.
    public let entries: [Entry]
    /// Places that cannot be read, in words.
    public let problems: [String]
}

extension StoredDevice {
    /// Everything that lies on the device: files, preferences and keychain items, by name and size.
    /// - Throws: `StorageError`, `FileSystemError` where a folder cannot be read.
    public func inventory() throws -> DeviceInventory {
        var entries: [DeviceInventory.Entry] = []
        var problems: [String] = []
        if let applicationPath { try addFiles(at: applicationPath, place: "files", to: &entries) }
        for group in try names(in: groupsPath) { try addFiles(at: "\(groupsPath)/\(group)", place: "files of \(group)", to: &entries) }
        for (name, path) in try preferenceFiles() {
            guard let bytes = try RealFolder(folder).read(String(path.dropFirst())),
                case .dictionary(let values)? = try? PropertyListValue(encoded: bytes)
            else {
                problems.append("preferences \(name): the property list is damaged")
                continue
            }
            for (key, value) in values {
                let bytes = if case .data(let data) = value { data } else { value.canonicalBytes }
                entries.append(
                    .init(place: "preferences \(name)", name: key, byteCount: bytes.count, attributes: [], form: form(of: bytes)))
            }
        }
        switch KeychainFile(folder: RealFolder(folder)).load() {
        case .unchanged: break
        case .items(let stored):
            for item in stored.map(\.item) {
                let attributes = [item.accessibility.rawValue] + (item.accessControl.map { [$0.rawValue] } ?? [])
                entries.append(
                    .init(
                        place: "keychain \(item.service)", name: item.account, byteCount: item.data.count, attributes: attributes,
                        form: form(of: item.data)))
            }
        case .failed(let status): problems.append("keychain: the file is damaged (OSStatus \(status.rawValue))")
        }
        return DeviceInventory(
            entries: entries.sorted { ($0.place, $0.name) < ($1.place, $1.name) }, problems: problems.sorted())
    }

    private func addFiles(at path: String, place: String, to entries: inout [DeviceInventory.Entry]) throws {
        try visit(path) { file, size in
            let relative = String(file.dropFirst(path.count + 1))
            guard !relative.hasPrefix("Library/Preferences/") else { return }
            let attributes = record.files[file]
            let protection = (attributes?.protection ?? .completeUntilFirstUserAuthentication).rawValue
            let bytes = try RealFolder(folder).read(String(file.dropFirst())) ?? Data()
            entries.append(
                .init(
                    place: place, name: relative, byteCount: size,
                    attributes: [protection] + (isExcludedFromBackup(file) ? ["not backed up"] : []), form: form(of: bytes)))
        }
    }

    /// Of the file or of a directory that it is in.
    private func isExcludedFromBackup(_ path: String) -> Bool {
        var path = path[...]
        while !path.isEmpty {
            if record.files[String(path)]?.isExcludedFromBackup == true { return true }
            path = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
        }
        return false
    }

    private func form(of bytes: Data) -> String { SealedForm(of: bytes)?.description ?? "plain" }

    // MARK: Walking

    private func visit(_ path: String, _ body: (String, Int) throws -> Void) throws {
        for name in try names(in: path) {
            switch try RealFolder(folder).kind(of: "\(path)/\(name)") {
            case .directory?: try visit("\(path)/\(name)", body)
            case .file(let size)?: try body("\(path)/\(name)", size)
            case .link?, .other?, nil: continue
            }
        }
    }

    private func names(in path: String) throws -> [String] {
        let real = RealFolder(folder)
        guard case .directory? = try real.kind(of: path) else { return [] }
        return try real.files.list(real.real(path))
    }

    private func preferenceFiles() throws -> [(name: String, path: String)] {
        let containers = (applicationPath.map { [$0] } ?? []) + (try names(in: groupsPath).map { "\(groupsPath)/\($0)" })
        return try containers.flatMap { container in
            try names(in: container + "/Library/Preferences").filter { $0.hasSuffix(".plist") }
                .map { (String($0.dropLast(".plist".count)), "\(container)/Library/Preferences/\($0)") }
        }
    }
}
