import Foundation

#if os(Linux) && canImport(Runtime)
    import Runtime
    import Synchronization
#endif

/// Where code outside this package called from, for reports of escapes. Noting it costs little, and finding it much: that reads debugging information.
package struct CallerPlace {
    #if os(Linux) && canImport(Runtime)
        private let backtrace: Backtrace?

        /// What is loaded, looked at once: the toolchain reads it out of the process's memory, and dies of it where another thread unmaps something just then.
        private static let images = ImageMap.capture()
        /// What was found before, by the addresses of the frames: the same code comes the same way again and again, and each search reads the debugging information anew.
        private static let found = Mutex<[[Backtrace.Address]: String?]>([:])
        private static let capacity = 1_000
    #endif

    /// The place of the running code.
    static var here: CallerPlace {
        #if os(Linux) && canImport(Runtime)
            CallerPlace(backtrace: try? Backtrace.capture(limit: 48, images: images))
        #else
            CallerPlace()
        #endif
    }

    /// The file's name and line, and the function, of the innermost frame that is not of the system or of these modules; `nil` if none is known.
    func found() -> String? {
        #if os(Linux) && canImport(Runtime)
            guard let backtrace else { return nil }
            let addresses = backtrace.frames.map(\.originalProgramCounter)
            if let known = Self.found.withLock({ $0[addresses] }) { return known }
            let place = backtrace.symbolicated()?.frames.lazy.compactMap { $0.symbol.flatMap(Self.place) }.first
            Self.found.withLock { found in
                if found.count >= Self.capacity { found = [:] }
                found[addresses] = .some(place)
            }
            return place
        #else
            return nil
        #endif
    }

    #if os(Linux) && canImport(Runtime)
        /// The file's name and line, and the function; `nil` for one of the system or of these modules.
        static func place(of symbol: SymbolicatedBacktrace.Symbol) -> String? {
            guard !isSystem(symbol.imageName), let place = symbol.sourceLocation, place.line > 0, !isNoPlace(place.path) else { return nil }
            return "\(place.path.split(separator: "/").last.map(String.init) ?? place.path):\(place.line) (\(symbol.name))"
        }
    #endif

    private static func isSystem(_ image: String) -> Bool {
        image.hasPrefix("libswift") || image.hasPrefix("libFoundation") || image.hasPrefix("lib_Foundation") || image.hasPrefix("libc.")
            || image.hasPrefix("libdispatch") || image.hasPrefix("ld-linux")
    }

    private static func isNoPlace(_ path: String) -> Bool {
        // Neither is what a macro has made.
        path.hasPrefix("<") || path.contains("@__swiftmacro") || path.hasSuffix("/SystemNames.swift")
            || folders.contains { path.hasPrefix($0) }
    }

    /// The folders of the sources of this package's libraries, as they were when it was compiled.
    private static let folders: [String] = {
        guard let end = #filePath.range(of: "/DeviceSim/Core/", options: .backwards)?.lowerBound else { return [] }
        let sources = #filePath[..<end]
        return ["DeviceSim", "LocalData", "WatchConnectivity"].map { "\(sources)/\($0)/" }
    }()
}
