import Synchronization

/// What a run shows of itself to the ``Watchdog``, which looks from another thread: signs of life, whose code runs, and in which step.
///
/// It takes nothing from a run and gives it nothing, so a run that comes to its end is the same with it and without.
package final class RunWatch: Sendable {
    private let beats = Atomic<UInt64>(0)
    private let owner = Atomic<Int>(0)
    private let stepNumber = Atomic<Int>(-1)
    private let gaveUp = Atomic<Bool>(false)
    private let names = Mutex<[String]>([])
    private let events = Mutex<@Sendable () -> [String]>({ [] })

    /// A watch that nobody looks at yet.
    package init() {}

    // MARK: What the run says

    /// Gives whoever has code that may run a number; 0 is nobody's.
    func number(of name: String) -> Int {
        names.withLock { names in
            names.append(name)
            return names.count
        }
    }

    /// A piece of work of `owner` begins, or goes on after one of another owner.
    func runs(_ owner: Int) {
        self.owner.store(owner, ordering: .relaxed)
        beats.add(1, ordering: .releasing)
    }

    /// The run comes to a step, counted from 0.
    package func begins(step: Int) {
        stepNumber.store(step, ordering: .relaxed)
        beats.add(1, ordering: .releasing)
    }

    /// The thread waits for another program, which is nothing that the run's code does.
    package func waits() { beats.add(1, ordering: .releasing) }

    /// Where the last events are to be had. Asked only while the run's thread stands still.
    package func setLastEvents(_ make: @escaping @Sendable () -> [String]) {
        events.withLock { $0 = make }
    }

    /// Whether nobody waits for the run any more: what it still does is lost.
    package var isGivenUp: Bool { gaveUp.load(ordering: .acquiring) }

    // MARK: What the watchdog sees

    var beat: UInt64 { beats.load(ordering: .acquiring) }
    var step: Int? {
        let number = stepNumber.load(ordering: .acquiring)
        return number < 0 ? nil : number
    }
    /// The process whose code runs, as `phone app #1`; `nil` while none does.
    var ownerName: String? {
        let number = owner.load(ordering: .acquiring)
        return names.withLock { $0.indices.contains(number - 1) ? $0[number - 1] : nil }
    }
    var lastEvents: [String] { events.withLock { $0 }() }

    func giveUp() { gaveUp.store(true, ordering: .releasing) }
}

/// A run that was given up, since one piece of an app's code did not come to its end.
public struct StalledRun: Sendable, Hashable {
    /// What the code does.
    public enum Kind: Sendable, Hashable {
        /// It waits, and uses no processor time: for a lock that it holds itself, for a signal that nobody gives.
        case blocked
        /// It goes on without an end.
        case busy
    }

    /// Whether it waits or goes on.
    public let kind: Kind
    /// The process whose code it is, such as `phone app #1`; `nil` where that of no process runs.
    public let process: String?
    /// The step of the scenario, from 0; `nil` before the first.
    public let step: Int?
    /// How long one piece of code might take, in seconds of the host's clock.
    public let seconds: Double
    /// What the run's thread was in, the innermost first: file and line, and function, as far as the host gives them, without the system's functions and
    /// this package's.
    public let stack: [String]
    /// The last events, rendered, oldest first; none where the run goes on, since they could not be read beside it.
    public let lastEvents: [String]

    /// What came of it: a sentence without a full stop, and below it where the code stands.
    public var message: String {
        let who = process.map { "code of \($0)" } ?? "the run"
        let what =
            switch kind {
            case .blocked: "\(who) is blocked and waits for ever"
            case .busy: "\(who) goes on without an end"
            }
        let sentence = "\(what): given up after \(Int(seconds.rounded())) s of the host's clock"
        return ([sentence] + stack.map { "at \($0)" }).joined(separator: "\n")
    }
}
