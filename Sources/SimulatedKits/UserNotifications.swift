internal import DeviceSimCore
public import Foundation
internal import SimulatedSystem

/// What an app may do to be noticed, as UserNotifications has it.
public struct UNAuthorizationOptions: OptionSet, Hashable, Sendable {
    /// Its bits.
    public let rawValue: UInt

    /// That of these bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// One of the ways to be noticed.
    public static let badge = Self(rawValue: 1), sound = Self(rawValue: 2), alert = Self(rawValue: 4), carPlay = Self(rawValue: 8)
    /// One of the ways to be noticed.
    public static let criticalAlert = Self(rawValue: 16), providesAppNotificationSettings = Self(rawValue: 32)
    /// Without asking.
    public static let provisional = Self(rawValue: 64)
}

/// How a notification is shown while the app is in front.
public struct UNNotificationPresentationOptions: OptionSet, Hashable, Sendable {
    /// Its bits.
    public let rawValue: UInt

    /// That of these bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// One of the ways to show it.
    public static let badge = Self(rawValue: 1), sound = Self(rawValue: 2), alert = Self(rawValue: 4), list = Self(rawValue: 8)
    /// One of the ways to show it.
    public static let banner = Self(rawValue: 16)
}

/// What a person said about notifications of the app.
public enum UNAuthorizationStatus: Int, Sendable {
    /// Nothing, or something.
    case notDetermined, denied, authorized, provisional, ephemeral
}

/// What a person allows. Nobody is there to allow anything in a simulation.
public final class UNNotificationSettings: NSObject, Sendable {
    /// Nobody was asked, or nobody allowed it.
    public let authorizationStatus: UNAuthorizationStatus

    init(_ status: UNAuthorizationStatus) { authorizationStatus = status }
}

/// What is heard. Nothing is.
public final class UNNotificationSound: NSObject, Sendable {
    /// The usual.
    public static let `default` = UNNotificationSound()
    /// That of things that cannot wait.
    public static let defaultCritical = UNNotificationSound()
}

/// How much a notification interrupts.
public enum UNNotificationInterruptionLevel: UInt, Sendable {
    /// One of the levels.
    case passive, active, timeSensitive, critical
}

/// What a notification says.
open class UNNotificationContent: NSObject, @unchecked Sendable {
    /// Kept for the app.
    public fileprivate(set) var title = "", subtitle = "", body = ""
    /// Kept for the app.
    public fileprivate(set) var categoryIdentifier = "", threadIdentifier = ""
    /// Kept for the app.
    public fileprivate(set) var badge: NSNumber?
    /// Kept for the app.
    public fileprivate(set) var sound: UNNotificationSound?
    /// Kept for the app.
    public fileprivate(set) var userInfo: [AnyHashable: Any] = [:]
    /// Kept for the app.
    public fileprivate(set) var interruptionLevel = UNNotificationInterruptionLevel.active
}

/// What a notification is to say.
open class UNMutableNotificationContent: UNNotificationContent, @unchecked Sendable {
    /// Kept for the app.
    public override var title: String {
        get { super.title }
        set { super.title = newValue }
    }
    /// Kept for the app.
    public override var subtitle: String {
        get { super.subtitle }
        set { super.subtitle = newValue }
    }
    /// Kept for the app.
    public override var body: String {
        get { super.body }
        set { super.body = newValue }
    }
    /// Kept for the app.
    public override var categoryIdentifier: String {
        get { super.categoryIdentifier }
        set { super.categoryIdentifier = newValue }
    }
    /// Kept for the app.
    public override var threadIdentifier: String {
        get { super.threadIdentifier }
        set { super.threadIdentifier = newValue }
    }
    /// Kept for the app.
    public override var badge: NSNumber? {
        get { super.badge }
        set { super.badge = newValue }
    }
    /// Kept for the app.
    public override var sound: UNNotificationSound? {
        get { super.sound }
        set { super.sound = newValue }
    }
    /// Kept for the app.
    public override var userInfo: [AnyHashable: Any] {
        get { super.userInfo }
        set { super.userInfo = newValue }
    }
    /// Kept for the app.
    public override var interruptionLevel: UNNotificationInterruptionLevel {
        get { super.interruptionLevel }
        set { super.interruptionLevel = newValue }
    }
}

/// When a notification is to be shown.
open class UNNotificationTrigger: NSObject, @unchecked Sendable {
    /// Whether it is shown again and again.
    public let repeats: Bool

