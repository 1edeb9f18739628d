/// The subscription of one subscriber to several publishers at once, whose values come as they do: merging and flat mapping.
///
/// Where the subscriber takes any number, so do all upstreams. Otherwise each of them is asked for one value at a time, which waits here until it is
/// wanted.
final class Confluence<Down: Subscriber>: Subscription, CustomStringConvertible {
    let description: String
    private let lock = Lock()
    private var down: Down?
    private var demand = Subscribers.Demand.none
    private var taps: [Int: Tap] = [:]
    private var count = 0
    private var open = 0
    private var waiting: [(tap: Int, value: Down.Input)] = []
    private var isSending = false
    /// Whether no more upstreams come.
    private var isComplete = false
    /// Cancels what makes upstreams.
    var onCancel: (() -> Void)?
    /// An upstream has ended.
    var onEnd: (() -> Void)?

    init(_ name: String, to down: Down) {
        description = name
        self.down = down
    }

    func announce() { down?.receive(subscription: self) }

    func add<P: Publisher>(_ publisher: P) where P.Output == Down.Input, P.Failure == Down.Failure {
        let number = lock.withLock {
            open += 1
            count += 1
            return count
        }
        let box = Box<Tap>()
        let inlet = Inlet<P.Output, P.Failure> { [self] in
            let asked = lock.withLock { () -> Subscribers.Demand in
                guard down != nil else { return .none }
                taps[number] = box.value
                return demand == .unlimited ? .unlimited : .max(1)
            }
            if asked == .none { box.value?.cancel() } else { box.value?.request(asked) }
        } onValue: { [self] value in
            receive(value, from: number)
        } onCompletion: { [self] completion in
            ended(number, completion)
        }
        box.value = Tap(inlet)
        publisher.subscribe(inlet)
    }

    /// No more upstreams come: it ends with the last of those that are there.
    func complete() {
        lock.withLock { isComplete = true }
        finishIfDone()
    }

    func fail(_ failure: Down.Failure) {
        let (told, taps) = release()
        for tap in taps { tap.cancel() }
        told?.receive(completion: .failure(failure))
    }

    func request(_ demand: Subscribers.Demand) {
        let becameUnlimited = lock.withLock {
            let before = self.demand
            self.demand += demand
            return before != .unlimited && self.demand == .unlimited
        }
        send()
        guard becameUnlimited else { return }
        for tap in lock.withLock({ taps.sorted { $0.key < $1.key }.map(\.value) }) { tap.request(.unlimited) }
    }

    func cancel() {
        let onCancel = self.onCancel
        let (_, taps) = release()
        for tap in taps { tap.cancel() }
        onCancel?()
    }

    private func receive(_ value: Down.Input, from number: Int) -> Subscribers.Demand {
        let taker = lock.withLock { () -> Down? in
            guard demand > 0, waiting.isEmpty else {
                if down != nil { waiting.append((number, value)) }
                return nil
            }
            demand -= 1
            return down
        }
        guard let taker else { return .none }
        let more = taker.receive(value)
        return lock.withLock {
            demand += more
            return demand == .unlimited ? .none : .max(1)
        }
    }

    private func send() {
        guard
            !lock.withLock({
                defer { isSending = true }; return isSending
            })
        else { return }
        while let (number, value) = lock.withLock({ demand > 0 && !waiting.isEmpty ? waiting.removeFirst() : nil }) {
            let (taker, tap) = lock.withLock {
                demand -= 1
                return (down, taps[number])
            }
            let more = taker?.receive(value) ?? .none
            lock.withLock { demand += more }
            if lock.withLock({ demand != .unlimited }) { tap?.request(.max(1)) }
        }
        lock.withLock { isSending = false }
        finishIfDone()
    }

    private func ended(_ number: Int, _ completion: Subscribers.Completion<Down.Failure>) {
        if case .failure(let failure) = completion { return fail(failure) }
        lock.withLock {
            taps[number] = nil
            open -= 1
        }
        onEnd?()
        finishIfDone()
    }

    private func finishIfDone() {
        guard lock.withLock({ isComplete && open == 0 && waiting.isEmpty }) else { return }
        release().0?.receive(completion: .finished)
    }

    private func release() -> (Down?, [Tap]) {
        lock.withLock {
            defer { (down, taps, waiting, onCancel, onEnd) = (nil, [:], [], nil, nil) }
            return (down, taps.sorted { $0.key < $1.key }.map(\.value))
        }
    }
}
