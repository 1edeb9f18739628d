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
/// It counts for all that the task awaits, so that nothing has to be passed along.
enum ReadOnly {
    @TaskLocal static var isOn = false
}
