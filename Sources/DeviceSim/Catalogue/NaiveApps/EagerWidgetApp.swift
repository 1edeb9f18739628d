/// P53, put right too well: each thing that comes has the timeline made anew, whether or not it changes what is to be seen. The day's reloads are spent on nothing
/// (W153), and the last change is not shown.
final class EagerWidgetApp: StaleWidgetApp, @unchecked Sendable {
    override func stored(_ new: Int, before: Int?) { reload() }
}
