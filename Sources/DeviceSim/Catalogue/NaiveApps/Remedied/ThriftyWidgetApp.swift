/// The remedy of P53: the timeline is made anew where what is shown has changed.
final class ThriftyWidgetApp: StaleWidgetApp, @unchecked Sendable {
    override func stored(_ new: Int, before: Int?) {
        if new != before { reload() }
    }
}
