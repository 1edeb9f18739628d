import DeviceSimCore
import Foundation
import LocalData

/// The scenario files of a folder as the cases of a test, run with an app's own code and catalogs.
///
/// ```swift
/// static let scenarios = ScenarioSuite(catalogs: ["Settings": SettingsCatalog()]) { PhoneApp() } watch: { WatchApp() }
///
/// @Test(arguments: scenarios.cases) func scenario(_ scenario: ScenarioCase) throws {
///     try scenario.check { Attachment.record($0, named: $1) }
/// }
/// ```
public struct ScenarioSuite: Sendable {
    /// The folder, or as it was named if there is none.
    public let folder: String
    /// What `catalog NAME` lines of the files name.
    public let catalogs: [String: any StorageKeyCatalog]
    /// How each scenario is run first. Its ``RunOptions/makeApp`` makes the app under test.
    public var options: RunOptions
    /// Under how many more orders of ready work each scenario is run.
    public var orders = 0

    /// For the app that scenario files configure with keys and steps.
    ///
    /// - Parameters:
    ///   - folder: Looked for beside `file` and in the folders above, up to the package's. `*.scenario` files in it and in its folders count.
    ///   - catalogs: What `catalog NAME` lines of the files name.
    ///   - file: The file of the test, where it is not the caller's.
    public init(_ folder: String = "Scenarios", catalogs: [String: any StorageKeyCatalog] = [:], file: String = #filePath) {
        self.folder = Self.find(folder, above: file) ?? folder
        self.catalogs = catalogs
        options = RunOptions()
    }

    /// For an app under test.
    ///
    /// - Parameters:
    ///   - folder: Looked for beside `file` and in the folders above, up to the package's. `*.scenario` files in it and in its folders count.
    ///   - catalogs: What `catalog NAME` lines of the files name.
    ///   - invariants: What `expect invariant "…"` lines of the files name.
    ///   - file: The file of the test, where it is not the caller's.
    ///   - phone: Makes the phone app of a new process, in that process.
    ///   - watch: Makes the watch app of a new process, in that process.
    public init(
        _ folder: String = "Scenarios", catalogs: [String: any StorageKeyCatalog] = [:], invariants: [AppInvariant] = [],
        file: String = #filePath,
        phone: @escaping @Sendable () -> any SimulatedApp, watch: @escaping @Sendable () -> any SimulatedApp
    ) {
        self.init(folder, catalogs: catalogs, file: file)
        options.makeApp = { $0.isPhone ? phone() : watch() }
        options.invariants = invariants
    }

    /// One case for each file, in alphabetical order. A folder that has none makes a case that fails and says so.
    public var cases: [ScenarioCase] {
        let names = (FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? [])
            .filter { $0.hasSuffix(".scenario") }
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        guard !names.isEmpty else { return [ScenarioCase(id: "\(folder)/*.scenario", path: nil, suite: self)] }
        return names.map { ScenarioCase(id: $0, path: "\(folder)/\($0)", suite: self) }
    }

    private static func find(_ folder: String, above file: String) -> String? {
        guard !folder.hasPrefix("/") else { return folder }
        var place = URL(fileURLWithPath: file).deletingLastPathComponent()
        while place.path != "/" {
            let candidate = place.appendingPathComponent(folder).standardizedFileURL
            var isFolder: ObjCBool = false
            if FileManager.default.fileExists(atPath: candidate.path, isDirectory: &isFolder), isFolder.boolValue { return candidate.path }
            if FileManager.default.fileExists(atPath: place.appendingPathComponent("Package.swift").path) { return nil }
            place.deleteLastPathComponent()
        }
        return nil
    }
}
