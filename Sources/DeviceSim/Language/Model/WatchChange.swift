import DeviceSimCore

/// Something happens to a watch on the wrist, or its app is let run in the background.
public enum WatchChange: Sendable, Hashable {
    /// The wrist is lowered.
    case wristDown
    /// The wrist is raised.
    case wristUp
    /// The Digital Crown is pressed: the app leaves the screen.
    case crown
    /// The palm covers the display.
    case covered
    /// The watch is taken off, and locks with wrist detection.
    case takenOff
    /// The watch is put on.
    case putOn
    /// How long the app stays frontmost once the wrist is lowered.
    case frontmostTime(VirtualDuration)
    /// Something begins that keeps the app running in the background.
    case starts(BackgroundSession)
    /// That ends.
    case ends(BackgroundSession)
    /// The complication on the face loads its data.
    case complicationLoads
    /// The system gives the app a task with which it refreshes itself.
    case refreshes
    /// Code of the app keeps the processor busy.
    case computes(VirtualDuration)
}
