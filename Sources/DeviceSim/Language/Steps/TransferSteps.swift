import DeviceSimCore

/// The app on a device transfers something in the background, or is told how to behave towards what it receives that way.
public struct TransferStep: Sendable, Hashable {
    /// On which device.
    public let device: DeviceID
    /// What app code transfers.
    public let action: Action
    /// What the app is told through `didFinish`, if it is told of a failure. The step then waits for that.
    public let outcome: StepOutcome

    /// A step of app code with a transfer in the background.
    public init(_ device: DeviceID, _ action: Action, outcome: StepOutcome = .succeeds) {
        self.device = device
        self.action = action
        self.outcome = outcome
    }

    /// What app code can do with transfers.
    public enum Action: Sendable, Hashable {
        /// `label` names the transfer for later steps and expectations.
        case userInfo(ScenarioValue, label: String?)
        /// `transferCurrentComplicationUserInfo(_:)`, under a label to speak of it.
        case complication(ScenarioValue, label: String?)
        /// `path` is relative to the app's container.
        case file(path: String, metadata: ScenarioValue?, label: String?)
        /// Calls `cancel()` on the object of a labelled transfer, or on the one that stands for it after a relaunch.
        case cancel(String)
        /// The app writes a file, so that there is one to transfer. Data, or the bytes of a text.
        case writeFile(path: String, ScenarioValue)
        /// From now on the app does this with files that it receives. Survives the process: it is the app's code.
        case receivedFiles(AppBehaviour.ReceivedFiles)
        /// From now on the app does this with refresh tasks. Survives the process: it is the app's code.
        case refreshTasks(AppBehaviour.RefreshTasks)
        /// The app crashes in the next callback that gives it something (W87).
        case crashesWhileReceiving
    }
}

extension TransferStep {
    /// The lines that say what app code transfers in the background.
    enum Forms {
        static let userInfo = Form(
            .transfer, "DEVICE transfer user info OBJECT [as NAME] [OUTCOME]", "the app queues a user info",
            example: "phone transfer user info {\"n\": 1} as t2"
        ) { match in match.value(.object).flatMap { step(match, .userInfo($0, label: label(match))) } }
        static let complication = Form(
            .transfer, "DEVICE transfer complication OBJECT [as NAME] [OUTCOME]",
            "the app transfers a current complication info, urgently while the day's budget lasts (W95)",
            example: "phone transfer complication {\"n\": 1} as c1"
        ) { match in match.value(.object).flatMap { step(match, .complication($0, label: label(match))) } }
        static let file = Form(
            .transfer, "DEVICE transfer file STRING [with metadata OBJECT] [as NAME] [OUTCOME]",
            "the app queues a file; the path is relative to its container",
            example: "phone transfer file \"Documents/photo\" with metadata {\"n\": 1} as f1"
        ) { match in
            match.pathInContainer().flatMap { step(match, .file(path: $0, metadata: match.value(.object), label: label(match))) }
        }
        static let cancel = Form(
            .transfer, "DEVICE cancel TRANSFER", "the app cancels a transfer of its own", example: "phone cancel t1"
        ) { match in match.word(.transfer).flatMap { step(match, .cancel($0)) } }
        static let writeFile = Form(
            .transfer, "DEVICE write file STRING VALUE [OUTCOME]", "the app writes a file: data, or the bytes of a text",
            example: "phone write file \"Documents/photo\" data(100 bytes)"
        ) { match in
            guard let path = match.pathInContainer(), let value = match.value(), let capture = match.capture(.value) else { return nil }
            switch value {
            case .data, .string: return step(match, .writeFile(path: path, value))
            default:
                match.diagnose(capture.range, "a file has data or a text, and this is \(value.kindName)", hint: "write `data(100 bytes)`")
                return nil
            }
        }
        static let keepFiles = Form(
            .transfer, "DEVICE keeps received files in STRING",
            "from now on the app moves each received file into a directory of its container, by itself into Documents/Received",
            example: "watch keeps received files in \"Documents/Photos\""
        ) { match in match.pathInContainer().flatMap { step(match, .receivedFiles(.kept(in: $0))) } }
        static let readFilesLater = plain(
            "DEVICE reads received files later", "from now on the app looks at a received file after the callback returned (P21)",
            example: "watch reads received files later", .receivedFiles(.readLater))
        static let ignoreFiles = plain(
            "DEVICE ignores received files", "from now on the app does nothing with received files",
            example: "watch ignores received files", .receivedFiles(.ignored))
        static let completeTasks = plain(
            "DEVICE completes refresh tasks as usual", "from now on the app completes a refresh task when nothing is pending (W110)",
            example: "watch completes refresh tasks as usual", .refreshTasks(.whenDone))
        static let completeTasksAtOnce = plain(
            "DEVICE completes refresh tasks at once", "from now on the app completes a refresh task when it gets it",
            example: "watch completes refresh tasks at once", .refreshTasks(.atOnce))
        static let neverCompleteTasks = plain(
            "DEVICE never completes refresh tasks", "from now on the app lets refresh tasks run out",
            example: "watch never completes refresh tasks", .refreshTasks(.never))
        static let crashesWhileReceiving = plain(
            "DEVICE crashes while receiving",
            "the app crashes in the next callback that gives it a message, context, user info or file (W70, W87)",
            example: "watch crashes while receiving", .crashesWhileReceiving)

        /// In the order in which the grammar shows them, and in which they are tried.
        static let all: [Form] =
            [
                userInfo, complication, file, cancel, writeFile, keepFiles, readFilesLater, ignoreFiles, completeTasks, completeTasksAtOnce,
                neverCompleteTasks, crashesWhileReceiving,
            ]

        private static func plain(_ pattern: String, _ help: String, example: String, _ action: TransferStep.Action) -> Form {
            // Such a line has no outcome: its own `crashes` is none.
            Form(.transfer, pattern, help, example: example) { match in match.device.map { .step(.transfer(TransferStep($0, action))) } }
        }

        private static func step(_ match: Match, _ action: TransferStep.Action) -> Meaning? {
            match.device.map { .step(.transfer(TransferStep($0, action, outcome: match.outcome))) }
        }

        private static func label(_ match: Match) -> String? { match.newName(of: "transfer", in: \.transfers) }
    }

    /// The line that says it. The compiler asks here for the form of a new action.
    var wording: Wording {
        switch action {
        case .userInfo(let value, let label): Forms.userInfo.filled([.object: value.notation, .name: label])
        case .complication(let value, let label): Forms.complication.filled([.object: value.notation, .name: label])
        case .file(let path, let metadata, let label):
            Forms.file.filled([.string: ScenarioValue.quoted(path), .object: metadata?.notation, .name: label])
        case .cancel(let label): Forms.cancel.filled([.transfer: label])
        case .writeFile(let path, let value): Forms.writeFile.filled([.string: ScenarioValue.quoted(path), .value: value.notation])
        case .receivedFiles(.kept(let directory)): Forms.keepFiles.filled([.string: ScenarioValue.quoted(directory)])
        case .receivedFiles(.readLater): Forms.readFilesLater.filled()
        case .receivedFiles(.ignored): Forms.ignoreFiles.filled()
        case .refreshTasks(.whenDone): Forms.completeTasks.filled()
        case .refreshTasks(.atOnce): Forms.completeTasksAtOnce.filled()
        case .refreshTasks(.never): Forms.neverCompleteTasks.filled()
        case .crashesWhileReceiving: Forms.crashesWhileReceiving.filled()
        }
    }
}
