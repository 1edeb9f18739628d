internal import DeviceSimCore
public import Foundation

/// Makes a person feel something, as UIKit has it. What is felt is recorded, as code calls it.
@preconcurrency @MainActor open class UIFeedbackGenerator: NSObject {
    /// Nothing has to be made ready here.
    public func prepare() {}

    fileprivate func record(_ facts: TraceEvent.Fact...) {
        ProcessContext.current?.record(.log, [.init("call", .text("\(type(of: self))"))] + facts)
    }
}

/// For things that meet.
@preconcurrency @MainActor open class UIImpactFeedbackGenerator: UIFeedbackGenerator {
    /// How heavy or hard they are.
    public enum FeedbackStyle: Int, Sendable {
        /// One of the kinds that phones have.
        case light, medium, heavy, soft, rigid
    }

    private let style: FeedbackStyle

    /// For things of a kind.
    public init(style: FeedbackStyle = .medium) {
        self.style = style
    }

    /// They met.
    public func impactOccurred() { record(.init("haptic", .text("\(style)"))) }
    /// They met, with a strength from 0 to 1.
    public func impactOccurred(intensity: Double) { record(.init("haptic", .text("\(style)")), .init("intensity", .text("\(intensity)"))) }
}

/// For a task that ended.
@preconcurrency @MainActor open class UINotificationFeedbackGenerator: UIFeedbackGenerator {
    /// How it ended.
    public enum FeedbackType: Int, Sendable {
        /// One of the kinds that phones have.
        case success, warning, error
    }

    /// It ended.
    public func notificationOccurred(_ notificationType: FeedbackType) { record(.init("haptic", .text("\(notificationType)"))) }
}

/// For another choice in a list.
@preconcurrency @MainActor open class UISelectionFeedbackGenerator: UIFeedbackGenerator {
    /// There is another choice.
    public func selectionChanged() { record(.init("haptic", .text("selection"))) }
}
