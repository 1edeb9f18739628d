#if os(Linux) && canImport(Runtime)
    import Runtime
#endif

/// Where code outside this package called from, for reports of escapes. Noting it costs little, and finding it much: that reads debugging information.
package struct CallerPlace {
    #if os(Linux) && canImport(Runtime)
        private let backtrace: Backtrace?
    #endif

    /// The place of the running code.
    static var here: CallerPlace {
        #if os(Linux) && canImport(Runtime)
            CallerPlace(backtrace: try? Backtrace.capture(limit: 48, images: SourcePlaces.images))
        #else
            CallerPlace()
        #endif
    }

    /// The file's name and line, and the function, of the innermost frame that is not of the system or of these modules; `nil` if none is known.
    func found() -> String? {
        #if os(Linux) && canImport(Runtime)
            SourcePlaces.of(backtrace?.frames.compactMap { UInt64($0.originalProgramCounter) } ?? []).first
        #else
            nil
        #endif
    }
}
