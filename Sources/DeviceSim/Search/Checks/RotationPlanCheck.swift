import DeviceSimCore
import DeviceSimLanguage
import DeviceSimRunner

/// Holds the plan of a rotation to what comes of it: what is done right behind it seals anew what was due, and deletes the keys that nothing needed.
struct RotationPlanCheck {
    /// What the app was told.
    struct Plan {
        let device: DeviceID
        let step: Int
        /// How many values were to be sealed anew.
        let due: Int
        /// How many old master keys nothing needed.
        let needless: Int

        /// What a retirement right behind it contradicts, if it does.
        func contradiction(retired: Int) -> String? {
            guard retired != needless else { return nil }
            return "\(needless) old master keys were needed by nothing, and \(retired) were deleted"
        }

        /// What sealing everything anew right behind it contradicts, if it does. Of two keys of one value the second finds it sealed as declared.
        /// - Parameters:
        ///   - failed: How many values could not be opened, which only opening shows: a plan reads the front of an envelope.
        ///   - isAll: Whether nothing else can be sealed anew.
        func contradiction(resealed: Int, failed: Int, isAll: Bool) -> String? {
            guard resealed + failed == 0 && due > 0 || isAll && resealed > due else { return nil }
            return "\(due) values were due, and \(resealed) were sealed anew"
        }
    }

    private var last: Plan?

    /// - Parameter observation: A step that was alone, carried out.
    mutating func check(_ observation: StepObservation, in run: ScenarioRun, _ keeper: InvariantChecker, step: Int) -> Violation? {
        let plan = last
        last = nil
        guard case .data(let data) = observation.action, case .done = observation.result, !observation.conditions.hasFaults else {
            return nil
        }
        if data.action == .planRotation { last = Self.plan(of: data.device, in: run, step: step) }
        guard let plan, plan.device == data.device, plan.step + 1 == step else { return nil }
        func violation(_ fact: String) -> Violation {
            Violation(
                .rotation, device: data.device, step: step,
                explanation: ["the plan of a rotation on \(data.device) said otherwise than what came right behind it: \(fact)"])
        }
        func number(_ kind: TraceEvent.Kind, _ fact: String) -> Int? {
            let event = run.simulation.trace.events.last { $0.kind == kind && $0.device == data.device }
            return if case .number(let number)? = event?[fact] { number } else { nil }
        }
        switch data.action {
        case .retireKeys:
            // How many are kept says nothing: one that the keychain of a group has as well is one key of the plan, and kept twice.
            guard let retired = number(.retire, "retired") else { return nil }
            keeper.recorder?.looked(.rotation)
            return plan.contradiction(retired: retired).map(violation)
        case .reseal(nil):
            // A value that a migration brings over on the way was not there before.
            guard keeper.keys.allSatisfy(\.sources.isEmpty) else { return nil }
            // Items that only the keychain protects are no part of a rotation.
            let isAll = !keeper.keys.contains { $0.isInKeychain && !$0.security.isSealed }
            guard let resealed = number(.reseal, "resealed"), let failed = number(.reseal, "failed") else { return nil }
            keeper.recorder?.looked(.rotation)
            return plan.contradiction(resealed: resealed, failed: failed, isAll: isAll).map(violation)
        default: return nil
        }
    }

    /// - Returns: `nil` where it cannot be told what is due: something cannot be read, or a rotation was cut short.
    private static func plan(of device: DeviceID, in run: ScenarioRun, step: Int) -> Plan? {
        guard let event = run.simulation.trace.events.last(where: { $0.kind == .plan && $0.device == device }),
            case .number(let due)? = event["due"], case .number(0)? = event["stuck"],
            case .number(let needless)? = event["needless"], case .flag(false)? = event["underWay"]
        else { return nil }
        return Plan(device: device, step: step, due: due, needless: needless)
    }
}
