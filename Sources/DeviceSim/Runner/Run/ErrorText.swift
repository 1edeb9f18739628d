import DeviceSimCore
import DeviceSimLanguage
import LocalData
import WatchConnectivity

/// Errors in the words of scenario files and reports.
package enum ErrorText {
    /// The name that a scenario uses, or the type's name for an error it has none for.
    package static func name(of error: any Error) -> String {
        ScenarioErrorName(error)?.name ?? String(describing: type(of: error))
    }

    /// What it says for a person; no value of a key is in it.
    package static func of(_ error: any Error) -> String {
        switch error {
        case let error as StorageError: error.description
        case let error as WCError: error.localizedDescription
        case let error as SimulationError: error.description
        default: String(describing: error)
        }
    }
}
