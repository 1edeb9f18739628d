/// What simulations need of the Swift runtime that they run on.
public enum HostRuntime {
    /// What keeps simulations from being deterministic in this process, with its remedy, in one sentence without a full stop; `nil`: nothing does.
    public static var obstacle: String? {
        guard !ConcurrencyHook.isAvailable || !ConcurrencyHook.catchesMainActor else { return nil }
        return "the Swift runtime shows no hooks for its global queue and the main actor, so that work could not be put in order; "
            + "link it dynamically, without -static-stdlib"
    }
}
