extension StorageEnvironment {
    /// The environment of the process that is running: Apple's stores, or the portable ones under the XDG directories.
    static let platform = makePlatform()
}