    fileprivate init(repeats: Bool) { self.repeats = repeats }
}

/// After some time.
public final class UNTimeIntervalNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
    /// In seconds.
    public let timeInterval: TimeInterval

    /// After so many seconds.
    public init(timeInterval: TimeInterval, repeats: Bool) {
        self.timeInterval = timeInterval
        super.init(repeats: repeats)
    }
}

/// At a time of day.
public final class UNCalendarNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
    /// The time.
    public let dateComponents: DateComponents

    /// At that time.
    public init(dateMatching dateComponents: DateComponents, repeats: Bool) {
        self.dateComponents = dateComponents
        super.init(repeats: repeats)
    }
}

/// A notification that an app asks for.
public final class UNNotificationRequest: NSObject, @unchecked Sendable {
    /// Tells it from others.
    public let identifier: String
    /// What it says.
    public let content: UNNotificationContent
    /// When it is to be shown; at once without one.
    public let trigger: UNNotificationTrigger?

    /// A request that the centre can be given.
    public init(identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?) {
        self.identifier = identifier
        self.content = content
        self.trigger = trigger
    }
}

/// A notification that was shown. There is none in a simulation.
public final class UNNotification: NSObject, @unchecked Sendable {
    /// What was asked for.
    public let request: UNNotificationRequest
    /// When it was shown.
    public let date: Date

    init(request: UNNotificationRequest, date: Date) {
        self.request = request
        self.date = date
    }
}

/// What a person did with a notification. There is none in a simulation.
public final class UNNotificationResponse: NSObject, @unchecked Sendable {
    /// The notification.
    public let notification: UNNotification
    /// What was chosen.
    public let actionIdentifier: String

    init(notification: UNNotification, actionIdentifier: String) {
        self.notification = notification
        self.actionIdentifier = actionIdentifier
    }
}

/// The name of opening a notification.
public let UNNotificationDefaultActionIdentifier = "com.apple.UNNotificationDefaultActionIdentifier"
/// The name of putting it away.
public let UNNotificationDismissActionIdentifier = "com.apple.UNNotificationDismissActionIdentifier"

/// What a person can choose with a notification.
public struct UNNotificationActionOptions: OptionSet, Hashable, Sendable {
    /// Its bits.
    public let rawValue: UInt

    /// That of these bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// One of the ways.
    public static let authenticationRequired = Self(rawValue: 1), destructive = Self(rawValue: 2), foreground = Self(rawValue: 4)
}

/// Something to choose.
public final class UNNotificationAction: NSObject, Sendable {
    /// Tells it from others.
    public let identifier: String
    /// As a person reads it.
    public let title: String

    /// An action of that name.
    public init(identifier: String, title: String, options: UNNotificationActionOptions = []) {
        self.identifier = identifier
        self.title = title
    }
}

/// How a kind of notification behaves.
public struct UNNotificationCategoryOptions: OptionSet, Hashable, Sendable {
    /// Its bits.
    public let rawValue: UInt

    /// That of these bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The app is told when it is put away.
    public static let customDismissAction = Self(rawValue: 1)
}

/// A kind of notification.
public final class UNNotificationCategory: NSObject, Sendable {
    /// Tells it from others.
    public let identifier: String
    /// What can be chosen.
    public let actions: [UNNotificationAction]

    /// A kind of that name.
    public init(
        identifier: String, actions: [UNNotificationAction], intentIdentifiers: [String], options: UNNotificationCategoryOptions = []
    ) {
        self.identifier = identifier
        self.actions = actions
    }
}

/// Is told of notifications. In a simulation of none.
public protocol UNUserNotificationCenterDelegate: AnyObject {
    /// One would be shown while the app is in front.
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void)
    /// The same.
    func userNotificationCenter(_ center: UNUserNotificationCenter, willPresent notification: UNNotification) async
        -> UNNotificationPresentationOptions
    /// A person did something with one.
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void)
    /// The same.
    func userNotificationCenter(_ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse) async
}

extension UNUserNotificationCenterDelegate {
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) { completionHandler([]) }
    public func userNotificationCenter(_ center: UNUserNotificationCenter, willPresent notification: UNNotification) async
        -> UNNotificationPresentationOptions
    { [] }
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) { completionHandler() }
    public func userNotificationCenter(_ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse) async {}
}
