import DeviceSimCore
import Foundation
import LocalData

/// A log as somebody sent it: JSON Lines, of one device or of several. What cannot be read of it is counted, and passed over.
package struct ObservedLog: Sendable {
    /// As the user named it.
    package let name: String
    package private(set) var events: [ObservedEvent] = []
    /// The lines that are no events, by their numbers.
    package private(set) var damagedLines: [Int] = []
    /// How many lines are missing by the recorder's count.
    package private(set) var missingCount = 0
    /// What the log says of the devices that it was written on, each once.
    package private(set) var headers: [LogHeader] = []

    /// A line that is longer is taken for damage.
    private static let longestLine = 1 << 20
    /// Beyond this a time is taken for damage: five centuries.
    private static let latestTime: UInt64 = 1 << 54

    /// - Parameter file: Its number among the logs.
    package init(name: String, file: Int, bytes: some Sequence<UInt8>) {
        self.name = name
        var number = 0
        for line in Array(bytes).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            number += 1
            let isBlank = line.allSatisfy { $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }
            guard !isBlank else { continue }
            guard let event = Self.event(line, at: LogPlace(file: file, line: number)) else {
                damagedLines.append(number)
                continue
            }
            if event.name == ObservedEvent.header, let header = LogHeader(event), !headers.contains(where: { $0.isSame(as: header) }) {
                headers.append(header)
            }
            events.append(event)
        }
        missingCount = countMissing()
        events = Self.steadied(events)
    }

    /// With times that never go back, as the lines do not: a clock that is set back is taken to go on from where it was. What several threads wrote within a
    /// second may stand in another order than it happened in.
    private static func steadied(_ events: [ObservedEvent]) -> [ObservedEvent] {
        var last: Int64?
        var shift: Int64 = 0
        return events.map { event in
            var time = event.time + shift
            if let last, time < last {
                if last - time > 1_000_000 { shift += last - time }
                time = last
            }
            last = time
            return event.moved(to: time)
        }
    }

    /// Whether nothing is known to be missing. A log without the recorder's count may miss lines all the same.
    package var seemsWhole: Bool { damagedLines.isEmpty && missingCount == 0 }

    private func countMissing() -> Int {
        var missing = 0
        var last: Int?
        for number in events.compactMap(\.number) {
            if let last, number > last {
                // Numbers that nobody counted to may be as far apart as numbers go.
                let (gap, isTooWide) = number.subtractingReportingOverflow(last)
                let (sum, isTooMuch) = missing.addingReportingOverflow(gap - 1)
                missing = isTooWide || isTooMuch ? .max : sum
            }
            last = number
        }
        return missing
    }

    private static func event(_ line: ArraySlice<UInt8>, at place: LogPlace) -> ObservedEvent? {
        guard line.count <= longestLine, case .object(let members)? = try? JSONDecoder().decode(AnyCodable.self, from: Data(line)),
            case .string(let name)? = members["kind"], case .integer(let time)? = members["time"], time.magnitude <= latestTime
        else { return nil }
        var device: DeviceID?
        if let member = members["device"] {
            guard case .string(let text) = member, let known = DeviceID.all.first(where: { $0.description == text }) else { return nil }
            device = known
        }
        var facts: [String: TraceEvent.Value] = [:]
        if case .object(let values)? = members["facts"] { facts = values.compactMapValues(fact) }
        return ObservedEvent(
            place: place, device: device, process: int(members["process"]), name: name, kind: TraceEvent.Kind(rawValue: name), time: time,
            number: int(members["line"]), facts: facts)
    }

    private static func int(_ value: AnyCodable?) -> Int? {
        if case .integer(let number)? = value { count(number) } else { nil }
    }

    /// A number that can be counted with; a larger one is damage.
    private static func count(_ number: Int64) -> Int? { number.magnitude < 1 << 53 ? Int(exactly: number) : nil }

    private static func fact(_ value: AnyCodable) -> TraceEvent.Value? {
        switch value {
        case .string(let text): return .text(text)
        case .bool(let flag): return .flag(flag)
        case .integer(let number): return count(number).map { .number($0) }
        case .array(let values):
            let texts = values.compactMap { if case .string(let text) = $0 { text } else { nil } }
            return texts.count == values.count ? .list(texts) : nil
        default: return nil
        }
    }
}

/// The device that a log was written on, as the recorder found it.
package struct LogHeader: Sendable, Hashable {
    package let place: LogPlace
    package let device: DeviceID
    /// Such as `Watch6,1`.
    package let model: String?
    /// Such as `watchOS 10.4`.
    package let system: String?

    init?(_ event: ObservedEvent) {
        guard let device = event.device else { return nil }
        place = event.place
        self.device = device
        model = event.text("model")
        system = event.text("system")
    }

    func isSame(as other: LogHeader) -> Bool { (device, model, system) == (other.device, other.model, other.system) }

    /// For a person: `watch: Watch6,1, watchOS 10.4`.
    package var description: String {
        let known = [model, system].compactMap { $0 }
        return "\(device): \(known.isEmpty ? "not said" : known.joined(separator: ", "))"
    }
}
