import DeviceSim
import LocalData

/// Small histories drawn at random, and the truth about them by trying everything.
enum RandomHistory {
    typealias Register = KeyRegister<Int>

    static func make(count: Int, random: inout SeededGenerator) -> History<Register.Call, Register.Answer> {
        var moments = Array(0..<(2 * count))
        moments.shuffle(using: &random)
        return History(
            (0..<count).map { number in
                let (began, ended) = (min(moments[2 * number], moments[2 * number + 1]), max(moments[2 * number], moments[2 * number + 1]))
                let (call, answer) = exchange(&random)
                let isAnswered = random.below(8) > 0
                return .init(client: number, call: call, began: began, outcome: isAnswered ? (answer, ended) : nil)
            })
    }

    private static func exchange(_ random: inout SeededGenerator) -> (Register.Call, Register.Answer) {
        let value = random.below(4)
        switch random.below(9) {
        case 0, 1: return (.set(value), random.below(6) == 0 ? .failed : .done)
        case 2, 3: return (.get, .value(value))
        case 4: return (.get, .missing)
        case 5: return (.remove, .done)
        case 6: return (.exists, .exists(random.below(2) == 0))
        case 7: return (.migrate, .done)
        default:
            return (
                .apply(random.below(3) == 0 ? nil : value, SyncStamp(counter: 1 + UInt64(value), device: "watch")),
                .applied(random.below(2) == 0)
            )
        }
    }

    /// Whether some order of the answered operations, with any of the others among them, explains the history.
    static func everyOrder(_ history: History<Register.Call, Register.Answer>, _ model: Register) -> Bool {
        let operations = history.operations
        func search(_ done: Set<Int>, _ state: Register.State) -> Bool {
            if operations.indices.allSatisfy({ done.contains($0) || operations[$0].outcome == nil }) { return true }
            return operations.indices.contains { index in
                guard !done.contains(index) else { return false }
                let isPreceded = operations.indices.contains { other in
                    guard other != index, !done.contains(other), let outcome = operations[other].outcome else { return false }
                    return outcome.ended < operations[index].began
                }
                guard !isPreceded else { return false }
                return model.states(after: operations[index].call, answering: operations[index].outcome?.answer, in: state)
                    .contains { search(done.union([index]), $0) }
            }
        }
        return search([], model.initialState)
    }

    /// Whether the operations can have happened in this order.
    static func explains(_ order: [Int], _ history: History<Register.Call, Register.Answer>, _ model: Register) -> Bool {
        let operations = history.operations
        for (place, index) in order.enumerated() {
            // Nothing that ended before an earlier one of the order began comes after it.
            if order[(place + 1)...].contains(where: { (operations[$0].outcome?.ended ?? .max) < operations[index].began }) { return false }
        }
        var states: Set = [model.initialState]
        for index in order {
            states = Set(
                states.flatMap { model.states(after: operations[index].call, answering: operations[index].outcome?.answer, in: $0) })
        }
        return !states.isEmpty
    }
}
