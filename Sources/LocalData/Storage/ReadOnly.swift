/// Whether the running task only looks at the device: an audit, or a plan of what migrations or a rotation would do.
///
/// Reading an app's values does more on its way. Where this is set it does none of that:
///
/// - it moves a keychain item into the access group that its key declares (``KeychainHelper``);
/// - it hands a master key on to that group (``EncryptionHelper``);
/// - it clears away what crashed writes left (``DurableDirectories``);
/// - it discards what nobody can open any more (``ValueEngine``);
/// - it makes durable what it saw, before a migration deletes its source (``StoredValues``);
/// - it notes that the device was unlocked (``BelievableDefaults``);
/// - it asks a person where an item wants one (``KeychainHelper``).
///
/// It counts for all that the task awaits, so that nothing has to be passed along, and ends with the look: a task that code of the app starts on the way, such as
/// a provider of key material that fetches it anew from time to time, outlives that.
enum ReadOnly {
    @TaskLocal private static var look: TaskSpan?

    static var isOn: Bool { look?.isOpen ?? false }

    static func whileLooking<Result>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async rethrows -> Result {
        let look = TaskSpan()
        defer { look.end() }
        return try await $look.withValue(look) { try await body() }
    }
}
