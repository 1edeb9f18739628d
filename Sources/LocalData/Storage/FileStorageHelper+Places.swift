import Foundation

/// Where files lie on this installation.
extension FileStorageHelper {
    /// The place of a file-domain key's value.
    nonisolated func place(of key: any StorageKey) throws -> FilePath {
        let group: String? = if case .appGroupFileSystem(let identifier, _) = key.domain { identifier } else { nil }
        guard let directory = key.domain.directory else {
            throw StorageError(.invalidKey, facts: ["the domain '\(key.domain.kind)' has no files"])
        }
        return FilePath(directory: try directoryPath(directory, group: group), name: key.name)
    }

    /// The place of a file that an app names itself. The name must be one that a key could have.
    nonisolated func place(of name: String, in directory: FileDirectory, group: String?) throws -> FilePath {
        let domain: StorageDomain =
            group.map { .appGroupFileSystem(identifier: $0, directory: directory) } ?? .fileSystem(directory: directory)
        let problems = KeyRules.problems(name: name, domain: domain, security: .none)
        guard problems.isEmpty else { throw StorageError(.invalidKey, key: name, domain: domain.kind, facts: problems) }
        return FilePath(directory: try directoryPath(directory, group: group), name: name)
    }

    nonisolated func directoryPath(_ directory: FileDirectory, group: String?) throws -> String {
        guard let group else {
            switch directory {
            case .documents: return try containerPath(.documents)
            case .caches: return try containerPath(.caches)
            case .custom:
                let path = try customPath(directory)
                try requireNotInternal(path)
                return path
            }
        }
        let container = try containerPath(.appGroup(group))
        let (path, isCustom) =
            switch directory {
            case .documents: (container + "/Documents", false)
            case .caches: (container + "/Library/Caches", false)
            case .custom: (try customPath(directory), true)
            }
        try requireInGroup(path, container: container, group: group, isCustom: isCustom)
        return path
    }

    private nonisolated func customPath(_ directory: FileDirectory) throws -> String {
        guard let path = directory.customPath else {
            throw StorageError(.invalidKey, facts: ["the custom directory is no absolute file URL"])
        }
        return path
    }

    nonisolated func containerPath(_ directory: ContainerDirectory) throws -> String {
        try mapped { try environment.fileSystem.path(of: directory) }
    }
}
