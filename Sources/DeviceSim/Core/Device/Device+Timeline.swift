import LocalData

/// What the system shows of the app's widget, be it a complication: an entry that the widget's own process has made, until it is made anew (W153).
struct WidgetTimeline {
    var entry: ScenarioValue?
    var budget = DailyBudget()
}

extension Device {
    /// The app asks the system to make the widget's timeline anew. The widget's process is started for that, if none runs, and ended afterwards.
    ///
    /// While the app is not in the foreground the system grants that so many times in a day (`Knobs.widgetReloads`), and does nothing otherwise.
    /// - Parameter makeEntry: The widget's code, which is run in its process.
    func reloadTimeline(_ makeEntry: @escaping @Sendable () -> ScenarioValue) {
        guard isAppInstalled, state.isPoweredOn else { return }
        let today = DailyBudget.day(at: wallClock, reset: .zero)
        guard process?.state == .foreground || timeline.budget.spend(of: options.knobs.widgetReloads, on: today) else {
            return record(.widgetReloadRefused)
        }
        record(.widgetReload)
        // What the app does at this instant it still does.
        scheduler.schedule(at: scheduler.now, as: ScheduledWork("reload of a widget", of: id)) { [weak self] in
            self?.makeTimeline(makeEntry)
        }
    }

    private func makeTimeline(_ makeEntry: @escaping @Sendable () -> ScenarioValue) {
        let wasRunning = widget != nil
        // The app may have been removed meanwhile, or the device switched off.
        guard let process = try? widget ?? launchWidget(), process.state != .suspended else { return }
        _ = process.start("timeline") { [weak self] in
            let entry = makeEntry()
            guard let self else { return }
            timeline.entry = entry
            guard !wasRunning else { return }
            scheduler.schedule(at: scheduler.now, as: ScheduledWork("end of a widget", of: id)) { [weak self] in
                if let self, widget === process { endWidget(.terminate) }
            }
        }
    }
}

extension ProcessContext {
    /// `WidgetCenter.shared.reloadAllTimelines()`, for code of an app that has one widget.
    package static func reloadTimeline(_ makeEntry: @escaping @Sendable () -> ScenarioValue) {
        guard let context = current, context.life.isAlive else { return }
        context.device?.reloadTimeline(makeEntry)
    }

    /// What a person sees of the widget; `nil` where no timeline was made yet.
    package static var timelineEntry: ScenarioValue? { current?.device?.timeline.entry }
}
