#if os(Linux) && canImport(Runtime)
    import Foundation
    import Runtime
    import Synchronization

    /// Where return addresses are in sources outside of the system and of this package's libraries.
    ///
    /// The toolchain finds that by reading the debugging information of the program anew for each address, which takes long in a large one. Most addresses of two stacks are the
    /// same, so what was found is kept. May be used from any thread.
    enum SourcePlaces {
        /// What is loaded, looked at once: the toolchain reads it out of the process's memory, and dies of it where another thread unmaps something just then.
        static let images = ImageMap.capture()

        private static let known = Mutex<[UInt64: [String]]>([:])
        private static let capacity = 20_000

        /// Of each address, in their order, the file's name and line, and the function, what was inlined there first. Slow for addresses that are asked for the first time.
        static func of(_ addresses: [UInt64]) -> [String] {
            let asked = addresses.filter { $0 != 0 }
            let kept = known.withLock { $0 }
            let fresh = found(Array(Set(asked).subtracting(kept.keys)))
            if !fresh.isEmpty {
                known.withLock { known in
                    if known.count + fresh.count > capacity { known = [:] }
                    known.merge(fresh) { _, new in new }
                }
            }
            return asked.flatMap { kept[$0] ?? fresh[$0] ?? [] }
        }

        private static func found(_ addresses: [UInt64]) -> [UInt64: [String]] {
            guard let frames = backtrace(of: addresses)?.symbolicated(with: images)?.frames else { return [:] }
            var found = Dictionary(uniqueKeysWithValues: addresses.map { ($0, [String]()) })
            for frame in frames {
                guard let address = UInt64(frame.captured.originalProgramCounter), let place = frame.symbol.flatMap(place) else { continue }
                found[address, default: []].append(place)
            }
            return found
        }

        /// The runtime reads a backtrace in its compact form: a byte that says how wide addresses are, then of each frame a byte for its kind and width, and
        /// the address.
        private static func backtrace(of addresses: [UInt64]) -> Backtrace? {
            guard !addresses.isEmpty else { return nil }
            #if arch(x86_64)
                let architecture = "x86_64"
            #elseif arch(arm64)
                let architecture = "arm64"
            #else
                let architecture = ""
            #endif
            var bytes: [UInt8] = [0x02]
            for address in addresses {
                bytes.append(0x2F)
                for shift in stride(from: UInt64(56), through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: address >> shift)) }
            }
            bytes.append(0)
            var text = Data(bytes).base64EncodedString()
            while text.hasSuffix("=") { text.removeLast() }
            let form = ["architecture": architecture, "backtrace": text]
            return try? JSONDecoder().decode(Backtrace.self, from: JSONEncoder().encode(form))
        }

        /// `nil` for what is of the system or of these modules.
        private static func place(of symbol: SymbolicatedBacktrace.Symbol) -> String? {
            guard !isSystem(symbol.imageName), let place = symbol.sourceLocation, place.line > 0, !isNoPlace(place.path) else { return nil }
            return "\(place.path.split(separator: "/").last.map(String.init) ?? place.path):\(place.line) (\(symbol.name))"
        }

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
#endif
