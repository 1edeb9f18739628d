import DeviceSim
import Foundation
import SessionLinkPhone
import SessionLinkWatch

/// What the tests send: messages of both modules.
struct Count: SessionLinkPhone.LinkMessage, SessionLinkWatch.LinkMessage {
    static let name = "count"
    var count: Int
}

struct Question: SessionLinkPhone.LinkMessage, SessionLinkWatch.LinkMessage {
    static let name = "question"
    var text: String
}

/// What an app shows of what its link told it. Only touched on its process's main actor.
@MainActor
final class Screen {
    var count: Int?
    var answer: String?
    var file: String?
    var finished: [String] = []
    var failure: String?
}

/// The wrapper of either module, as the app uses it.
@MainActor
protocol Link {
    func connect(_ screen: Screen)
    func send(_ count: Count, overChannel name: String, failure: @escaping (Error) -> Void) -> Bool
    func sendFile(ofBytes count: Int) throws
    func ask(_ question: Question, overData: Bool, completion: @escaping (String?) -> Void)
    func sendLater(_ count: Count)
    func cancelAll()
    func hold(_ task: ConnectivityRefreshTask)
    var isReachable: Bool { get }
    var isActivated: Bool { get }
    var isCounterpartInstalled: Bool { get }
    var complicationBudget: Int { get }
    var outstandingNames: [String] { get }
    var percent: Int? { get }
}

/// An app whose whole state is the wrapper's.
final class LinkedApp: SimulatedApp {
    @MainActor private let screen = Screen()
    private let link: @MainActor @Sendable () -> any Link

    init(_ link: @escaping @MainActor @Sendable () -> any Link) {
        self.link = link
    }

    @MainActor func didFinishLaunching(inBackground: Bool) {
        link().connect(screen)
    }

    @MainActor func handleBackgroundTask(_ task: ConnectivityRefreshTask) {
        link().hold(task)
    }

    @MainActor func perform(_ action: String, with value: ScenarioValue) throws {
        let screen = screen
        let link = link()
        switch (action, value) {
        case ("send when reachable", .integer(let count)): link.sendLater(Count(count: Int(count)))
        case ("ask", .string(let text)), ("ask with data", .string(let text)):
            link.ask(Question(text: text), overData: action == "ask with data") { answer in
                MainActor.assumeIsolated { screen.answer = answer ?? "no answer" }
            }
        case ("send file", .integer(let count)): try link.sendFile(ofBytes: Int(count))
        case ("cancel all", _): link.cancelAll()
        case (_, .integer(let count)) where action.hasPrefix("send over "):
            let isSent = link.send(Count(count: Int(count)), overChannel: String(action.dropFirst("send over ".count))) { error in
                let text = "\((error as NSError).domain) \((error as NSError).code)"
                MainActor.assumeIsolated { screen.failure = text }
            }
            guard isSent else { fallthrough }
        default: throw AppActionError("the app has no action '\(action)'")
        }
    }

    @MainActor func shown(_ name: String) throws -> ScenarioValue {
        let link = link()
        return switch name {
        case "count": screen.count.map { .integer(Int64($0)) } ?? .null
        case "answer": screen.answer.map { .string($0) } ?? .null
        case "file": screen.file.map { .string($0) } ?? .null
        case "finished": .array(screen.finished.map { .string($0) })
        case "failure": screen.failure.map { .string($0) } ?? .null
        case "outstanding": .array(link.outstandingNames.map { .string($0) })
        case "percent": link.percent.map { .integer(Int64($0)) } ?? .null
        case "reachable": .bool(link.isReachable)
        case "activated": .bool(link.isActivated)
        case "counterpart installed": .bool(link.isCounterpartInstalled)
        case "complication budget": .integer(Int64(link.complicationBudget))
        default: throw AppActionError("the app shows no '\(name)'")
        }
    }
}
