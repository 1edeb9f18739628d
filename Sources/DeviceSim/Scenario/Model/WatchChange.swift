/// Something happens to a watch on the wrist, or its app is let run in the background.
public enum WatchChange: Sendable, Hashable {
    case wristDown
    case wristUp
    case crown
    /// The palm covers the display.
    case covered
    case takenOff
    case putOn
    /// How long the app stays frontmost once the wrist is lowered.
    case frontmostTime(VirtualDuration)
    case starts(BackgroundSession)
    case ends(BackgroundSession)
    case complicationLoads
    /// The system gives the app a task with which it refreshes itself.
    case refreshes
    /// Code of the app keeps the processor busy.
    case computes(VirtualDuration)
}
