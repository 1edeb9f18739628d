/// Whether the running task only looks at the device: an audit, or a plan of what migrations or a rotation would do.
///
/// Reading an app's values tidies up on its way: it moves a keychain item into the access group that its key declares, hands a master key on to that group,
/// clears away what crashed writes left, discards what nobody can open any more, and makes durable what it saw. It asks a person where an item wants one.
/// Where this is set it does none of that. It counts for all that the task awaits, so that nothing has to be passed along.
enum ReadOnly {
    @TaskLocal static var isOn = false
}
