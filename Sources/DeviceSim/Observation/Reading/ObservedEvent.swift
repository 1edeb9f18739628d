import DeviceSimCore

/// Where a line of a log stands.
package struct LogPlace: Sendable, Hashable, Comparable {
    /// Which of the logs, counted from 0.
    package let file: Int
    /// Counted from 1.
    package let line: Int

    package init(file: Int, line: Int) {
        self.file = file
        self.line = line
    }

    package static func < (lhs: LogPlace, rhs: LogPlace) -> Bool { (lhs.file, lhs.line) < (rhs.file, rhs.line) }
}

/// One line of a log that somebody sent: an event as ``TraceEvent`` writes it, or as a recorder on a device does.
///
/// What this version does not know is kept: a kind has its word only, and facts are asked for by name.
package struct ObservedEvent: Sendable, Hashable {
    package let place: LogPlace
    /// `nil` for what happens between the devices.
    package let device: DeviceID?
    /// Which run of the app, where the line says so.
    package let process: Int?
    /// The word of the line.
    package let name: String
    /// What the word means; `nil` for one that is not known here.
    package let kind: TraceEvent.Kind?
    /// Microseconds by the clock of the device that wrote the line, from an instant of its own.
    package let time: Int64
    /// The recorder's own count of the lines, where it has one: what is missing shows.
    package let number: Int?
    package let facts: [String: TraceEvent.Value]

    /// The same line, at another time.
    func moved(to time: Int64) -> ObservedEvent {
        ObservedEvent(place: place, device: device, process: process, name: name, kind: kind, time: time, number: number, facts: facts)
    }

    package func text(_ name: String) -> String? {
        if case .text(let text)? = facts[name] { text } else { nil }
    }

    package func flag(_ name: String) -> Bool? {
        if case .flag(let flag)? = facts[name] { flag } else { nil }
    }

    package func int(_ name: String) -> Int? {
        if case .number(let number)? = facts[name] { number } else { nil }
    }

    package func list(_ name: String) -> [String]? {
        if case .list(let list)? = facts[name] { list } else { nil }
    }

    /// The number of the session's error, where the line has one.
    package var code: Int? { int("code") }
    /// The sender's count of what it sent that way.
    package var sequence: Int? { int("sequence") }
    /// Tells whether two payloads are the same, without saying what is in them. Where a recorder tells of an answer, `to` is that of the message.
    package var digest: String? { text("digest") }
}

extension ObservedEvent {
    /// What a recorder writes at the beginning of each run of an app.
    package static let header = "log.header"
    /// What a probe of DeviceLab has seen of a rule, by its own look.
    static let probeSaw = "lab.saw"
    /// A person was asked for something, and has done it.
    static let handDone = "lab.done"
}
