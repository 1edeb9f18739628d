/// How many runs of a search were held against what another build makes of them, and why others were not.
struct ComparisonTally: Sendable, Hashable {
    private(set) var made = 0
    private(set) var obstacles: [RunComparison.Obstacle: Int] = [:]

    init() {}

    mutating func add(_ comparison: RunComparison?) {
        switch comparison {
        // It broke something already, and is told of as that.
        case nil: break
        case .made: made += 1
        case .notMade(let obstacle): obstacles[obstacle, default: 0] += 1
        }
    }

    mutating func add(_ other: ComparisonTally) {
        made += other.made
        obstacles.merge(other.obstacles, uniquingKeysWith: +)
    }

    /// Whether nothing is known of what the other build does, although it was asked.
    var isEmptyHanded: Bool { made == 0 && obstacles.contains { $0.key != .brokenThere && $0.value > 0 } }

    /// Such as `58 compared`.
    var summary: String { "\(made) compared" }

    /// What was not compared, and why; `nil` where all was. A comparison that could not be made is no agreement.
    var remark: String? {
        let reasons = RunComparison.Obstacle.allCases.compactMap { obstacle -> String? in
            guard let count = obstacles[obstacle], count > 0 else { return nil }
            return "\(Plural.of(count, "run")) \(Self.sentence(obstacle))"
        }
        guard !reasons.isEmpty else { return nil }
        return "not compared, and nothing held against them: \(reasons.joined(separator: ", "))"
    }

    private static func sentence(_ obstacle: RunComparison.Obstacle) -> String {
        switch obstacle {
        case .unknown: "of which the other build cannot say what comes, such as one with a step that it does not know"
        case .ended: "in which the other build ended, or said something else"
        case .late: "of which the other build did not say in time what comes"
        case .brokenThere: "that broke a promise with the other build, and keep it here"
        }
    }
}

extension ComparisonTally {
    var json: JSONValue {
        var members: [String: JSONValue] = ["made": .number(Int64(made))]
        for obstacle in RunComparison.Obstacle.allCases { members[obstacle.rawValue] = .number(Int64(obstacles[obstacle] ?? 0)) }
        return .object(members)
    }

    init(_ members: JSONValue.Members) throws(ReportFault) {
        made = try members.count("made")
        for obstacle in RunComparison.Obstacle.allCases {
            let count = try members.count(obstacle.rawValue)
            if count > 0 { obstacles[obstacle] = count }
        }
    }
}
