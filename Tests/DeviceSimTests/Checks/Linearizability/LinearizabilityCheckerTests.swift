import DeviceSim
import LocalData
import Testing

@Suite struct LinearizabilityCheckerTests {
    typealias Register = KeyRegister<Int>
    typealias Operation = History<Register.Call, Register.Answer>.Operation

    private static func operation(
        _ began: Int, _ ended: Int?, _ call: Register.Call, _ answer: Register.Answer = .done, client: Int = 0
    ) -> Operation {
        Operation(client: client, call: call, began: began, outcome: ended.map { (answer, $0) })
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let isLinearizable: Bool
        var legacy: Int?
        var leavesSource = false
        let operations: [Operation]
    }

    static let cases: [Case] = [
        Case(testDescription: "nothing happened", isLinearizable: true, operations: []),
        Case(
            testDescription: "one after the other", isLinearizable: true,
            operations: [
                operation(0, 1, .set(1)), operation(2, 3, .get, .value(1)), operation(4, 5, .remove), operation(6, 7, .get, .missing),
            ]),
        Case(
            testDescription: "a value that was never set", isLinearizable: false,
            operations: [operation(0, 1, .set(1)), operation(2, 3, .get, .value(2))]),
        Case(
            testDescription: "a stale read", isLinearizable: false,
            operations: [operation(0, 1, .set(1)), operation(2, 3, .set(2)), operation(4, 5, .get, .value(1))]),
        Case(
            testDescription: "an overlapping read may see either", isLinearizable: true,
            operations: [
                operation(0, 1, .set(1)), operation(2, 7, .set(2)), operation(3, 4, .get, .value(1)), operation(5, 6, .get, .value(2)),
            ]),
        Case(
            testDescription: "two overlapping reads that saw the new value and then the old", isLinearizable: false,
            operations: [
                operation(0, 1, .set(1)), operation(2, 7, .set(2)), operation(3, 4, .get, .value(2)), operation(5, 6, .get, .value(1)),
            ]),
        Case(
            testDescription: "a removed value that came back", isLinearizable: false,
            operations: [operation(0, 1, .set(1)), operation(2, 3, .remove), operation(4, 5, .exists, .exists(true))]),
        Case(
            testDescription: "an unanswered set that took effect later", isLinearizable: true,
            operations: [operation(0, nil, .set(1)), operation(1, 2, .get, .missing), operation(3, 4, .get, .value(1))]),
        Case(
            testDescription: "an unanswered set that never took effect", isLinearizable: true,
            operations: [operation(0, nil, .set(1)), operation(1, 2, .get, .missing), operation(3, 4, .get, .missing)]),
        Case(
            testDescription: "an unanswered set that took effect and was undone", isLinearizable: false,
            operations: [operation(0, nil, .set(1)), operation(1, 2, .get, .value(1)), operation(3, 4, .get, .missing)]),
        Case(
            testDescription: "a failed set that took effect", isLinearizable: true,
            operations: [operation(0, 1, .set(1), .failed), operation(2, 3, .get, .value(1))]),
        Case(
            testDescription: "a read brings the legacy value over", isLinearizable: true, legacy: 9,
            operations: [
                operation(0, 1, .exists, .exists(false)), operation(2, 3, .get, .value(9)), operation(4, 5, .exists, .exists(true)),
            ]),
        Case(
            testDescription: "a migration that undid a set", isLinearizable: false, legacy: 9,
            operations: [operation(0, 3, .get, .value(9)), operation(1, 2, .set(1)), operation(4, 5, .get, .value(9))]),
        Case(
            testDescription: "a removal takes the legacy value along", isLinearizable: false, legacy: 9,
            operations: [operation(0, 1, .remove), operation(2, 3, .get, .value(9))]),
        Case(
            testDescription: "a removal leaves what another key needs, and no read brings it back", isLinearizable: false, legacy: 9,
            leavesSource: true, operations: [operation(0, 1, .remove), operation(2, 3, .get, .value(9))]),
        Case(
            testDescription: "a forced migration brings nothing back that a removal left", isLinearizable: false, legacy: 9,
            leavesSource: true, operations: [operation(0, 3, .remove), operation(1, 4, .migrate), operation(5, 6, .get, .value(9))]),
        Case(
            testDescription: "a forced migration before the removal", isLinearizable: true, legacy: 9, leavesSource: true,
            operations: [operation(0, 3, .remove), operation(1, 4, .migrate), operation(5, 6, .exists, .exists(false))]),
        Case(
            testDescription: "a forced migration where a removal left nothing", isLinearizable: false, legacy: 9,
            operations: [operation(0, 1, .remove), operation(2, 3, .migrate), operation(4, 5, .get, .value(9))]),
        Case(
            testDescription: "an older version of the counterpart is not applied", isLinearizable: true,
            operations: [
                operation(0, 1, .set(1)), operation(2, 3, .set(2)),
                operation(4, 5, .apply(7, SyncStamp(counter: 1, device: "watch")), .applied(false)), operation(6, 7, .get, .value(2)),
            ]),
        Case(
            testDescription: "an older version was applied", isLinearizable: false,
            operations: [
                operation(0, 1, .set(1)), operation(2, 3, .set(2)),
                operation(4, 5, .apply(7, SyncStamp(counter: 1, device: "watch")), .applied(true)),
            ]),
    ]

