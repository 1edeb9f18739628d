import Foundation

/// Makes a file that was written for Apple's systems one that the compiler on this host judges as if it were there. Lines keep their numbers.
///
/// What it answers: `os(…)`, `canImport(…)` and `targetEnvironment(…)` in conditions; what is unavailable or deprecated on the platform, which
/// the compiler then says of every platform; and `as String` of a Security constant, which only Apple's systems bridge. Since when something
/// is available stays as it is written: ``SyntaxTreeReader`` judges that. A call of an optional method of the session's delegate is taken for one of a method.
/// Attributes of Objective-C, which a host has not, go.
struct SourceRewriter {
    let platform: ApplePlatform

    func rewrite(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { rewriteLine(String($0)) }.joined(separator: "\n")
    }

    private func rewriteLine(_ line: String) -> String {
        let trimmed = line.drop { $0 == " " }
        if trimmed.hasPrefix("//") { return line }
        if trimmed.hasPrefix("#if") || trimmed.hasPrefix("#elseif") { return answerConditions(line) }
        if trimmed.hasPrefix("@available("), let close = trimmed.firstIndex(of: ")") {
            let list = trimmed[trimmed.index(trimmed.startIndex, offsetBy: 11)..<close]
            return line.prefix { $0 == " " } + attribute(for: String(list)) + trimmed[trimmed.index(after: close)...]
        }
        return
            line
            .replacing(#/\b(kSec[A-Za-z]+) as String/#) { "\($0.1).asString" }
            .replacing(#/(\.attribute) as String/#) { "\($0.1).asString" }
            .replacing(#/\b(\w+(?:\(\w*\))?) as CFString\b/#) { "CFString(stringLiteral: \($0.1))" }
            // Optional methods of the session's delegate, which have implementations here, since Linux has no `@objc`.
            .replacing(#/(\?\.session\w*)\?\(/#) { "\($0.1)(" }
            .replacing(#/@objcMembers\b|@objc(\([^)]*\)|\b)/#, with: "")
    }

    private func answerConditions(_ line: String) -> String {
        line
            .replacing(#/\bos\((\w+)\)/#) { $0.1 == platform.rawValue ? "true" : "false" }
            .replacing(#/\btargetEnvironment\(\w+\)/#) { _ in "false" }
            .replacing(#/\bcanImport\((\w+)\)/#) { canImport(String($0.1)) ? "true" : "false" }
    }

    private func canImport(_ module: String) -> Bool {
        #if canImport(FoundationNetworking)
            if module == "FoundationNetworking" { return true }
        #endif
        return (platform.standIns + ["Foundation", "Dispatch", "Synchronization", "WatchConnectivity", "LocalData"]).contains(module)
    }

    /// An attribute that names one platform, such as `iOS, introduced: 9.0, deprecated: 18.0, message: "…"`, as the platform that is checked
    /// has to hear it. Others stay.
    private func attribute(for list: String) -> String {
        let parts = list.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        let unchanged = "@available(\(list))"
        guard let first = parts.first, ApplePlatform(rawValue: first) == platform else { return unchanged }
        if parts.contains("unavailable") { return "@available(*, unavailable)" }
        guard let deprecated = parts.first(where: { $0.hasPrefix("deprecated:") }),
            let version = SystemVersion(deprecated.dropFirst("deprecated:".count).drop { $0 == " " }), version <= platform.minimum
        else { return unchanged }
        let message = parts.first { $0.hasPrefix("message:") }
        return "@available(*, deprecated\(message.map { ", \($0)" } ?? ""))"
    }
}
