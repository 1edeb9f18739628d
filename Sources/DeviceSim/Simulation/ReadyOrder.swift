/// Which of the ready jobs runs next.
public enum ReadyOrder: Sendable, Hashable {
    /// In the order in which they became ready.
    case firstInFirstOut
    /// Any of them, drawn from a generator of this seed.
    case seeded(UInt64)
}
