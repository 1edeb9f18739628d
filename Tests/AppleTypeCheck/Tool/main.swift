// Type-checks what is to compile on Apple's systems, on a host that has none of their SDKs. See Tests/AppleTypeCheck/README.md.
//
//     swift run apple-typecheck               all platforms, and the probes
//     swift run apple-typecheck iOS watchOS   these

import Foundation

let names = CommandLine.arguments.dropFirst()
let platforms =
    names.isEmpty
    ? ApplePlatform.allCases
    : names.compactMap { name in
        ApplePlatform.allCases.first { $0.rawValue.lowercased() == name.lowercased() }
    }
guard platforms.count == max(names.count, 1) || names.isEmpty else {
    print("usage: apple-typecheck [iOS] [watchOS] [macOS]")
    exit(64)
}

let root = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
let work = FileManager.default.temporaryDirectory.appendingPathComponent("apple-typecheck-\(ProcessInfo.processInfo.processIdentifier)")

func run() throws -> Bool {
    defer { try? FileManager.default.removeItem(at: work) }
    let toolchain = try Toolchain()
    let availability = try SymbolAvailability(work: work)
    let probes = try Probe.all(below: root)
    var isFine = true
    func report(_ problems: [String]) {
        for problem in problems { print(problem) }
        if !problems.isEmpty { isFine = false }
    }
    for platform in platforms {
        var check = try PlatformCheck(platform: platform, toolchain: toolchain, root: root, work: work, availability: availability)
        try check.makeStandIns()
        for module in CheckedModule.all where module.platforms.contains(platform) {
            let findings = try check.check(module)
            report(findings.map(\.text))
            print("\(findings.isEmpty ? "passed" : "failed")  \(module.name) for \(platform.rawValue) \(platform.minimum)")
        }
        let planted = probes.filter { $0.platform == platform }
        let missed = try planted.compactMap { try $0.problem(in: check) }
        report(missed)
        print("\(planted.count - missed.count) of \(planted.count) probes judged as they should be for \(platform.rawValue)")
    }
    report(try MirrorComparison(toolchain: toolchain, root: root, work: work).differences(platforms: platforms))
    return isFine
}

do {
    exit(try run() ? 0 : 1)
} catch {
    print("apple-typecheck: \(error)")
    exit(3)
}
