import Foundation
import Observation

@Observable
final class Counter: @unchecked Sendable {
    var count = 0
    var name = "a"
}

extension Probe {
    func useObservation() async {
        let counter = Counter()
        func track() {
            withObservationTracking {
                _ = counter.count
            } onChange: {
                // The property still has the value that it had.
                self.note("will change from \(counter.count)")
                DispatchQueue.main.async {
                    self.note("changed to \(counter.count)")
                    track()
                }
            }
        }
        track()
        counter.name = "b"
        for delay in [100, 200] {
            DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(delay)) { counter.count += 1 }
        }
        try? await Task.sleep(for: .seconds(1))
    }

    #if os(Linux)
        /// On Apple's systems from iOS 26 and watchOS 26 on.
        @MainActor func useObservations() async {
            let counter = Counter()
            let task = Task { @MainActor in
                for await count in Observations({ counter.count }) {
                    note("observed \(count)")
                    if count == 2 { break }
                }
            }
            for _ in 1...2 {
                try? await Task.sleep(for: .milliseconds(100))
                counter.count += 1
            }
            await task.value
        }
    #endif
}
