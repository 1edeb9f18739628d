// swift-tools-version: 6.2
import PackageDescription

/// Warnings are errors where `LOCALDATA_STRICT` is set, as `.ci/run` does. `CI` is set for those who build an app, too: Xcode, which silences the warnings of
/// packages, would refuse to build this one there.
let strict: [SwiftSetting] = Context.environment["LOCALDATA_STRICT"] == nil ? [] : [.treatAllWarnings(as: .error)]

/// The hosts without Apple's WatchConnectivity framework, which get the mirror module of that name.
let withoutWatchConnectivity: [Platform] = [.linux, .macOS]

// Hosts with Apple's Combine framework use it: a module of that name would stand before it.
#if canImport(Combine)
    let combine: [Target] = []
#else
    let combine: [Target] = [.target(name: "Combine", swiftSettings: strict)]
#endif

/// Says which of the system's functions LocalData uses and why. Xcode puts it into apps, whose uploads are refused without (Apple, "Describing use of required
/// reason API"). Other hosts have nothing to do with it.
#if os(macOS)
    let privacyManifest: (resources: [Resource], others: [String]) = ([.process("PrivacyInfo.xcprivacy")], [])
#else
    let privacyManifest: (resources: [Resource], others: [String]) = ([], ["PrivacyInfo.xcprivacy"])
#endif

/// Code as apps have it: in the language mode that most of it is written for.
let asInApps: [SwiftSetting] = strict + [.swiftLanguageMode(.v5)]

/// Code as new apps and libraries have it: in the newest language mode, with what comes after it.
let asInNewLibraries: [SwiftSetting] =
    strict
    + [
        "MemberImportVisibility", "InternalImportsByDefault", "ExistentialAny", "NonisolatedNonsendingByDefault",
        "InferIsolatedConformances",
    ]
    .map { .enableUpcomingFeature($0) }

/// What simulated code needs.
let simulated: [Target.Dependency] = [
    "DeviceSim", "LocalData", .target(name: "WatchConnectivity", condition: .when(platforms: withoutWatchConnectivity)),
]

/// The modules that `import DeviceSim` brings in, lowest first; beside them `SimulatedSystem`.
let layers = ["Core", "Catalogue", "Language", "Runner", "Search", "Observation"]

/// One of DeviceSim's modules, whose sources lie in a folder of its name.
func layer(_ name: String, of lower: [String], and others: [Target.Dependency] = []) -> Target {
    .target(
        name: "DeviceSim" + name,
        dependencies: [
            "LocalData", .target(name: "WatchConnectivity", condition: .when(platforms: withoutWatchConnectivity)),
        ] + lower.map { .target(name: "DeviceSim" + $0) } + others,
        path: "Sources/DeviceSim/" + name,
        swiftSettings: strict)
}

/// The folder of what the modules of the apps of several kinds are made of.
let kinds = "Examples/Kinds/Sources/"

/// One side of a module of an app that is made of two.
func made(_ name: String, of others: [Target.Dependency], in folder: String = "Tests/MadeModules/Two/") -> Target {
    .target(name: name, dependencies: simulated + others, path: folder + name, swiftSettings: asInApps, plugins: ["OneSource"])
}

