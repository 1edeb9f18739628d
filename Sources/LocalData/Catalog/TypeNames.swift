import Foundation

/// The names of types, kept: the runtime takes a demangler to each, and catalogs ask for them at every launch.
///
/// A type is named the same as long as the program runs, so nothing of it depends on the device.
enum TypeNames {
    private static let lock = NSLock()
    /// Only touched under the lock. As many as the program has types of values.
    nonisolated(unsafe) private static var names: [ObjectIdentifier: String] = [:]

    static func name(of type: Any.Type) -> String {
        lock.withLock {
            let identifier = ObjectIdentifier(type)
            if let known = names[identifier] { return known }
            let name = String(describing: type)
            names[identifier] = name
            return name
        }
    }
}
