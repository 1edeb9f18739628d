/// What a timer is for, for a person who wants to know why a simulation does not come to rest.
package struct ScheduledWork: Hashable, Sendable {
    /// A noun, such as `departure of a context`.
    let kind: StaticString
    /// A device or a process, or nobody's.
    let owner: String?

    package init(_ kind: StaticString, of owner: String? = nil) {
        self.kind = kind
        self.owner = owner
    }

    init(_ kind: StaticString, of device: DeviceID) {
        self.init(kind, of: device.description)
    }

    package static func == (lhs: ScheduledWork, rhs: ScheduledWork) -> Bool {
        lhs.kind.description == rhs.kind.description && lhs.owner == rhs.owner
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(kind.description)
        hasher.combine(owner)
    }
}

extension Scheduler {
    /// What is still to come that something waits for: when, what, and whose, the soonest first. What is alike is one line.
    package var agenda: [String] {
        var lines: [(time: VirtualTime, work: ScheduledWork, more: Int)] = []
        for (time, work) in pendingTimers {
            if let index = lines.firstIndex(where: { $0.work == work }) {
                lines[index].more += 1
            } else {
                lines.append((time, work, 0))
            }
        }
        let shown = lines.prefix(Self.agendaLimit).map { time, work, more in
            let owner = work.owner.map { " (\($0))" } ?? ""
            return "\(Trace.text(of: time)) \(work.kind)\(owner)" + (more > 0 ? ", and \(more) more of these" : "")
        }
        return shown + (lines.count > shown.count ? ["… and \(lines.count - shown.count) other kinds"] : [])
    }

    private static let agendaLimit = 8
}
