import Dispatch
import Foundation
import LocalData
import WatchConnectivity

#if os(watchOS)
    import WatchKit
#elseif canImport(UIKit)
    import UIKit
#endif

#if os(iOS)
    public let side = "phone"
#elseif os(watchOS)
    public let side = "watch"
#endif

/// Uses the system as code for devices does, and notes whose device it finds and when.
public final class Probe: NSObject, @unchecked Sendable {
    let log: (String) -> Void

    public init(log: @escaping (String) -> Void) {
        self.log = log
    }

    /// What is noted ends with the device, as storage and session know it, and virtual milliseconds.
    func note(_ place: String) {
        let storage = StorageRouter.shared.environment.device.identifier
        let session = WCSession.isSupported() ? "" : " without session"
        log("\(place): \(storage)\(session) \(DispatchTime.now().uptimeNanoseconds / 1_000_000)")
    }

    public func use(_ name: String) async throws {
        switch name {
        case "work items": useWorkItems()
        case "groups": useGroups()
        case "operations": useOperations()
        case "notifications": useNotifications()
        case "selectors": useSelectors()
        case "threads": useThreads()
        case "timers": useTimers()
        case "sleep": try await useSleep()
        case "clocks": try await useClocks()
        case "values": useValues()
        case "files": try useFiles()
        case "places": log("\(#fileID):\(#line) \((#filePath as NSString).lastPathComponent)")
        case "blocking": DispatchSemaphore(value: 0).wait()
        case "store": useStore()
        case "publishers": usePublishers()
        case "awaited": await useAwaited()
        case "keychain": Names(log: log).useKeychain()
        case "names": try Names(log: log).useNames()
        case "sources": Names(log: log).useSources()
        case "network": await Names(log: log).useNetwork()
        case "feedback": Names(log: log).useFeedback()
        case "keys": Names(log: log).useAsKeys()
        case "observing": Observing.shared.begin(log)
        case "locks": useLocks()
        case "waiting": useWaiting()
        case _ where name.hasPrefix("blocks in "): useBlocking(String(name.dropFirst("blocks in ".count)))
        case "observation": await useObservation()
        #if os(Linux)
            case "observations": await useObservations()
        #endif
        default: log("there is no \(name)")
        }
    }

    var cancellables: Set<AnyCancellable> = []
}
