/// The rules that no probe shows, each with the reason.
enum LabCoverage {
    static let reasons: [String: String] = [
        "W4": "undefined by Apple: a probe of it could end the app",
        "W6": "it says that the values mean nothing, so none of them speaks against it",
        "W12": secondWatch, "W13": secondWatch, "W14": secondWatch, "W15": secondWatch, "W118": secondWatch,
        "W16": "needs an app that is for the watch only",
        "W25": "happens by chance after side-loading; the log shows it where it does",
        "W26": "unpairing erases the watch: nobody is asked for that",
        "W27": "unpairing erases the watch: nobody is asked for that",
        "W49": "needs a counterpart that holds another context than was sent, which nobody can make",
        "W66": "needs an app without the method; DeviceLab has all",
        "W72": "it says that there is no order, so no order speaks against it",
        "W87": "needs an app that crashes on purpose",
        "W95": complication, "W96": complication, "W123": complication, "W151": "takes a day of launches", "W153": complication,
        "W112": "is about Apple's Simulator",
        "W116": "the app is told the same with an Always On display as without; a person sees the difference",
        "W117": "needs an entitlement for workouts, and a capability for location or audio",
        "W119": "no limit is known, and a probe of it would fill the watch",
        "W120": "needs an app that is declared as dependent; DeviceLab's is not",
        "W121": "needs an app that is declared as dependent; DeviceLab's is not",
        "W124": "needs an app that is ended for computing too much",
        "W125": "a matter of one device's own runtime, in Apple's documentation",
        "W126": "no app is told that the watch locked itself; a person sees it",
        "W150": "needs an App Group, which needs a paid developer account; LocalData's tests show the same",
        "W152": "takes a day out of range",
    ]

    private static let secondWatch = "needs a second watch"
    private static let complication = "needs a complication or widget, which is a target of its own"
}
