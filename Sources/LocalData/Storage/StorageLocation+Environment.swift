extension StorageLocation {
    /// The place as this installation has it, so that two spellings of one place are one: an app's own keychain service and its bundle identifier,
    /// its own preferences and the suite of that name, a directory and a custom URL of its path.
    func resolved(in environment: StorageEnvironment) -> String {
        if let rest = physical.suffix(after: "keychain//") {
            return "keychain/\(Self.escaped(environment.device.bundleIdentifier))/\(rest)"
        }
        if let named = physical.suffix(after: "defaults/suite/") {
            guard let rest = String(named).suffix(after: Self.escaped(environment.device.bundleIdentifier) + "/") else { return physical }
            return "defaults/standard/\(rest)"
        }
        guard let path = physical.suffix(after: "file/custom"), let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else {
            return physical
        }
        let directory = path[..<slash]
        let kinds: [(ContainerDirectory, FileDirectory)] = [(.documents, .documents), (.caches, .caches)]
        for (container, kind) in kinds where (try? environment.fileSystem.path(of: container)) == String(directory) {
            return "file/\(kind.kind)\(path[slash...])"
        }
        return physical
    }
}

extension String {
    func suffix(after prefix: String) -> Substring? {
        // By bytes: what follows may begin with a mark that joins the prefix's last character.
        utf8.starts(with: prefix.utf8) ? Substring(utf8.dropFirst(prefix.utf8.count)) : nil
    }
}
