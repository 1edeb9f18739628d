import Foundation
import LocalData
import WatchConnectivity

@testable import DeviceSim

/// App code or storage with one mistake that apps and libraries have really made. The search has to find each.
struct BadSpecimen: CustomStringConvertible, Sendable {
    let name: String
    /// The promises by which the mistake may show.
    let shows: Set<Promise>
    /// How many runs the search may need.
    let runs: Int
    let prepare: @Sendable (inout RunOptions) -> Void

    var description: String { name }

    static let all: [BadSpecimen] = [
        app("takes no context", shows: [.convergence]) { _ in BadApp.Mistakes(ignoresContexts: true) },
        storage("renames files without syncing the directory", shows: [.durability, .removal, .convergence], runs: 1_500) {
            $0.fileSystem = ForgetfulFileSystem(base: $0.fileSystem, flaw: .directorySync)
        },
    ]

    private static func app(
        _ name: String, shows: Set<Promise>, runs: Int = 300, _ mistakes: @escaping @Sendable (DeviceID) -> BadApp.Mistakes
    ) -> BadSpecimen {
        BadSpecimen(name: name, shows: shows, runs: runs) { options in
            options.makeConfiguredApp = { BadApp(behaviour: $1, mistakes: mistakes($0)) }
        }
    }

    private static func storage(
        _ name: String, shows: Set<Promise>, runs: Int, _ change: @escaping @Sendable (inout StorageEnvironment) -> Void
    ) -> BadSpecimen {
        BadSpecimen(name: name, shows: shows, runs: runs) { options in
            options.adaptEnvironment = { _, environment in
                var changed = environment
                change(&changed)
                return changed
            }
        }
    }
}

/// The reference app with a mistake.
final class BadApp: NSObject, SimulatedApp, WCSessionDelegate, @unchecked Sendable {
    struct Mistakes {
        var ignoresContexts = false
    }

    private let reference: ReferenceApp
    private let mistakes: Mistakes

    init(behaviour: AppBehaviour, mistakes: Mistakes) {
        reference = ReferenceApp(catalogs: behaviour.catalogs, activatesSession: false)
        self.mistakes = mistakes
    }

    func didFinishLaunching(inBackground: Bool) async {
        await reference.start()
        WCSession.default.delegate = self
        WCSession.default.activate()
    }

    func session(_ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?) {
        reference.session(session, activationDidCompleteWith: activationState, error: error)
    }

    func sessionDidBecomeInactive(_ session: WCSession) {}
    func sessionDidDeactivate(_ session: WCSession) {}

    func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        if !mistakes.ignoresContexts { reference.session(session, didReceiveApplicationContext: applicationContext) }
    }
}
