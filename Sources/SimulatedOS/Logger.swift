internal import DeviceSimCore

/// How much a line of a log matters.
public struct OSLogType: Hashable, Sendable {
    let name: String
    /// The usual.
    public static let `default` = OSLogType(name: "default")
    /// Helpful.
    public static let info = OSLogType(name: "info")
    /// For the developer.
    public static let debug = OSLogType(name: "debug")
    /// Something went wrong.
    public static let error = OSLogType(name: "error")
    /// Something that cannot be.
    public static let fault = OSLogType(name: "fault")
}

/// Writes lines to the app's log, which is the trace of the simulation: `app.log`. Outside a simulation they go nowhere.
///
/// What is private in a line stays out of the trace, as it stays out of a device's log: texts that are not said to be public.
public struct Logger: Sendable {
    private let subsystem: String
    private let category: String

    /// A log of a part of an app.
    public init(subsystem: String, category: String) {
        self.subsystem = subsystem
        self.category = category
    }

    /// A log of no part.
    public init() { self.init(subsystem: "", category: "") }

    /// A log of the same part.
    public init(_ log: OSLog) { self.init(subsystem: log.subsystem, category: log.category) }

    /// Writes a line.
    public func log(_ message: OSLogMessage) { write(message, .default) }
    /// Writes a line.
    public func log(level: OSLogType, _ message: OSLogMessage) { write(message, level) }
    /// Writes a line.
    public func trace(_ message: OSLogMessage) { write(message, .debug) }
    /// Writes a line.
    public func debug(_ message: OSLogMessage) { write(message, .debug) }
    /// Writes a line.
    public func info(_ message: OSLogMessage) { write(message, .info) }
    /// Writes a line.
    public func notice(_ message: OSLogMessage) { write(message, .default) }
    /// Writes a line.
    public func warning(_ message: OSLogMessage) { write(message, .error) }
    /// Writes a line.
    public func error(_ message: OSLogMessage) { write(message, .error) }
    /// Writes a line.
    public func critical(_ message: OSLogMessage) { write(message, .fault) }
    /// Writes a line.
    public func fault(_ message: OSLogMessage) { write(message, .fault) }

    func write(_ message: OSLogMessage, _ level: OSLogType) {
        guard let context = ProcessContext.current else { return }
        var facts: [TraceEvent.Fact] = []
        if !subsystem.isEmpty { facts.append(.init("subsystem", .text(subsystem))) }
        if !category.isEmpty { facts.append(.init("category", .text(category))) }
        context.record(.log, facts + [.init("level", .text(level.name)), .init("text", .text(message.text))])
    }
}

/// The older form of a log.
public final class OSLog: Sendable {
    let subsystem: String
    let category: String
    /// A log of no part.
    public static let `default` = OSLog(subsystem: "", category: "")
    /// A log that nothing is written to. Here: of no part.
    public static let disabled = OSLog(subsystem: "", category: "disabled")

    /// A log of a part of an app.
    public init(subsystem: String, category: String) {
        self.subsystem = subsystem
        self.category = category
    }
}

/// Writes a line to a log: its format, since its values are private unless the format says otherwise.
public func os_log(_ message: StaticString, log: OSLog = .default, type: OSLogType = .default, _ arguments: any CVarArg...) {
    Logger(log).write(OSLogMessage(stringLiteral: "\(message)"), type)
}

/// Writes a line to a log.
public func os_log(_ type: OSLogType = .default, log: OSLog = .default, _ message: OSLogMessage) {
    Logger(log).write(message, type)
}
