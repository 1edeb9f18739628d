import DeviceSimCore

extension Vocabulary {
    static let transfers: [Form] = [
        Form(
            .transfer, "DEVICE transfer user info OBJECT [as NAME] [OUTCOME]", "the app queues a user info",
            example: "phone transfer user info {\"n\": 1} as t2"
        ) { match in match.value(.object).flatMap { step(match, .userInfo($0, label: label(match))) } },
        Form(
            .transfer, "DEVICE transfer complication OBJECT [as NAME] [OUTCOME]",
            "the app transfers a current complication info, urgently while the day's budget lasts (W95)",
            example: "phone transfer complication {\"n\": 1} as c1"
        ) { match in match.value(.object).flatMap { step(match, .complication($0, label: label(match))) } },
        Form(
            .transfer, "DEVICE transfer file STRING [with metadata OBJECT] [as NAME] [OUTCOME]",
            "the app queues a file; the path is relative to its container",
            example: "phone transfer file \"Documents/photo\" with metadata {\"n\": 1} as f1"
        ) { match in
            path(match).flatMap { step(match, .file(path: $0, metadata: match.value(.object), label: label(match))) }
        },
        Form(
            .transfer, "DEVICE cancel TRANSFER", "the app cancels a transfer of its own", example: "phone cancel t1"
        ) { match in match.word(.transfer).flatMap { step(match, .cancel($0)) } },
        Form(
            .transfer, "DEVICE write file STRING VALUE [OUTCOME]", "the app writes a file: data, or the bytes of a text",
            example: "phone write file \"Documents/photo\" data(100 bytes)"
        ) { match in
            guard let path = path(match), let value = match.value(), let capture = match.capture(.value) else { return nil }
            switch value {
            case .data, .string: return step(match, .writeFile(path: path, value))
            default:
                match.diagnose(capture.range, "a file has data or a text, and this is \(value.kindName)", hint: "write `data(100 bytes)`")
                return nil
            }
        },
        Form(
            .transfer, "DEVICE keeps received files in STRING",
            "from now on the app moves each received file into a directory of its container, by itself into Documents/Received",
            example: "watch keeps received files in \"Documents/Photos\""
        ) { match in path(match).flatMap { step(match, .receivedFiles(.kept(in: $0))) } },
        plain(
            "DEVICE reads received files later", "from now on the app looks at a received file after the callback returned (P21)",
            example: "watch reads received files later", .receivedFiles(.readLater)),
        plain(
            "DEVICE ignores received files", "from now on the app does nothing with received files",
            example: "watch ignores received files", .receivedFiles(.ignored)),
        plain(
            "DEVICE completes refresh tasks as usual", "from now on the app completes a refresh task when nothing is pending (W110)",
            example: "watch completes refresh tasks as usual", .refreshTasks(.whenDone)),
        plain(
            "DEVICE completes refresh tasks at once", "from now on the app completes a refresh task when it gets it",
            example: "watch completes refresh tasks at once", .refreshTasks(.atOnce)),
        plain(
            "DEVICE never completes refresh tasks", "from now on the app lets refresh tasks run out",
            example: "watch never completes refresh tasks", .refreshTasks(.never)),
        plain(
            "DEVICE crashes while receiving",
            "the app crashes in the next callback that gives it a message, context, user info or file (W70, W87)",
            example: "watch crashes while receiving", .crashesWhileReceiving),
    ]

    private static func plain(_ pattern: String, _ help: String, example: String, _ action: TransferStep.Action) -> Form {
        // Such a line has no outcome: its own `crashes` is none.
        Form(.transfer, pattern, help, example: example) { match in match.device.map { .step(.transfer(TransferStep($0, action))) } }
    }

    private static func step(_ match: Match, _ action: TransferStep.Action) -> Meaning? {
        match.device.map { .step(.transfer(TransferStep($0, action, outcome: match.outcome))) }
    }

    private static func label(_ match: Match) -> String? { match.newName(of: "transfer", in: \.transfers) }

    /// A path in the app's container.
    static func path(_ match: Match) -> String? {
        guard let path = match.string(), let capture = match.capture(.string) else { return nil }
        guard !path.isEmpty, !path.hasPrefix("/"), !path.split(separator: "/").contains("..") else {
            match.diagnose(
                capture.range, "the path is relative to the app's container", hint: "such as \"Documents/notes\" or \"Library/Caches/x\"")
            return nil
        }
        return path
    }

    // MARK: Expectations

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
            "how many failures no code of the apps was told of: such are not listed at the end of the run",
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
