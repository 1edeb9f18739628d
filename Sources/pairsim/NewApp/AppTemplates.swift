import Foundation

/// The files of a package that tests an app as two devices, written from a survey of the app.
struct AppTemplates {
    /// The app's name, as Swift names are written.
    let name: String
    /// The app's folder, as the new package finds it.
    let app: String
    /// The checkout of this library, as the new package finds it.
    let library: String
    let survey: AppSurvey

    /// The files by their paths in the package, in the order in which one reads them.
    var files: [(path: String, text: String)] {
        [
            (Self.manifest, package),
            ("Sources/\(name)Phone/\(name)Phone.swift", recipe("phone", without: .watch)),
            ("Sources/\(name)Watch/\(name)Watch.swift", recipe("watch", without: .phone)),
            ("Sources/\(name)Pair/PhoneApp.swift", adapter(.phone)),
            ("Sources/\(name)Pair/WatchApp.swift", adapter(.watch)),
            ("Sources/\(name)Pair/main.swift", program),
            ("Tests/\(name)Tests/ScenarioTests.swift", tests),
            ("Scenarios/both-are-activated.scenario", scenario),
        ]
    }

    static let manifest = "Package.swift"

    /// Where a manifest that was written so looks for this library, as it says it; `nil` where it does not say so any more.
    static func library(in manifest: Data) -> String? {
        let text = String(decoding: manifest, as: UTF8.self)
        guard let match = text.firstMatch(of: /\.package\(name: "LocalData", path: "((?:[^"\\]|\\.)*)"\)/) else { return nil }
        return String(match.1).replacing(/\\(.)/) { String($0.1) }
    }

    private var package: String {
        """
        // swift-tools-version: 6.2
        import PackageDescription

        let simulated: [Target.Dependency] = ["LocalData", "WatchConnectivity", "DeviceSim"].map { .product(name: $0, package: "LocalData") }

        /// One side of the app, made of the sources that its file in Sources names.
        func side(_ name: String) -> Target {
            .target(
                name: name, dependencies: simulated, swiftSettings: [.swiftLanguageMode(.v5)],
                plugins: [.plugin(name: "OneSource", package: "LocalData")])
        }

        /// The two sides extend the same types, such as `StorageKeys`: each file sees the members of the side that it imports.
        let seesWhatItImports: [SwiftSetting] = [.enableUpcomingFeature("MemberImportVisibility")]

        let package = Package(
            name: "\(name)Pair",
            platforms: [.macOS(.v15)],
            dependencies: [.package(name: "LocalData", path: \(literal(library)))],
            targets: [
                side("\(name)Phone"), side("\(name)Watch"),
                // Both as their devices see them, and pairsim over them: swift package pairsim run
                .executableTarget(
                    name: "\(name)Pair",
                    dependencies: ["\(name)Phone", "\(name)Watch", .product(name: "PairsimTool", package: "LocalData")] + simulated,
                    swiftSettings: seesWhatItImports),
                .testTarget(name: "\(name)Tests", dependencies: ["\(name)Pair"] + simulated, swiftSettings: seesWhatItImports),
            ])

        """
    }

    private func recipe(_ side: String, without other: AppSurvey.Side) -> String {
        let own = survey.places.filter { $0.side != other }.map(\.path)
        let places = (own + survey.shared(with: other == .watch ? .phone : .watch)).map { quoted("\(app)/\($0)") }
        return """
            // What the app's \(side) is made of, relative to this package. `without` leaves folders and files out.
            // OneSource: \(side) from \(places.joined(separator: ", "))

            """
    }

    /// A text as Swift writes it.
    private func literal(_ text: String) -> String { quoted(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")) }

    private func quoted(_ text: String) -> String { "\"\(text)\"" }

    // MARK: Adapters

    private func adapter(_ side: AppSurvey.Side) -> String {
        let word = side == .phone ? "phone" : "watch"
        let type = side == .phone ? "PhoneApp" : "WatchApp"
        let delegates = survey.delegates.filter { $0.side == .both || $0.side == side }
        var text = """
            import DeviceSim

            @testable import \(name)\(side == .phone ? "Phone" : "Watch")

            /// The \(word) app as its device sees it: what starts it, what a person can do with it, and what it shows.
            @MainActor final class \(type): SimulatedApp {

            """
        for delegate in delegates where delegate.singleton == nil {
            text += "    private lazy var \(variable(delegate)) = \(make(delegate))\n"
        }
        if side == .watch { text += "    private let work = BackgroundWork()\n" }
        text += """
                nonisolated init() {}

                func didFinishLaunching(inBackground: Bool) async {

            """
        if delegates.isEmpty {
            text += "        #error(\"no class of the app is a WCSessionDelegate: say here what starts its session\")\n"
        }
        for delegate in delegates { text += "        \(start(delegate))\n" }
        text += "    }\n\n"
        if side == .watch {
            text += """
                    /// The system has woken the app for what the phone sent. It ends an app that leaves the task open (0xc51bad02).
                    /// Where the app's own delegate has `handle(_:)`, give it the task instead: `delegate.handle([task])`.
                    func handleBackgroundTask(_ task: ConnectivityRefreshTask) async {
                        work.whenDone { task.setTaskCompletedWithSnapshot(false) }
                    }


                """
        }
        text += """
                func perform(_ action: String, with value: ScenarioValue) async throws {
                    switch (action, value) {

            """
        for delegate in delegates {
            for action in delegate.actions { text += "        \(self.action(action, of: delegate, isAmbiguous: delegates.count > 1))\n" }
        }
        text += """
                    default:
                        throw AppActionError("the \(word) app has no action '\\(action)', or its value is missing or of another kind")
                    }
                }

                func shown(_ name: String) async throws -> ScenarioValue {
                    switch name {

            """
        for delegate in delegates {
            for value in delegate.values { text += "        \(shown(value, of: delegate, isAmbiguous: delegates.count > 1))\n" }
        }
        text += """
                    default: throw AppActionError("the \(word) app shows no '\\(name)'")
                    }
                }
            }

            """
        return text
    }

    private func variable(_ delegate: SessionDelegate) -> String { delegate.name.prefix(1).lowercased() + delegate.name.dropFirst() }

    private func make(_ delegate: SessionDelegate) -> String {
        delegate.needsArguments ? "{ #error(\"say here how the app makes its \(delegate.name)\") }()" : "\(delegate.name)()"
    }

    private func object(_ delegate: SessionDelegate) -> String {
        delegate.singleton.map { "\(delegate.name).\($0)" } ?? variable(delegate)
    }

    private func start(_ delegate: SessionDelegate) -> String {
        guard let activation = delegate.activation else {
            return delegate.singleton == nil
                ? "_ = \(variable(delegate))" : "_ = \(object(delegate))  // its init activates the session, or say here what does"
        }
        return
            "\(activation.canThrow ? "try? " : "")\(effects(activation, of: delegate, throwing: false))\(object(delegate)).\(activation.name)()"
    }

    private func effects(_ member: SwiftMember, of delegate: SessionDelegate, throwing: Bool = true) -> String {
        (throwing && member.canThrow ? "try " : "") + (member.isAsync || delegate.isActor ? "await " : "")
    }

    private func action(_ member: SwiftMember, of delegate: SessionDelegate, isAmbiguous: Bool) -> String {
        let words = (isAmbiguous ? "\(delegate.name).\(member.name)" : member.name)
        let call = "_ = \(effects(member, of: delegate))\(object(delegate)).\(member.name)"
        guard let parameter = member.parameters.first, let scalar = SwiftMember.scalars[parameter.type] else {
            return "case (\"\(words)\", _): \(call)()"
        }
        let label = parameter.label == "_" ? "" : "\(parameter.label): "
        let given = parameter.type == "Int" ? "Int(value)" : "value"
        return "case (\"\(words)\", .\(scalar)(let value)): \(call)(\(label)\(given))"
    }

    private func shown(_ member: SwiftMember, of delegate: SessionDelegate, isAmbiguous: Bool) -> String {
        let words = (isAmbiguous ? "\(delegate.name).\(member.name)" : member.name)
        let type = member.scalar ?? "String"
        let scalar = SwiftMember.scalars[type] ?? "string"
        let value = "\(delegate.isActor ? "await " : "")\(object(delegate)).\(member.name)"
        func made(_ name: String) -> String { ".\(scalar)(\(type == "Int" ? "Int64(\(name))" : name))" }
        return "case \"\(words)\": \(member.isOptional ? "\(value).map { \(made("$0")) } ?? .null" : made(value))"
    }

    // MARK: Program and tests

    private var program: String {
        """
        import PairsimTool

        // The command line over this app: swift package pairsim run, or swift run \(name)Pair debug FILE
        // A search (swift package pairsim explore Scenarios) asks the apps for the actions of the scenarios. What must hold of both, it is told here:
        //     Pairsim.main(invariants: [.bothShow("theme")]) { PhoneApp() } watch: { WatchApp() }
        Pairsim.main { PhoneApp() } watch: { WatchApp() }

        """
    }

    private var tests: String {
        """
        import DeviceSim
        import Testing

        @testable import \(name)Pair

        /// Each file in Scenarios is a case: it is run on a simulated phone and watch, twice, and the traces are compared.
        @Suite struct ScenarioTests {
            static let scenarios = ScenarioSuite("Scenarios") {
                PhoneApp()
            } watch: {
                WatchApp()
            }

            @Test(arguments: scenarios.cases) func scenario(_ scenario: ScenarioCase) throws {
                try scenario.check { Attachment.record($0, named: $1) }
            }
        }

        """
    }

    private var scenario: String {
        """
        # Both apps activate their session when they are launched.

        expect phone session activationState activated
        expect watch session activationState activated

        """
    }
}
