/// Finds what is wrong in the conditions of compilation, and would be hard to find in a made file.
enum ConditionChecker {
    /// The operating systems that the compiler knows. Any other name is false to it, and it does not say so.
    static let systems: Set<Substring> = [
        "iOS", "watchOS", "macOS", "OSX", "tvOS", "visionOS", "xrOS", "DriverKit", "Linux", "FreeBSD", "OpenBSD", "Windows", "Android",
        "PS4", "Cygwin",
        "Haiku", "WASI", "Emscripten", "none",
    ]

    /// An `#if` that has no `#endif`. The compiler finds it at the end of the made file only.
    static func unclosed(_ tokens: [Token], in source: String) -> SourceProblem? {
        var open: [Token] = []
        for token in tokens where token.kind == .directive {
            if token.text == "#if" { open.append(token) }
            if token.text == "#endif" { _ = open.popLast() }
        }
        return open.last.map { SourceProblem(at: $0.range.lowerBound, in: source, "this #if has no #endif") }
    }

    /// Names of operating systems that there are none of.
    static func unknownSystems(_ tokens: [Token], in source: String) -> [SourceProblem] {
        ConditionRewriter.systems(in: tokens).filter { !systems.contains($0.text) }.map { token in
            let meant = systems.sorted().first { $0.lowercased() == token.text.lowercased() }
            let hint = meant.map { "; did you mean '\($0)'?" } ?? "; it is never true"
            return SourceProblem(at: token.range.lowerBound, in: source, "there is no operating system '\(token.text)'\(hint)")
        }
    }
}
