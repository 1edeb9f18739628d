extension SessionRule {
    static let waking = [
        SessionRule(
            110,
            "Contexts, user infos, complication infos and files can launch the watch app in the background, with a refresh task that it must hold until nothing is pending.",
            .documented, but: "they always launch it, where the system of a device decides whether to"),
        SessionRule(111, "Whether contexts, user infos or files from the watch launch the phone app.", .open),
        SessionRule(112, "Apple's Simulator does not support user infos and complication transfers.", .documented),
    ]
}
