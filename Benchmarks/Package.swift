// swift-tools-version: 6.2
import PackageDescription

/// A package of its own, so that nobody who depends on LocalData builds it. Run it with
/// `swift run -c release --package-path Benchmarks`.
let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "LocalData", path: "..")],
    targets: [
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                .product(name: "LocalData", package: "LocalData"),
                .product(name: "DeviceSim", package: "LocalData"),
            ]
        )
    ],
    swiftLanguageModes: [.v6]
)
