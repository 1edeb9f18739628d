// swift-tools-version: 6.2
import PackageDescription

/// What a target made by `OneSource` needs on a host.
let simulated: [Target.Dependency] = [
    .product(name: "LocalData", package: "LocalData"),
    .product(name: "WatchConnectivity", package: "LocalData"),
    .product(name: "DeviceSim", package: "LocalData"),
]
let oneSource: [Target.PluginUsage] = [.plugin(name: "OneSource", package: "LocalData")]

/// The app's Xcode project compiles `ThemeApp` and `SessionLink` for iOS and for watchOS. This package compiles the same folders for a simulated phone
/// and a simulated watch, and tests them against each other.
let package = Package(
    name: "ThemeApp",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "LocalData", path: "../..")],
    targets: [
        .target(name: "ThemePhone", dependencies: simulated, plugins: oneSource),
        .target(name: "ThemeWatch", dependencies: simulated, plugins: oneSource),
        .target(name: "SessionLinkPhone", dependencies: simulated, swiftSettings: [.swiftLanguageMode(.v5)], plugins: oneSource),
        .target(name: "SessionLinkWatch", dependencies: simulated, swiftSettings: [.swiftLanguageMode(.v5)], plugins: oneSource),
        // The apps as their devices see them, and pairsim over them: swift package pairsim run Scenarios/theme
        .executableTarget(
            name: "ThemePair",
            dependencies: ["ThemePhone", "ThemeWatch", .product(name: "PairsimTool", package: "LocalData")] + simulated),
        .testTarget(
            name: "ThemeAppTests",
            dependencies: ["ThemePair", "ThemePhone", "ThemeWatch", "SessionLinkPhone", "SessionLinkWatch"] + simulated),
    ],
    swiftLanguageModes: [.v6]
)
