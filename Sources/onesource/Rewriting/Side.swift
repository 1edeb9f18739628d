/// Which of the two devices a module is made for, and what conditions of compilation say there.
enum Side: String, CaseIterable {
    case phone, watch

    /// Whether a condition such as `os(iOS)` holds on this side; `nil` where the compiler knows better: versions, the app's own flags, modules that are
    /// the same everywhere. `os(Linux)` stays with it too: it is true, and code that asks means the host.
    func holds(_ function: Substring, _ argument: Substring) -> Bool? {
        switch (function, argument) {
        case ("os", "iOS"): self == .phone
        case ("os", "watchOS"): self == .watch
        case ("os", "macOS"), ("os", "OSX"), ("os", "tvOS"), ("os", "visionOS"): false
        case ("canImport", "WatchConnectivity"): true
        // What exists on a device and not on the host: code that asks has an answer for hosts.
        case ("canImport", "UIKit"), ("canImport", "WatchKit"), ("canImport", "ClockKit"), ("canImport", "AppKit"): false
        case ("targetEnvironment", "simulator"), ("targetEnvironment", "macCatalyst"): false
        default: nil
        }
    }
}
