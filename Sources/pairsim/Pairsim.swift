// The layers of DeviceSim. What this file exports, all files of the module see, and whoever imports it.
@_exported import DeviceSimCatalogue
@_exported import DeviceSimCore
@_exported import DeviceSimLanguage
@_exported import DeviceSimObservation
@_exported import DeviceSimRunner
@_exported import DeviceSimSearch
import Foundation
import LocalData

/// The command line `pairsim` as a program of a package's own, with its apps and catalogs in place of the app that scenario files configure.
///
/// ```swift
/// import PairsimTool
///
/// Pairsim.main(catalogs: ["Settings": SettingsCatalog()]) { PhoneApp() } watch: { WatchApp() }
/// ```
///
/// All of the tool's commands work: `run`, `explore`, `debug`, `watch` and the others. `swift package pairsim run` finds the program by its dependency on
/// this module.
public enum Pairsim {
    /// Carries out the command that the process was called with, over an app under test, and ends the process with its exit status.
    ///
    /// - Parameters:
    ///   - catalogs: What `catalog NAME` lines of the files name.
    ///   - invariants: What must hold of both apps: `explore` holds what it draws to each, and `expect invariant "…"` lines of the files name one.
    ///   - phone: Makes the phone app of a new process, in that process.
    ///   - watch: Makes the watch app of a new process, in that process.
    public static func main(
        catalogs: [String: any StorageKeyCatalog] = [:], invariants: [AppInvariant] = [],
        phone: @escaping @Sendable () -> any SimulatedApp, watch: @escaping @Sendable () -> any SimulatedApp
    ) -> Never {
        run(AppUnderTest(catalogs: catalogs, invariants: invariants) { $0.isPhone ? phone() : watch() })
    }

    /// The same over the app that scenario files configure with keys and steps.
    ///
    /// - Parameter catalogs: What `catalog NAME` lines of the files name.
    public static func main(catalogs: [String: any StorageKeyCatalog] = [:]) -> Never {
        run(AppUnderTest(catalogs: catalogs))
    }

    private static func run(_ app: AppUnderTest) -> Never {
        let host = Host.process()
        CrashGuard.install(environment: host.environment, runsForeignCode: app.make != nil || !app.catalogs.isEmpty)
        host.watchForInterruption()
        // A limit on the length of files (`ulimit -f`) is then an error of the writing, which leaves nothing half-written behind.
        signal(SIGXFSZ, SIG_IGN)
        // So is the end of whoever reads standard output: reports are written all the same, and the process ends by the signal behind that.
        let endsWithReader = !Host.isIgnored(SIGPIPE)
        signal(SIGPIPE, SIG_IGN)
        let input = StandardInputText(host.input)
        var status = Tool(host: host, engine: .deviceSim(files: .disk.reading("-", from: { input.bytes }), app: app)).run(
            Array(CommandLine.arguments.dropFirst()))
        if endsWithReader, host.isOutputUnheard {
            fflush(nil)
            signal(SIGPIPE, SIG_DFL)
            raise(SIGPIPE)
            // Where who started the tool holds the signal back.
            _exit(128 + SIGPIPE)
        }
        if let trouble = host.troubleOfOutput {
            host.errors.write("pairsim: cannot write the output: \(trouble)\n")
            status = ExitStatus.foremost([status, .cannotRun])
        }
        // What an app under test has printed, and a pipe or a file has not got yet.
        fflush(nil)
        // Not `exit`, which takes the process apart while threads may still run a scenario that has no end.
        _exit(status.rawValue)
    }
}

/// Whose code runs under the scenarios.
struct AppUnderTest: Sendable {
    /// What `catalog NAME` lines may name.
    var catalogs: [String: any StorageKeyCatalog] = [:]
    /// What the app promises of both devices.
    var invariants: [AppInvariant] = []
    /// Makes the app of a new process; `nil`: the one that scenario files configure.
    var make: (@Sendable (DeviceID) -> any SimulatedApp)?

    func adapting(_ options: RunOptions) -> RunOptions {
        var options = options
        options.catalogs = catalogs
        options.makeApp = make
        options.invariants = invariants
        return options
    }
}
