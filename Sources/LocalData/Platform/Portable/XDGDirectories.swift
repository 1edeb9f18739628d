/// Where an app's data lies on a host that follows freedesktop.org's Base Directory Specification.
///
/// | what | where |
/// | --- | --- |
/// | documents, application support | `$XDG_DATA_HOME/<app>/Documents`, `…/ApplicationSupport` |
/// | App Group | `$XDG_DATA_HOME/group.<identifier>` beside the apps; an identifier that begins with `group.` is taken as it is |
/// | keychain for development | `$XDG_DATA_HOME/<app>/Keychain/keychain.plist` |
/// | caches, temporary files | `$XDG_CACHE_HOME/<app>/Caches`, `…/Temporary` |
/// | preferences | `$XDG_CONFIG_HOME/<app>/Preferences/<suite>.plist`; those of an App Group in the group's folder there |
/// | what only this host needs to remember | `$XDG_STATE_HOME/<app>` |
struct XDGDirectories: Sendable, Hashable {
    let dataHome: String
    let configHome: String
    let cacheHome: String
    let stateHome: String
    /// The folder name of the app.
    let app: String

    /// - Parameter variables: the process's environment. Variables that are not absolute paths are ignored, as the specification demands.
    /// - Parameter home: the home directory, below which the defaults lie.
    /// - Parameter app: the bundle identifier or the process's name.
    init(variables: [String: String], home: String, app: String) {
        func directory(_ variable: String, _ standard: String) -> String {
            if let path = variables[variable], path.hasPrefix("/") { return Self.withoutTrailingSlashes(path) }
            return Self.withoutTrailingSlashes(home) + standard
        }
        dataHome = directory("XDG_DATA_HOME", "/.local/share")
        configHome = directory("XDG_CONFIG_HOME", "/.config")
        cacheHome = directory("XDG_CACHE_HOME", "/.cache")
        stateHome = directory("XDG_STATE_HOME", "/.local/state")
        self.app = PosixFileSystem.isFolderName(app) ? app : "LocalData"
    }

    var roots: PosixFileSystem.Roots {
        PosixFileSystem.Roots(
            documents: "\(dataHome)/\(app)/Documents",
            caches: "\(cacheHome)/\(app)/Caches",
            applicationSupport: "\(dataHome)/\(app)/ApplicationSupport",
            temporary: "\(cacheHome)/\(app)/Temporary",
            appGroup: { "\(dataHome)/\(Self.folder(ofAppGroup: $0))" })
    }

    var preferences: String { "\(configHome)/\(app)/Preferences" }
    var keychain: String { "\(dataHome)/\(app)/Keychain/keychain.plist" }
    var state: String { "\(stateHome)/\(app)" }

    func preferences(ofAppGroup identifier: String) -> String {
        "\(configHome)/\(Self.folder(ofAppGroup: identifier))/Preferences"
    }

    /// Never the folder of an app: those are named by bundle identifiers, which do not begin like this.
    private static func folder(ofAppGroup identifier: String) -> String {
        identifier.hasPrefix("group.") ? identifier : "group.\(identifier)"
    }

    private static func withoutTrailingSlashes(_ path: String) -> String {
        var path = path[...]
        while path.hasSuffix("/") { path.removeLast() }
        return String(path)
    }
}
