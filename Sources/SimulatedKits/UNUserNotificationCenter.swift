internal import DeviceSimCore
public import Foundation
internal import SimulatedSystem

/// What shows notifications. In a simulation nobody allows any: an app that asks is told no, and what it asks for waits, is recorded, and is never shown.
public final class UNUserNotificationCenter: NSObject, @unchecked Sendable {
    /// That of the process whose code is running.
    public static func current() -> UNUserNotificationCenter {
        SystemShims.processLocal("UNUserNotificationCenter.current") { UNUserNotificationCenter() }
    }

    /// Kept for the app. Is never called.
    public weak var delegate: (any UNUserNotificationCenterDelegate)?
    private var requests: [UNNotificationRequest] = []
    private var categories: Set<UNNotificationCategory> = []
    private var wasAsked = false

    private var settings: UNNotificationSettings { UNNotificationSettings(wasAsked ? .denied : .notDetermined) }

    private func record(_ call: String, _ identifier: String = "-") {
        ProcessContext.current?.record(.log, .init("call", .text("UNUserNotificationCenter.\(call)")), .init("name", .text(identifier)))
    }

    /// On a queue of the system's, as the system calls back.
    private func later(_ body: @escaping @Sendable () -> Void) { SystemShims.DispatchQueue.global().async(execute: body) }

    /// Nobody is there to be asked: no.
    public func requestAuthorization(
        options: UNAuthorizationOptions = [], completionHandler: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        _ = ask()
        later { completionHandler(false, nil) }
    }

    /// Nobody is there to be asked: no.
    @discardableResult
    public func requestAuthorization(options: UNAuthorizationOptions = []) async throws -> Bool { ask() }

    private func ask() -> Bool {
        record("requestAuthorization")
        wasAsked = true
        return false
    }

    /// What nobody allowed.
    public func getNotificationSettings(completionHandler: @escaping @Sendable (UNNotificationSettings) -> Void) {
        let settings = settings
        later { completionHandler(settings) }
    }

    /// What nobody allowed.
    public func notificationSettings() async -> UNNotificationSettings { settings }

    /// Is recorded, and waits for ever.
    public func add(_ request: UNNotificationRequest, withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil) {
        keep(request)
        if let completionHandler { later { completionHandler(nil) } }
    }

    /// Is recorded, and waits for ever.
    public func add(_ request: UNNotificationRequest) async throws { keep(request) }

    private func keep(_ request: UNNotificationRequest) {
        record("add", request.identifier)
        requests.removeAll { $0.identifier == request.identifier }
        requests.append(request)
    }

    /// What waits.
    public func getPendingNotificationRequests(completionHandler: @escaping @Sendable ([UNNotificationRequest]) -> Void) {
        let requests = requests
        later { completionHandler(requests) }
    }

    /// What waits.
    public func pendingNotificationRequests() async -> [UNNotificationRequest] { requests }

    /// None was shown.
    public func getDeliveredNotifications(completionHandler: @escaping @Sendable ([UNNotification]) -> Void) {
        later { completionHandler([]) }
    }

    /// None was shown.
    public func deliveredNotifications() async -> [UNNotification] { [] }

    /// They wait no longer.
    public func removePendingNotificationRequests(withIdentifiers identifiers: [String]) {
        requests.removeAll { identifiers.contains($0.identifier) }
    }

    /// Nothing waits any longer.
    public func removeAllPendingNotificationRequests() { requests = [] }

    /// None was shown.
    public func removeDeliveredNotifications(withIdentifiers identifiers: [String]) {}

    /// None was shown.
    public func removeAllDeliveredNotifications() {}

    /// Kept for the app.
    public func setNotificationCategories(_ categories: Set<UNNotificationCategory>) { self.categories = categories }

    /// Kept for the app.
    public func getNotificationCategories(completionHandler: @escaping @Sendable (Set<UNNotificationCategory>) -> Void) {
        let categories = categories
        later { completionHandler(categories) }
    }

    /// Is recorded.
    public func setBadgeCount(_ count: Int, withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil) {
        record("setBadgeCount", "\(count)")
        if let completionHandler { later { completionHandler(nil) } }
    }

    /// Is recorded.
    public func setBadgeCount(_ count: Int) async throws { record("setBadgeCount", "\(count)") }
}
