internal import DeviceSimCore
public import Foundation

/// What the watch app shows on a face, as ClockKit has it.
public final class CLKComplication: NSObject, Sendable {
    /// What tells it from the app's others.
    public let identifier = "CLKDefaultComplicationIdentifier"
}

/// Asks the system to make complications' timelines anew, as ClockKit has it. Each call is recorded. The source of their data is left out of made modules.
public final class CLKComplicationServer: NSObject, Sendable {
    private static let shared = CLKComplicationServer()
    private static let onFace = CLKComplication()

    /// The one there is.
    public static func sharedInstance() -> CLKComplicationServer { shared }

    /// The app's complication if the watch has it on its face; otherwise `nil`.
    public var activeComplications: [CLKComplication]? {
        ProcessContext.current?.device?.isComplicationOnFace == true ? [Self.onFace] : nil
    }

    /// Makes a timeline anew.
    public func reloadTimeline(for complication: CLKComplication) { record("reloadTimeline") }
    /// Makes a timeline longer.
    public func extendTimeline(for complication: CLKComplication) { record("extendTimeline") }
    /// Asks anew which complications the app has.
    public func reloadComplicationDescriptors() { record("reloadComplicationDescriptors") }

    private func record(_ call: String) {
        ProcessContext.current?.record(.log, .init("call", .text("CLKComplicationServer.\(call)")))
    }
}
