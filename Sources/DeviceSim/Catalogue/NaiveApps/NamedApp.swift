import DeviceSimCore

/// An app that a scenario file can name: `start devices with app resends-its-context`.
package struct NamedApp: Sendable {
    package let name: String
    /// What it does, and what is wrong with that, in a few words.
    package let summary: String
    /// Makes it for a process that starts.
    package let make: @Sendable () -> any SimulatedApp

    init(_ name: String, _ summary: String, _ make: @escaping @Sendable () -> any SimulatedApp) {
        self.name = name
        self.summary = summary
        self.make = make
    }

    package init?(named name: String) {
        guard let app = Self.byName[name] else { return nil }
        self = app
    }

    private static let byName = Dictionary(table.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
}
