/// What LocalData invariants, and a run is held to. Each has a check; the raw values appear in reports and are stable.
public enum Invariant: String, Sendable, Hashable, CaseIterable {
    /// What was acknowledged is there, also after a crash or a power loss, until something later replaces it.
    case durability
    /// What is read is a whole value that somebody wrote.
    case atomicity
    /// A removed value does not come back.
    case removal
    /// What cannot be read for now is not taken for missing.
    case absence
    /// When changes stop, the link is up and both apps have run, both devices hold the same, and nothing that came after it was lost.
    case convergence
    /// When changes stop, sending stops.
    case quiet
    /// Nothing is handed to the session that it must refuse.
    case limits
    /// What does not sync stays on its device.
    case confinement
    /// A secret lies readable nowhere but where its key says, and not in the trace.
    case secrecy
    /// A migration moves a value once: its source does not stay behind.
    case migration
    /// An app neither reads nor replaces what a newer version of it has stored in a newer form.
    case forms
    /// Operations on one key that overlap have the effects of some order of them.
    case linearizability
    /// The audit says what lies on the device, and changes nothing.
    case audit
    /// No operation waits for what never comes, and nothing goes on for ever.
    case progress
    /// Old master keys are gone when the app was told so, and not before.
    case rotation
    /// The session delivers what it took, once and in order, and tells its sender once.
    case session
    /// Code that observes a key, or its session, was told the last change once nothing is left to run.
    case observation
    /// Nothing reaches into a run from outside of it.
    case determinism
    /// An operation fails only for a reason: a lock, a fault, a limit.
    case explanation
    /// What the app under test promises of both devices holds (``AppInvariant``).
    case app
    /// A scenario that somebody wrote passes as it is written.
    case expectation
    /// A run comes out as another build of the tool has it. Held only where one was named.
    case sameness
}

extension Invariant {
    /// The invariant in one sentence, for reports.
    public var sentence: String {
        switch self {
        case .durability: "what was acknowledged stays until something later replaces it"
        case .atomicity: "what is read is a whole value that somebody wrote"
        case .removal: "a removed value does not come back"
        case .absence: "what cannot be read for now is not missing"
        case .convergence: "when changes stop and both apps have run, both devices hold the same"
        case .quiet: "when changes stop, sending stops"
        case .limits: "nothing is sent that the session must refuse"
        case .confinement: "what does not sync stays on its device"
        case .secrecy: "a secret lies readable nowhere but where its key says"
        case .migration: "a migration moves a value once, and leaves no copy behind"
        case .forms: "an older app neither reads nor replaces a newer form"
        case .linearizability: "operations that overlap have the effects of some order of them"
        case .audit: "the audit says what lies on the device, and changes nothing"
        case .progress: "every operation ends, and so does the work that it sets off"
        case .rotation: "a retired master key is gone, and no other, and what a rotation does is what its plan says"
        case .session: "the session delivers what it took, once and in order"
        case .observation: "code that observes a key, or its session, is told the last change"
        case .determinism: "nothing reaches into a run from outside of it"
        case .explanation: "an operation fails only for a reason"
        case .app: "an invariant of the app under test holds"
        case .expectation: "a scenario passes as it is written"
        case .sameness: "a run comes out as with the other build"
        }
    }
}

extension Invariant {
    /// Those that are held against an app which does not use LocalData.
    public static let ofAnyApp: Set<Invariant> = [.quiet, .limits, .progress, .session, .observation, .determinism, .app, .expectation]
}
