import Foundation

extension Probe {
    func useWorkItems() {
        let item = DispatchWorkItem { self.note("item") }
        item.notify(queue: .main) {
            self.note("told \(Thread.isMainThread)")
        }
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .milliseconds(30), execute: item)
        let cancelled = DispatchWorkItem { self.note("cancelled") }
        cancelled.cancel()
        DispatchQueue.main.async(execute: cancelled)
    }

    func useGroups() {
        let group = DispatchGroup()
        let queue = DispatchQueue(label: "serial")
        for number in 1...3 {
            queue.async(group: group) { self.note("member \(number)") }
        }
        group.enter()
        DispatchQueue.main.asyncAfter(deadline: .now() + 0.25) { group.leave() }
        group.notify(queue: .main) { self.note("all") }
    }

    func useOperations() {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        let last = BlockOperation { self.note("last") }
        let first = Slow(self)
        last.addDependency(first)
        last.completionBlock = { self.note("completed") }
        queue.addOperation(last)
        queue.addOperation(first)
        queue.addOperation { self.note("block") }
        queue.addBarrierBlock { self.note("barrier") }
        OperationQueue.main.addOperation { self.note("main \(OperationQueue.current === OperationQueue.main)") }
    }

    /// An operation that goes on after its `start()` has returned, as those that load something do.
    private final class Slow: Operation, @unchecked Sendable {
        private let probe: Probe
        private var isOver = false

        init(_ probe: Probe) {
            self.probe = probe
        }

        override var isAsynchronous: Bool { true }
        override var isFinished: Bool { isOver }

        override func start() {
            probe.note("slow")
            DispatchQueue.main.asyncAfter(deadline: .now() + 1) {
                self.willChangeValue(forKey: "isFinished")
                self.isOver = true
                self.didChangeValue(forKey: "isFinished")
            }
        }
    }

    func useNotifications() {
        let name = Notification.Name("probe")
        let center = NotificationCenter.default
        let first = center.addObserver(forName: name, object: nil, queue: nil) { _ in self.note("heard") }
        _ = center.addObserver(forName: name, object: nil, queue: .main) { notification in
            let text = "\(notification.userInfo?["n"] ?? "")"
            self.note("heard on main \(Thread.isMainThread) \(text)")
        }
        _ = center.addObserver(forName: name, object: center, queue: nil) { _ in self.note("never") }
        DispatchQueue.global().async {
            center.post(name: name, object: self, userInfo: ["n": 1])
            center.removeObserver(first)
            DispatchQueue.main.async { center.post(name: name, object: nil, userInfo: ["n": 2]) }
        }
    }

    func useThreads() {
        let thread = Thread {
            self.note("thread \(Thread.isMainThread) \(Thread.current.name ?? "-")")
            DispatchQueue.main.async { self.note("from thread \(Thread.isMainThread)") }
        }
        thread.name = "worker"
        thread.start()
        Thread.detachNewThread { self.note("detached") }
    }

    func useTimers() {
        var count = 0
        Timer.scheduledTimer(withTimeInterval: 0.5, repeats: true) { timer in
            count += 1
            self.note("tick \(count)")
            if count == 2 { timer.invalidate() }
        }
        let timer = Timer(timeInterval: 0.75, repeats: false) { _ in self.note("added") }
        RunLoop.main.add(timer, forMode: .common)
        RunLoop.main.perform { self.note("performed") }
    }
}
