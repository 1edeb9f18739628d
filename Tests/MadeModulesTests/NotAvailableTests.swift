import DeviceSim
import Foundation
import SimulatedSwiftUI
import SimulatedSystem
import Testing

/// What no simulated device has: code that asks for it is told so, and the trace says that it asked.
@Suite struct NotAvailableTests {
    @Test func nobodyAllowsNotifications() throws {
        let simulation = made()
        defer { simulation.shutDown() }
        try simulation.finish(simulation.phone.launch())
        try simulation.run(on: simulation.phone) {
            let center = UNUserNotificationCenter.current()
            #expect(await center.notificationSettings().authorizationStatus == .notDetermined)
            #expect(try await !center.requestAuthorization(options: [.alert, .badge]))
            #expect(await center.notificationSettings().authorizationStatus == .denied)
            let content = UNMutableNotificationContent()
            content.title = "Drink"
            for time in [60.0, 90] {
                let trigger = UNTimeIntervalNotificationTrigger(timeInterval: time, repeats: false)
                try await center.add(UNNotificationRequest(identifier: "water", content: content, trigger: trigger))
            }
            let waiting = await center.pendingNotificationRequests()
            #expect(waiting.map(\.content.title) == ["Drink"])
            #expect((waiting.first?.trigger as? UNTimeIntervalNotificationTrigger)?.timeInterval == 90)
        }
        try simulation.wait(.seconds(120))
        try simulation.run(on: simulation.phone) {
            #expect(await UNUserNotificationCenter.current().deliveredNotifications().isEmpty)
        }
        let calls = simulation.trace.events.compactMap { $0.text("call") }
        #expect(
            calls.suffix(3) == ["UNUserNotificationCenter.requestAuthorization"]
                + Array(repeating: "UNUserNotificationCenter.add", count: 2))
    }

    @Test func aWatchIsFeltFromAnywhere() throws {
        let simulation = made()
        defer { simulation.shutDown() }
        try simulation.launchBoth()
        let play: @Sendable () -> Void = { WKInterfaceDevice.current().play(.click) }
        try simulation.run(on: simulation.watch) { play() }
        #expect(simulation.trace.events.compactMap { $0.text("haptic") } == ["click"])
    }

    @Test func codeThatIsLeftOutSaysSo() throws {
        let simulation = made()
        defer { simulation.shutDown() }
        try simulation.finish(simulation.phone.launch())
        try simulation.run(on: simulation.phone) {
            SystemShims.leftOut("Health.start()")
            let rate: Int? = SystemShims.leftOut("Health.rate")
            #expect(rate == nil)
            let error = #expect(throws: SystemShims.LeftOutError.self) { let _: Int = try SystemShims.leftOutThrowing("Health.steps()") }
            #expect(error?.localizedDescription == "Health.steps() was left out of this module")
        }
        #expect(simulation.trace.events.compactMap { $0.text("leftOut") } == ["Health.start()", "Health.rate", "Health.steps()"])
    }

    @Test func namesBesideViewsKeepWhatTheyAreTold() {
        struct Size: EnvironmentKey { static let defaultValue = 1 }
        var values = EnvironmentValues()
        #expect(values[Size.self] == 1)
        values[Size.self] = 2
        #expect(values[Size.self] == 2)
        var path = NavigationPath()
        path.append(1)
        path.append("two")
        path.removeLast()
        #expect(path.count == 1 && !path.isEmpty)
        #expect(Color(.sRGB, red: 1, green: 0, blue: 0) == Color(red: 1, green: 0, blue: 0))
    }

    private func made() -> Simulation {
        var options = SimulationOptions()
        options.makeApp = { $0 == .phone ? HostedApp { Phone() } : HostedApp(watch: { Watch() }) }
        return Simulation(options: options)
    }

    private final class Phone: UIResponder, UIApplicationDelegate {}

    private final class Watch: NSObject, WKApplicationDelegate {}
}

extension TraceEvent {
    fileprivate func text(_ name: String) -> String? {
        guard case .text(let text) = facts.first(where: { $0.name == name })?.value else { return nil }
        return text
    }
}
