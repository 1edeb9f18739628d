internal import DeviceSimCore
import Foundation
internal import SimulatedSystem

/// Asks the system to make widgets' timelines anew, as WidgetKit has it. Each call is recorded, with how many of the day's budget are left.
///
/// An app in front is not counted. In the background it gets 40 a day, which Apple gives as the least of a usual budget (40 to 70); what is beyond that is
/// recorded as refused. That a widget's code runs is said by a scenario.
public final class WidgetCenter: Sendable {
    /// The one there is.
    public static let shared = WidgetCenter()

    private init() {}

    /// Makes the timelines of a kind of widget anew.
    public func reloadTimelines(ofKind kind: String) { reload("reloadTimelines", kind) }
    /// Makes all timelines anew.
    public func reloadAllTimelines() { reload("reloadAllTimelines", nil) }
    /// Forgets what was found of widgets' configurations.
    public func invalidateConfigurationRecommendations() {
        ProcessContext.current?.record(.log, .init("call", .text("WidgetCenter.invalidateConfigurationRecommendations")))
    }

    /// Says that a person has placed no widget: a scenario cannot say another thing yet.
    public func getCurrentConfigurations(_ completion: @escaping @Sendable (Result<[WidgetInfo], any Error>) -> Void) {
        SystemShims.DispatchQueue.global().async { completion(.success([])) }
    }

    private func reload(_ call: String, _ kind: String?) {
        guard let context = ProcessContext.current else { return }
        var facts: [TraceEvent.Fact] = [.init("call", .text("WidgetCenter.\(call)"))]
        if let kind { facts.append(.init("kind", .text(kind))) }
        if context.device?.process?.state == .foreground {
            facts.append(.init("budget", .text("not counted")))
        } else if let left = left(of: context) {
            facts.append(.init("budget", .text(left > 0 ? "\(left - 1) left" : "refused")))
        }
        context.record(.log, facts)
    }

    /// How many are left of today's, before this one, which is counted.
    private func left(of context: ProcessContext) -> Int? {
        guard let device = context.device else { return nil }
        let day = Int(SystemShims.now.timeIntervalSinceReferenceDate / 86_400)
        if device.widgetReloads.day != day { device.widgetReloads = (day, 0) }
        let left = Self.dailyBudget - device.widgetReloads.count
        if left > 0 { device.widgetReloads.count += 1 }
        return left
    }

    private static let dailyBudget = 40
}

/// A widget that a person has placed.
public struct WidgetInfo: Hashable, Sendable {
    /// Its kind.
    public let kind: String
}
