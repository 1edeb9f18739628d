import Foundation

extension Probe {
    func useSleep() async throws {
        try await Task.sleep(for: .milliseconds(1_234))
        note("for")
        try await Task.sleep(nanoseconds: 7_000_000)
        note("nanoseconds")
        try await Task.sleep(until: .now + .seconds(3_600), clock: .continuous)
        note("until")
        await Task.detached { try? await Task.sleep(for: .milliseconds(59)) }.value
        note("detached")
        await sleepOnMain()
        let sleeper = Task { try await Task.sleep(for: .seconds(1_000_000)) }
        Task {
            try? await Task.sleep(for: .milliseconds(11))
            sleeper.cancel()
        }
        if case .failure(let error) = await sleeper.result { note("\(type(of: error))") }
    }

    @MainActor private func sleepOnMain() async {
        try? await Task.sleep(for: .milliseconds(100), tolerance: .seconds(5), clock: .suspending)
        note("main")
    }

    func useClocks() async throws {
        let clock = ContinuousClock()
        let start = clock.now
        try await clock.sleep(for: .milliseconds(123))
        note("\(start.duration(to: clock.now))")
        try await clock.sleep(until: start.advanced(by: .seconds(2)))
        note("\(start.duration(to: .now))")
        let suspending = SuspendingClock.now
        try await SuspendingClock().sleep(until: .now + .milliseconds(77))
        note("\(suspending.duration(to: .now)) \(clock.measure {})")
    }

    func useValues() {
        let dates = [Date(), Date.now, Date(timeIntervalSinceNow: 0)].map(\.timeIntervalSince1970)
        log("dates \(Set(dates).count) \(dates[0]) \(Date(timeIntervalSince1970: dates[0] + 5).timeIntervalSinceNow)")
        var numbers = Array(1...20)
        numbers.shuffle()
        log("random \(UUID()) \(Int.random(in: 0..<1_000_000)) \(Double.random(in: 0...1)) \(Bool.random()) \(numbers)")
        log("random \(numbers.randomElement() ?? 0) \(numbers.shuffled()) \(UInt64.random(in: .min ... .max))")
        let calendar = Calendar.current
        let days = [-1, 0, 1].map { calendar.date(byAdding: .day, value: $0, to: Date()) ?? .distantPast }
        log("days \(days.map(calendar.isDateInYesterday)) \(days.map(calendar.isDateInToday)) \(days.map(calendar.isDateInTomorrow))")
        var letters = ["a", "b", "c", "d", "e"]
        letters.move(fromOffsets: [0, 3], toOffset: 3)
        let moved = letters.joined()
        letters.remove(atOffsets: [1, 4])
        log("lists \(moved) \(letters.joined())")
    }
}
