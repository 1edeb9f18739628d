import Foundation

/// The score of a game. The phone keeps it; the watch asks the phone for each point, and shows what the phone answers.
actor ScoreKeeper {
    static let shared = ScoreKeeper()

    private(set) var score = 0

    func start() async {
        Task {
            for await event in ScoreLink.shared.events { await take(event) }
        }
        try? await ScoreLink.shared.activate()
    }

    func addPoint() async throws {
        #if os(watchOS)
            let answer = try await ScoreLink.shared.ask(["score": score + 1])
            score = answer["score"] ?? score
        #else
            score += 1
            try? await ScoreLink.shared.tell(["score": score])
        #endif
    }

    private func take(_ event: ScoreLink.Event) async {
        switch event {
        case .asked(let question, let reply):
            score = question["score"] ?? score
            reply(["score": score])
        case .received(let state):
            score = state["score"] ?? score
        }
    }
}
