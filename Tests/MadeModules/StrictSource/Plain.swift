// In Xcode such a file has Foundation from a module that another file of the target imports, or from UIKit or SwiftUI.

nonisolated public func describe(_ date: Date = Date(), by clock: ContinuousClock = .continuous) -> String {
    "\(date.timeIntervalSince1970) \(Thread.isMainThread) \(URL(fileURLWithPath: "/a").path)"
}
