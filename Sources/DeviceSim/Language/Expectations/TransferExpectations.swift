import DeviceSimCore
import LocalData

extension Expectation {
    /// The two lists of outstanding transfers.
    public enum OutstandingChannel: String, Sendable, Hashable {
        /// `outstandingUserInfoTransfers`.
        case userInfo = "user infos"
        /// `outstandingFileTransfers`.
        case file = "files"
    }

    /// What can have come of a transfer.
    public enum TransferCondition: Sendable, Hashable {
        /// `didFinish` came, once, without an error.
        case finished
        /// `didFinish` came with this error.
        case failed(ScenarioErrorName)
        /// Neither cancelled, nor failed, nor received.
        case outstanding
        /// On the link at this instant.
        case transferring
        /// The app cancelled it before it had arrived.
        case cancelled
        /// The current complication info, or not (W96).
        case current
        /// A complication info that a later one replaced, or that is no complication info.
        case notCurrent
        /// How much of a file has been transferred.
        case percent(Int)
    }
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

extension Vocabulary {
    static let transferForms: [Form] = [
        transfer(
            "EXPECT transfer TRANSFER finished [TIMING]", "the app was told once, and without an error, that the transfer is done",
            example: "expect transfer t1 finished within 5s"
        ) { _ in .finished },
        transfer(
            "EXPECT transfer TRANSFER failed ERROR [TIMING]", "the app was told so", example: "expect transfer t1 failed insufficientSpace"
        ) { $0.error.map { .failed($0) } },
        transfer(
            "EXPECT transfer TRANSFER outstanding [TIMING]", "it is neither cancelled, nor failed, nor received (W84)",
            example: "expect transfer t1 outstanding"
        ) { _ in .outstanding },
        transfer("EXPECT transfer TRANSFER transferring [TIMING]", "it is on the link now", example: "expect transfer t1 transferring") {
            _ in
            .transferring
        },
        transfer("EXPECT transfer TRANSFER cancelled [TIMING]", "the app took it back in time", example: "expect transfer t1 cancelled") {
            _ in .cancelled
        },
        transfer(
            "EXPECT transfer TRANSFER current [TIMING]", "it is the current complication info (W96)", example: "expect transfer t1 current"
        ) { _ in .current },
        transfer(
            "EXPECT transfer TRANSFER not current [TIMING]", "it is not the current complication info",
            example: "expect transfer t1 not current"
        ) { _ in .notCurrent },
        transfer(
            "EXPECT transfer TRANSFER NUMBER percent [TIMING]", "so much of the file has been transferred, as its `progress` says",
            example: "expect transfer t1 50 percent"
        ) { $0.count(.number).map { .percent($0) } },
        outstanding("EXPECT DEVICE outstanding user infos NUMBER [TIMING]", example: "expect phone outstanding user infos 3", .userInfo),
        outstanding("EXPECT DEVICE outstanding files NUMBER [TIMING]", example: "expect phone outstanding files 1", .file),
        Form(
            .expect, "EXPECT DEVICE received user infos VALUE [TIMING]",
            "the app's delegate was given exactly these user infos since the start, in this order",
            example: "expect watch received user infos [{\"n\": 1}, {\"n\": 2}]"
        ) { match in
            guard let value = match.value(), let capture = match.capture(.value) else { return nil }
            guard case .array = value else {
                match.diagnose(capture.range, "expected a list of objects, and this is \(value.kindName)", hint: "such as `[{\"n\": 1}]`")
                return nil
            }
            return onDevice(match) { .receivedUserInfos($0, value) }
        },
        Form(
            .expect, "EXPECT DEVICE complication budget NUMBER [TIMING]", "so many urgent complication transfers are left today (W95)",
            example: "expect phone complication budget 50"
        ) { match in match.count(.number).flatMap { count in onDevice(match) { .complicationBudget($0, count) } } },
        Form(
            .expect, "EXPECT unobserved failures (none | NUMBER) [SINCE] [TIMING]",
            "how many failures no code of the apps was told of: those that it counts are not listed at the end of the run",
            example: "expect unobserved failures none"
        ) { match in expectation(match, .unobservedFailures(match.count(.number) ?? 0)) },
    ]

    private static func transfer(
        _ pattern: String, _ help: String, example: String, _ condition: @escaping @Sendable (Match) -> Expectation.TransferCondition?
    ) -> Form {
        Form(.expect, pattern, help, example: example) { match in
            guard let label = match.word(.transfer), let condition = condition(match) else { return nil }
            return expectation(match, .transfer(label, condition))
        }
    }

    private static func outstanding(_ pattern: String, example: String, _ channel: Expectation.OutstandingChannel) -> Form {
        Form(.expect, pattern, "so many are neither cancelled, nor failed, nor received (W84)", example: example) { match in
            match.count(.number).flatMap { count in onDevice(match) { .outstanding($0, channel, count) } }
        }
    }
}
