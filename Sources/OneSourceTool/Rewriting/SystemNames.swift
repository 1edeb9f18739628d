/// The file that each made module gets beside the rewritten ones: under the system's names, what the simulated device has for them.
///
/// A name that a module declares goes before one that it imports, so files need no change. What the file exports, all files of the module see: they need
/// no import of the module `SimulatedSystem`, whatever features they are compiled with, nor one of Foundation or of Combine, which in Xcode
/// many get from Apple's other modules.
enum SystemNames {
    /// What a type is called in an app's code, and where it is declared. To give code another one: declare it in the module `SimulatedSystem`, in
    /// ``SystemShims``, so that its name collides with nothing, and add a line here.
    static let types: [(name: String, declared: String)] = [
        ("BlockOperation", "SystemShims.BlockOperation"),
        ("Bundle", "SystemShims.Bundle"),
        ("DispatchGroup", "SystemShims.DispatchGroup"),
        ("DispatchQueue", "SystemShims.DispatchQueue"),
        ("DispatchSemaphore", "SystemShims.DispatchSemaphore"),
        ("DispatchSource", "SystemShims.DispatchSource"),
        ("DispatchSourceTimer", "SystemShims.DispatchSourceTimer"),
        ("DispatchTime", "SystemShims.DispatchTime"),
        ("DispatchWorkItem", "SystemShims.DispatchWorkItem"),
        ("FileHandle", "SystemShims.FileHandle"),
        ("FileManager", "SystemShims.FileManager"),
        ("Mutex", "SystemShims.Mutex"),
        ("NSCondition", "SystemShims.NSCondition"),
        ("NSConditionLock", "SystemShims.NSConditionLock"),
        ("NSFileCoordinator", "SystemShims.NSFileCoordinator"),
        ("NSHashTable", "SystemShims.NSHashTable"),
        ("NSKeyValueObservation", "SystemShims.KeyValueObservation"),
        ("NSKeyValueObservedChange", "SystemShims.KeyValueChange"),
        ("NSKeyValueObservingOptions", "SystemShims.KeyValueOptions"),
        ("NSLock", "SystemShims.NSLock"),
        ("NSMapTable", "SystemShims.NSMapTable"),
        ("NSPointerArray", "SystemShims.NSPointerArray"),
        ("NSRecursiveLock", "SystemShims.NSRecursiveLock"),
        ("NotificationCenter", "SystemShims.NotificationCenter"),
        ("OSAllocatedUnfairLock", "SystemShims.OSAllocatedUnfairLock"),
        ("Operation", "SystemShims.Operation"),
        ("OperationQueue", "SystemShims.OperationQueue"),
        ("ProcessInfo", "SystemShims.ProcessInfo"),
        ("RunLoop", "SystemShims.RunLoop"),
        ("SecAccessControl", "SystemShims.AccessControl"),
        ("SecAccessControlCreateFlags", "SystemShims.AccessControlFlags"),
        ("Selector", "SystemShims.Selector"),
        ("SystemRandomNumberGenerator", "SystemShims.RandomNumbers"),
        ("Thread", "SystemShims.Thread"),
        ("Timer", "SystemShims.Timer"),
        ("URLSession", "SystemShims.URLSession"),
        ("URLSessionDataTask", "SystemShims.URLSessionTask"),
        ("URLSessionTask", "SystemShims.URLSessionTask"),
        ("UserDefaults", "SystemShims.UserDefaults"),
        ("os_unfair_lock", "SystemShims.UnfairLock"),
        ("os_unfair_lock_s", "SystemShims.UnfairLock"),
        ("os_unfair_lock_t", "UnsafeMutablePointer<SystemShims.UnfairLock>"),
    ]

    /// The same for a watch app only: the task that it gets for content from the phone. WatchKit is not on hosts, and its imports are left out.
    static let watchTypes: [(name: String, declared: String)] = [
        ("WKWatchConnectivityRefreshBackgroundTask", "ConnectivityRefreshTask")
    ]

    /// - Parameters:
    ///   - own: The types that the module declares itself, which are what its code means by their names.
    ///   - renamed: A line that gives a type the module's name (``alias(of:named:)``), or nothing.
    static func source(for side: Side, without own: Set<Substring> = [], renamed: String = "") -> String {
        let types = side == .watch ? types + watchTypes : types
        let aliases = types.filter { !own.contains(Substring($0.name)) }.map { "public typealias \($0.name) = \($0.declared)\n" }.joined()
        return head + aliases + renamed + members.map { "\n\($0)\n" }.joined()
    }

    /// Where a module has a type of the module's name, `Sync.State` means the type's: the compiler looks for types first. The type gets the name that the module
    /// has in the package as well, so that it is found under what ``ModuleNameRewriter`` writes, in the module and in those that import it.
    static func alias(of name: Substring, named made: Substring, among declarations: [(type: TypeDeclaration, tokens: [Token])]) -> String?
    {
        let found = declarations.first { $0.type.isAtTopLevel && $0.type.keyword != "extension" && $0.type.name.text == name }
        guard let found else { return nil }
        let isPublic = found.tokens[found.type.tokens].prefix { !$0.isWord(found.type.keyword) }
            .contains { $0.isWord("public") || $0.isWord("open") }
        return "\(isPublic ? "public " : "")typealias \(made) = \(name)\n"
    }

    private static let head = """
        // Made by the plugin OneSource: the system as a simulated device has it.
        @_exported import Combine
        @_exported import Foundation
        @_exported import SimulatedKits
        @_exported import SimulatedSystem


        """
}
