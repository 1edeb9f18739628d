import DeviceSimCore

extension TransferStep.Action {
    /// Without the device.
    var notation: String {
        switch self {
        case .userInfo(let value, let label): "transfer user info \(value.notation)" + Self.label(label)
        case .complication(let value, let label): "transfer complication \(value.notation)" + Self.label(label)
        case .file(let path, let metadata, let label):
            "transfer file \(ScenarioValue.quoted(path))" + (metadata.map { " with metadata \($0.notation)" } ?? "") + Self.label(label)
        case .cancel(let label): "cancel \(label)"
        case .writeFile(let path, let value): "write file \(ScenarioValue.quoted(path)) \(value.notation)"
        case .receivedFiles(.kept(let directory)): "keeps received files in \(ScenarioValue.quoted(directory))"
        case .receivedFiles(.readLater): "reads received files later"
        case .receivedFiles(.ignored): "ignores received files"
        case .refreshTasks(.whenDone): "completes refresh tasks as usual"
        case .refreshTasks(.atOnce): "completes refresh tasks at once"
        case .refreshTasks(.never): "never completes refresh tasks"
        case .crashesWhileReceiving: "crashes while receiving"
        }
    }

    private static func label(_ label: String?) -> String { label.map { " as \($0)" } ?? "" }
}

extension Expectation.TransferCondition {
    /// As a scenario file writes it.
    public var notation: String {
        switch self {
        case .finished: "finished"
        case .failed(let error): "failed \(error.name)"
        case .outstanding: "outstanding"
        case .transferring: "transferring"
        case .cancelled: "cancelled"
        case .current: "current"
        case .notCurrent: "not current"
        case .percent(let count): "\(count) percent"
        }
    }
}
