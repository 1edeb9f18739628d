import Foundation

/// One thing to do on a pair of devices, so that the log shows whether a rule is kept.
struct LabProbe: Identifiable, Sendable {
    enum Side: Sendable {
        case phone, watch, either
    }

    #if os(iOS)
        static let thisSide = Side.phone
    #else
        static let thisSide = Side.watch
    #endif

    /// In one word, or some joined by dashes.
    let name: String
    /// What it does, for the person.
    let title: String
    /// The rules of which it shows something.
    let rules: [String]
    /// On which device it is begun. The app must be open on the other one, unless the probe asks for something else.
    let side: Side
    /// Whether it asks the person to do something.
    let needsHand: Bool
    let run: @MainActor @Sendable (LabModel) async throws -> Void

    var id: String { name }

    init(
        _ name: String, _ title: String, rules: [String], side: Side = .either, needsHand: Bool = false,
        _ run: @escaping @MainActor @Sendable (LabModel) async throws -> Void
    ) {
        self.name = name
        self.title = title
        self.rules = rules
        self.side = side
        self.needsHand = needsHand
        self.run = run
    }

    /// Every probe, in the order in which to run them: what needs no hand first.
    static let all: [LabProbe] = contexts + messages + transfers + hands
}