    @Test(arguments: cases)
    func knowsHistories(_ example: Case) {
        let checker = LinearizabilityChecker(Register(device: "phone", legacy: example.legacy, leavesSource: example.leavesSource))
        #expect(checker.check(History(example.operations)).isLinearizable == example.isLinearizable)
    }

    @Test func theOrderItNamesExplainsTheHistory() throws {
        var random = SeededGenerator(seed: 5)
        let model = Register(device: "phone")
        var explained = 0
        for _ in 0..<500 {
            let history = RandomHistory.make(count: 7, random: &random)
            guard case .linearizable(let order) = LinearizabilityChecker(model).check(history) else { continue }
            explained += 1
            #expect(Set(order).isSuperset(of: history.operations.indices.filter { history.operations[$0].outcome != nil }))
            #expect(RandomHistory.explains(order, history, model))
        }
        #expect(explained > 50)
    }

    /// Against trying every order of every subset, which needs no cleverness.
    @Test func agreesWithTryingEveryOrder() {
        var random = SeededGenerator(seed: 11)
        let model = Register(device: "phone", legacy: 3)
        var counts = [false: 0, true: 0]
        for round in 0..<3_000 {
            let history = RandomHistory.make(count: 2 + round % 4, random: &random)
            let verdict = LinearizabilityChecker(model).check(history)
            let truth = RandomHistory.everyOrder(history, model)
            #expect(verdict.isLinearizable == truth, "\(history)")
            counts[truth, default: 0] += 1
        }
        // A comparison of one kind only would say little.
        #expect(counts[true, default: 0] > 300 && counts[false, default: 0] > 300)
    }

    @Test func saysWhereItIsStuck() {
        let history = History([
            Self.operation(0, 1, .set(1)), Self.operation(2, 3, .set(2)), Self.operation(4, 5, .get, .value(1)),
            Self.operation(6, 7, .remove),
        ])
        let verdict = LinearizabilityChecker(Register(device: "phone")).check(history)
        #expect(verdict == .notLinearizable(longest: [0, 1], stuck: 2))
        #expect(history.description.contains("4–5  client 0: get → value(1)"))
    }

    @Test func givesUpAtItsLimit() {
        var checker = LinearizabilityChecker(Register(device: "phone"))
        checker.limit = 3
        let sets = (0..<8).map { Self.operation($0, 20 + $0, .set($0)) }
        #expect(checker.check(History(sets)) == .undecided(steps: 3))
    }

    /// Histories with little overlap cost time in proportion to their length: this one would not end otherwise.
    @Test func longHistoriesAreDecided() {
        var operations: [Operation] = []
        for number in 0..<2_000 {
            let moment = number * 4
            operations.append(Self.operation(moment, moment + 2, .set(number)))
            operations.append(Self.operation(moment + 1, moment + 3, .get, .value(number)))
        }
        #expect(LinearizabilityChecker(Register(device: "phone")).check(History(operations)).isLinearizable)
    }
}
