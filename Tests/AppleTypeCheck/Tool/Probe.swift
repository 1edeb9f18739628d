import Foundation

/// Code that must not pass, so that the check is known to find something. Each file says in its first lines for which platform, and what is to be
/// said of it: `none` of code that is right, so that the check is known to let it pass.
struct Probe {
    let name: String
    let platform: ApplePlatform
    let expected: String
    let text: String

    static func all(below root: URL) throws -> [Probe] {
        let folder = root.appendingPathComponent("Tests/AppleTypeCheck/Probes")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".txt") }.sorted().map { name in
            let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
            guard let header = text.firstMatch(of: #/\/\/ platform: (\w+)\n\/\/ error: (.+)\n/#),
                let platform = ApplePlatform(rawValue: String(header.1))
            else { throw Toolchain.Failure(description: "\(name) has to begin with `// platform: …` and `// error: …`") }
            return Probe(name: name, platform: platform, expected: String(header.2), text: text)
        }
    }

    /// - Returns: what is wrong with the check, if it does not find the mistake.
    func problem(in check: PlatformCheck) throws -> String? {
        let file = try check.rewritten(text, at: "Tests/AppleTypeCheck/Probes/\(name.dropLast(4)).swift")
        let findings = try check.check([file], as: CheckedModule(name: "Probe", sources: []))
        if expected == "none" ? findings.isEmpty : findings.contains(where: { $0.message.contains(expected) }) { return nil }
        let found = findings.isEmpty ? "nothing" : findings.map(\.text).joined(separator: "\n    ")
        return
            "Tests/AppleTypeCheck/Probes/\(name): expected \(expected == "none" ? "no error" : "an error with “\(expected)”"), found \(found)"
    }
}
