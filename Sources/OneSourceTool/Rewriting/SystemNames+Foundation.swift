/// Functions of Apple's that hosts do not have, or have for the host.
extension SystemNames {
    static let functions = """
        @_disfavoredOverload @usableFromInline nonisolated func NSSearchPathForDirectoriesInDomains(
            _ directory: Foundation.FileManager.SearchPathDirectory, _ domainMask: Foundation.FileManager.SearchPathDomainMask, _ expandTilde: Bool
        ) -> [String] { SystemShims.searchPaths(directory, domainMask) }
        @_disfavoredOverload @usableFromInline nonisolated func NSHomeDirectory() -> String { SystemShims.homeDirectory }
        @usableFromInline nonisolated func CFAbsoluteTimeGetCurrent() -> Double { SystemShims.now.timeIntervalSinceReferenceDate }
        @usableFromInline nonisolated func CACurrentMediaTime() -> Double { SystemShims.uptime }
        @usableFromInline nonisolated func mach_absolute_time() -> UInt64 { SystemShims.DispatchTime.now().uptimeNanoseconds }
        @usableFromInline nonisolated func mach_continuous_time() -> UInt64 { SystemShims.DispatchTime.now().uptimeNanoseconds }
        @usableFromInline nonisolated func arc4random() -> UInt32 { SystemShims.random32 }
        @usableFromInline nonisolated func arc4random_uniform(_ bound: UInt32) -> UInt32 { SystemShims.random32(below: bound) }

        @discardableResult
        @usableFromInline nonisolated func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }

        nonisolated extension String {
            @usableFromInline init(
                localized key: String, defaultValue: String? = nil, table: String? = nil, bundle: Bundle? = nil, locale: Locale = .current,
                comment: StaticString? = nil
            ) { self = defaultValue ?? key }
        }

        @_disfavoredOverload
        @usableFromInline nonisolated func NSLocalizedString(
            _ key: String, tableName: String? = nil, bundle: Bundle, value: String = "", comment: String
        ) -> String { value.isEmpty ? key : value }
        """

    /// C's locks. Their types are in ``types``.
    static let locks = """
        @usableFromInline nonisolated func os_unfair_lock_lock(_ lock: UnsafeMutablePointer<SystemShims.UnfairLock>) { SystemShims.lock(lock) }
        @usableFromInline nonisolated func os_unfair_lock_trylock(_ lock: UnsafeMutablePointer<SystemShims.UnfairLock>) -> Bool { SystemShims.tryLock(lock) }
        @usableFromInline nonisolated func os_unfair_lock_unlock(_ lock: UnsafeMutablePointer<SystemShims.UnfairLock>) { SystemShims.unlock(lock) }
        @usableFromInline nonisolated func os_unfair_lock_assert_owner(_ lock: UnsafePointer<SystemShims.UnfairLock>) { SystemShims.assertOwner(lock, true) }
        @usableFromInline nonisolated func os_unfair_lock_assert_not_owner(_ lock: UnsafePointer<SystemShims.UnfairLock>) {
            SystemShims.assertOwner(lock, false)
        }
        @discardableResult
        @usableFromInline nonisolated func pthread_mutex_lock(_ mutex: UnsafeMutablePointer<pthread_mutex_t>) -> Int32 { SystemShims.lockMutex(mutex) }
        """
}
