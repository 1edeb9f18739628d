import Foundation

/// A module of the project that is to compile on Apple's systems.
struct CheckedModule {
    let name: String
    /// Files and folders, from the project's root.
    let sources: [String]
    var languageMode = "6"
    var platforms = ApplePlatform.allCases
    /// Whether it belongs to the main actor by default, as the projects do that Xcode 26 makes.
    var isOfMainActor = false

    static let all =
        [
            CheckedModule(name: "LocalData", sources: ["Sources/LocalData"]),
            // What the articles tell apps to copy.
            CheckedModule(
                name: "ReferenceApp",
                sources: [
                    "Sources/DeviceSim/Core/ReferenceApp/ReferenceApp.swift", "Sources/DeviceSim/Core/ReferenceApp/BackgroundWork.swift",
                ],
                platforms: [.iOS, .watchOS]),
            CheckedModule(
                name: "ReferenceAppOfMainActor",
                sources: [
                    "Sources/DeviceSim/Core/ReferenceApp/ReferenceApp.swift", "Sources/DeviceSim/Core/ReferenceApp/BackgroundWork.swift",
                    "Tests/AppleTypeCheck/Witnesses/NonisolatedDelegate.swift",
                ],
                platforms: [.iOS, .watchOS], isOfMainActor: true),
            CheckedModule(name: "ThemeApp", sources: ["Examples/ThemeApp/ThemeApp"], platforms: [.iOS, .watchOS]),
            CheckedModule(name: "SessionLink", sources: ["Examples/ThemeApp/SessionLink"], languageMode: "5", platforms: [.iOS, .watchOS]),
            CheckedModule(
                name: "SecureStorageSample", sources: ["Examples/SecureStorageSample/Shared", "Examples/SecureStorageSample/Phone"],
                platforms: [.iOS]),
            CheckedModule(
                name: "DeviceLab", sources: ["Examples/DeviceLab/Recorder", "Examples/DeviceLab/Lab", "Examples/DeviceLab/Phone"],
                languageMode: "5", platforms: [.iOS]),
            CheckedModule(
                name: "DeviceLabWatch", sources: ["Examples/DeviceLab/Recorder", "Examples/DeviceLab/Lab", "Examples/DeviceLab/Watch"],
                languageMode: "5", platforms: [.watchOS]),
            CheckedModule(
                name: "SecureStorageSampleWatch", sources: ["Examples/SecureStorageSample/Shared", "Examples/SecureStorageSample/Watch"],
                platforms: [.watchOS]),
        ] + kinds

    /// What is written as apps are written. Each kind is an app of its own.
    private static let kinds =
        ["Checklist", "Forecast", "Remote", "Score", "Visits", "Water"].map {
            CheckedModule(name: $0, sources: ["Examples/Kinds/\($0)"], languageMode: "5", platforms: [.iOS, .watchOS])
        } + [
            CheckedModule(
                name: "PantryCore", sources: ["Examples/Kinds/Pantry/PantryCore"], languageMode: "5", platforms: [.iOS, .watchOS]),
            CheckedModule(name: "Pantry", sources: ["Examples/Kinds/Pantry/Pantry"], languageMode: "5", platforms: [.iOS, .watchOS]),
        ]

    /// All Swift files, sorted.
    func files(below root: URL) throws -> [String] {
        try sources.flatMap { source -> [String] in
            if source.hasSuffix(".swift") { return [source] }
            return try FileManager.default.subpathsOfDirectory(atPath: root.appendingPathComponent(source).path)
                .filter { $0.hasSuffix(".swift") }.sorted().map { "\(source)/\($0)" }
        }
    }
}

/// Something that would not compile, or not work, on an Apple system.
struct ExpectationResult: Hashable {
    let place: String
    let message: String

    var text: String { "\(place): error: \(message)" }
}