let package = Package(
    name: "LocalData",
    platforms: [.iOS(.v17), .watchOS(.v10), .macOS(.v15)],
    products: [
        .library(name: "LocalData", targets: ["LocalData"]),
        .library(name: "DeviceSim", targets: ["DeviceSim"]),
        .library(name: "WatchConnectivity", targets: ["WatchConnectivity"]),
        .library(name: "PairsimTool", targets: ["PairsimTool"]),
        .executable(name: "pairsim", targets: ["pairsim"]),
        .plugin(name: "OneSource", targets: ["OneSource"]),
        .plugin(name: "PairsimCommand", targets: ["PairsimCommand"]),
    ],
    targets: combine + [
        .systemLibrary(
            name: "CLibCrypto",
            pkgConfig: "libcrypto",
            providers: [.apt(["libssl-dev"]), .yum(["openssl-devel"])]
        ),
        .target(name: "WatchConnectivity", swiftSettings: strict),
        .target(
            name: "LocalData",
            dependencies: [
                .target(name: "CLibCrypto", condition: .when(platforms: [.linux])),
                .target(name: "WatchConnectivity", condition: .when(platforms: withoutWatchConnectivity)),
            ],
            exclude: privacyManifest.others,
            resources: privacyManifest.resources,
            swiftSettings: strict
        ),
        // DeviceSim is its layers, of which each imports those above it here and no other.
        layer("Core", of: []),
        // What the system's names are to app code. Modules that the plugin makes see this, and nothing of DeviceSim.
        .target(
            name: "SimulatedSystem",
            dependencies: [
                "DeviceSimCore", "LocalData", .target(name: "WatchConnectivity", condition: .when(platforms: withoutWatchConnectivity)),
            ],
            path: "Sources/DeviceSim/SystemShims",
            swiftSettings: strict),
        // What Apple's frameworks for apps are to app code beside views, and what needs Combine or FoundationNetworking, which `pairsim` does without.
        .target(
            name: "SimulatedKits",
            dependencies: ["DeviceSimCore", "SimulatedSystem", "LocalData"] + combine.map { .target(name: $0.name) },
            swiftSettings: strict),
        .target(name: "SimulatedOS", dependencies: ["DeviceSimCore"], swiftSettings: strict),
        .target(
            name: "SimulatedSwiftUI", dependencies: ["SimulatedKits", "SimulatedSystem"] + combine.map { .target(name: $0.name) },
            swiftSettings: strict),
        layer("Catalogue", of: ["Core"], and: ["SimulatedSystem"]),
        layer("Language", of: ["Core", "Catalogue"]),
        layer("Runner", of: ["Core", "Catalogue", "Language"]),
        layer("Search", of: ["Core", "Catalogue", "Language", "Runner"]),
        // What logs of real devices tell.
        layer("Observation", of: ["Core", "Catalogue", "Language", "Runner"]),
        .target(
            name: "DeviceSim",
            dependencies: layers.map { .target(name: "DeviceSim" + $0) } + [
                "SimulatedSystem", "SimulatedKits", "SimulatedOS", "SimulatedSwiftUI",
            ],
            exclude: layers + ["SystemShims"],
            sources: ["DeviceSim.swift", "FormerNames.swift"],
            swiftSettings: strict),
        // The tool, over the layers alone: what only app code needs would make the first build longer.
        .target(
            name: "PairsimTool",
            dependencies: [
                "LocalData", .target(name: "WatchConnectivity", condition: .when(platforms: withoutWatchConnectivity)),
            ] + layers.map { .target(name: "DeviceSim" + $0) },
            path: "Sources/pairsim", exclude: ["Main"], swiftSettings: strict),
        .executableTarget(name: "pairsim", dependencies: ["PairsimTool"], path: "Sources/pairsim/Main", swiftSettings: strict),
        // What the fuzz tests of both libraries are made with. No product.
        .target(name: "FuzzSupport", path: "Tests/FuzzSupport", swiftSettings: strict),
        // Mistakes for the search to find, and the table of how it does. No products.
        .target(
            name: "Specimens",
            dependencies: [
                "DeviceSim", "LocalData",
                .target(name: "WatchConnectivity", condition: .when(platforms: withoutWatchConnectivity)),
            ],
            path: "Tests/Specimens",
            exclude: ["TABLE.md"],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "specimen-table", dependencies: ["Specimens", "DeviceSim"], path: "Tests/SpecimenTable", swiftSettings: strict),
        // Searches for one of the mistakes that `Scripts/mutants` plants in a copy of the package. No product.
        .executableTarget(
            name: "mutant-search", dependencies: ["DeviceSim", "PairsimTool"], path: "Tests/Mutants/Search", swiftSettings: strict),
        // Type-checks what is to compile on Apple's systems, on hosts without their SDKs. No product.
        .executableTarget(
            name: "apple-typecheck", path: "Tests/AppleTypeCheck", exclude: ["README.md", "Probes", "StandIns", "Witnesses"],
            sources: ["Tool"],
            swiftSettings: strict),
        // Writes the documents that are made from the sources. No product.
        .executableTarget(name: "documents", dependencies: ["DeviceSim"], path: "Tests/Documents", swiftSettings: strict),
        // What the tests of several targets need. No product.
        .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: strict),
        // Reads symbol graphs for `Scripts/documentation`. No product.
        .executableTarget(name: "documentation-check", path: "Tests/DocumentationCheck", swiftSettings: strict),
        .executableTarget(name: "OneSourceTool", swiftSettings: strict),
        .plugin(name: "OneSource", capability: .buildTool(), dependencies: ["OneSourceTool"]),
        // `swift package pairsim`, in every package that depends on this one.
        .plugin(
            name: "PairsimCommand",
            capability: .command(
                intent: .custom(verb: "pairsim", description: "Run, search and watch scenarios with the package's own apps and catalogs"))),
        .testTarget(
            name: "LocalDataTests",
            dependencies: [
                "LocalData", "FuzzSupport",
                .target(name: "WatchConnectivity", condition: .when(platforms: withoutWatchConnectivity)),
            ],
            exclude: ["Fixtures/Version1"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "DeviceSimTests",
            dependencies: [
                "DeviceSim", "LocalData", "FuzzSupport", "Specimens", "TestSupport", "documents",
                .target(name: "WatchConnectivity", condition: .when(platforms: withoutWatchConnectivity)),
            ],
            exclude: ["Fixtures/Version1", "Scenario/Goldens"],
            swiftSettings: strict
        ),
        // Where Apple's framework is, that is tested, which shows whether the mirror does the same.
        .testTarget(name: "CombineTests", dependencies: combine.map { .target(name: $0.name) }, swiftSettings: strict),
        // The code of the README and of the articles, compiled and run.
        .testTarget(
            name: "DocumentationTests", dependencies: simulated + ["documentation-check", "documents", "TestSupport"],
            exclude: ["Scenarios"], swiftSettings: strict),
        .testTarget(name: "OneSourceTests", dependencies: ["OneSourceTool"], swiftSettings: strict),
        // One source, made a phone and a watch by the plugin, for its tests. No products.
        .target(
            name: "MadePhone", dependencies: simulated, path: "Tests/MadeModules/Phone", swiftSettings: asInApps, plugins: ["OneSource"]),
        .target(
            name: "MadeWatch", dependencies: simulated, path: "Tests/MadeModules/Watch", swiftSettings: asInApps, plugins: ["OneSource"]),
        .target(
            name: "StrictPhone", dependencies: simulated, path: "Tests/MadeModules/StrictPhone", swiftSettings: asInNewLibraries,
            plugins: ["OneSource"]),
        .target(
            name: "StrictWatch", dependencies: simulated, path: "Tests/MadeModules/StrictWatch",
            swiftSettings: asInNewLibraries + [.defaultIsolation(MainActor.self)], plugins: ["OneSource"]),
        // An app and a library of its own, which it imports by a name that is the same on both sides; with views and an entry point.
        made("CorePhone", of: []), made("CoreWatch", of: []), made("AppPhone", of: ["CorePhone"]), made("AppWatch", of: ["CoreWatch"]),
        .testTarget(
            name: "MadeModulesTests",
            dependencies: [
                "MadePhone", "MadeWatch", "StrictPhone", "StrictWatch", "AppPhone", "AppWatch", "SimulatedOS", "SimulatedSwiftUI",
            ] + simulated,
            swiftSettings: strict),
        // Apps of several kinds, as Xcode compiles them for both systems, made a phone and a watch, and their tests. No products.
        made("KindsPhone", of: [], in: kinds), made("KindsWatch", of: [], in: kinds),
        made("PantryCorePhone", of: [], in: kinds), made("PantryCoreWatch", of: [], in: kinds),
        made("PantryPhone", of: ["PantryCorePhone"], in: kinds), made("PantryWatch", of: ["PantryCoreWatch"], in: kinds),
        .testTarget(
            name: "KindsTests", dependencies: ["KindsPhone", "KindsWatch", "PantryPhone", "PantryWatch"] + simulated,
            path: "Examples/Kinds/Tests/KindsTests",
            swiftSettings: strict),
        // An app that holds a pair of devices against the rules, as Xcode compiles it for both systems. No products.
        .target(
            name: "DeviceLabPhone", dependencies: simulated, path: "Examples/DeviceLab/Sources/DeviceLabPhone", swiftSettings: asInApps,
            plugins: ["OneSource"]),
        .target(
            name: "DeviceLabWatch", dependencies: simulated, path: "Examples/DeviceLab/Sources/DeviceLabWatch", swiftSettings: asInApps,
            plugins: ["OneSource"]),
        .testTarget(
            name: "DeviceLabTests", dependencies: ["DeviceLabPhone", "DeviceLabWatch", "TestSupport"] + simulated,
            path: "Examples/DeviceLab/Tests/DeviceLabTests", swiftSettings: strict),
        // An app that uses everything LocalData has, as Xcode compiles it for both systems. No products.
        .target(
            name: "SamplePhone", dependencies: simulated, path: "Examples/SecureStorageSample/Sources/SamplePhone", swiftSettings: strict,
            plugins: ["OneSource"]),
        .target(
            name: "SampleWatch", dependencies: simulated, path: "Examples/SecureStorageSample/Sources/SampleWatch", swiftSettings: strict,
            plugins: ["OneSource"]),
        .testTarget(
            name: "SecureStorageSampleTests", dependencies: ["SamplePhone", "SampleWatch", "TestSupport"] + simulated,
            path: "Examples/SecureStorageSample/Tests/SecureStorageSampleTests", swiftSettings: strict),
        .testTarget(
            name: "pairsimTests", dependencies: ["PairsimTool", "DeviceSim", "Specimens", "TestSupport"], exclude: ["Goldens"],
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)

// For a first look (`Scripts/first-run`): the tool and what it is made of, and nothing for which the plugin would have to be built and run first.
if Context.environment["LOCALDATA_TOOL_ONLY"] != nil {
    let tool =
        ["CLibCrypto", "WatchConnectivity", "LocalData", "SimulatedSystem", "PairsimTool", "pairsim"] + layers.map { "DeviceSim" + $0 }
    package.targets.removeAll { !tool.contains($0.name) }
    package.products.removeAll { !["LocalData", "WatchConnectivity", "PairsimTool", "pairsim"].contains($0.name) }
}
