/// What must hold wherever a crash comes. Each finding of the suite names one of them.
enum CrashLaw: String, Sendable, CaseIterable {
    case acknowledgedSurvives = "what was acknowledged survives"
    case oldOrNew = "what was not acknowledged is the old value or the new one"
    case removedStaysRemoved = "a removed value stays removed"
    case prefixSurvives = "of a row of changes a prefix survives, never a hole"
    case alwaysReadable = "a value that moves is readable at its source or its destination at every moment"
    case noNeedlessKey = "no key is minted while an envelope needs another"
    case noPlaintext = "no plaintext of a secret lies outside its declared domain"
    case sourceWaits = "what was copied into preferences stays at its source for a minute, and for a later process"
    case leftoversCollected = "leftovers are collected"
    case canBeRepeated = "what was cut short can be done again"
    case secondRecoveryWritesNothing = "a second recovery writes nothing and reads the same"
    case devicesAgree = "after a sync both devices agree"
    case runs = "the app launches, and the operation succeeds where nothing interrupts it"
}

/// A law that did not hold, and where.
struct CrashBreach: Error, CustomStringConvertible {
    let law: CrashLaw
    let facts: String
    var points: [String] = []

    init(_ law: CrashLaw, _ facts: String) {
        self.law = law
        self.facts = facts
    }

    var description: String { "\(points.joined(separator: ", then ")): \(law.rawValue): \(facts)" }
}
