/// Modules that code for devices imports, and what becomes of the imports on a host.
enum HostModules {
    /// Modules of Apple's that this package has under their names: they are imported, and conditions about them hold.
    static let mirrored: Set<Substring> = ["WatchConnectivity"]

    /// Modules of Apple's whose names the made file has: conditions about them hold, and their imports are left out.
    static let named: Set<Substring> = ["Security", "UserNotifications"]

    /// Modules of Apple's whose names beside views another module has: files that import one import the other. What the modules of ``interface`` are not
    /// here, their names begin with letters of their own, and all files see what there is of them (`SimulatedKits`).
    static let simulated: [Substring: String] = ["os": "SimulatedOS", "OSLog": "SimulatedOS", "SwiftUI": "SimulatedSwiftUI"]

    /// Modules of user interfaces. Their imports are left out, and so are types that are of an interface (``InterfaceCutter``).
    static let interface: Set<Substring> = [
        "AppKit", "BackgroundTasks", "Charts", "ClockKit", "SwiftUI", "TipKit", "UIKit", "WatchKit", "WidgetKit",
    ]

    /// Modules that no host has, and how the names in them begin. Their imports are left out; a name of theirs is an error that says what to do.
    static let absent: [Substring: [Substring]] = [
        "ActivityKit": ["Activity"], "AppIntents": ["AppIntent", "AppShortcut", "AppEntity"], "ARKit": ["AR"],
        "AuthenticationServices": ["AS"],
        "AVFoundation": ["AV"], "AVKit": ["AV"], "CallKit": ["CX"], "CloudKit": ["CK"], "Contacts": ["CN"],
        "CoreBluetooth": ["CB"], "CoreData": ["NSManaged", "NSPersistent", "NSFetch"], "CoreHaptics": ["CH"], "CoreImage": ["CI"],
        "CoreLocation": ["CL"],
        "CoreML": ["ML"], "CoreMotion": ["CM"], "CoreNFC": ["NFC"], "CoreSpotlight": ["CS"], "CoreTelephony": ["CT"], "EventKit": ["EK"],
        "GameKit": ["GK"], "HealthKit": ["HK"], "HomeKit": ["HM"], "Intents": ["IN"], "LocalAuthentication": ["LA"], "MapKit": ["MK"],
        "MediaPlayer": ["MP"], "MessageUI": ["MF"], "Messages": ["MS"], "MetricKit": ["MX"], "MultipeerConnectivity": ["MC"],
        "NaturalLanguage": ["NL"],
        "Network": ["NW"], "NotificationCenter": ["NC"], "PassKit": ["PK"], "PencilKit": ["PK"], "Photos": ["PH"], "PhotosUI": ["PH"],
        "PushKit": ["PK"], "QuartzCore": ["CA"], "SafariServices": ["SF"], "SceneKit": ["SCN"], "Speech": ["SF"], "SpriteKit": ["SK"],
        "StoreKit": ["SK"], "SwiftData": ["Model"], "Vision": ["VN"], "WebKit": ["WK"],
        "WorkoutKit": ["Workout"],
    ]

    /// What `canImport` says of a module; `nil` where the compiler knows.
    static func canImport(_ module: Substring) -> Bool? {
        if mirrored.contains(module) || named.contains(module) { return true }
        if simulated[module] != nil, !interface.contains(module) { return true }
        return interface.contains(module) || absent[module] != nil ? false : nil
    }

    static func isLeftOut(_ module: Substring) -> Bool { named.contains(module) || canImport(module) == false }
}

/// An `import` of a file.
struct Import {
    /// From its first attribute or access level to its last name, in tokens.
    let tokens: Range<Int>
    /// The token of the module's name.
    let name: Int

    private static let kinds: Set<Substring> = ["class", "struct", "enum", "protocol", "func", "var", "let", "typealias", "actor"]

    static func all(in tokens: [Token]) -> [Import] {
        tokens.indices.compactMap { index in
            guard tokens[index].isWord("import"), index + 1 < tokens.count, tokens[index + 1].kind == .word, !tokens[index + 1].startsLine
            else { return nil }
            var name = index + 1
            if kinds.contains(tokens[name].text), name + 1 < tokens.count, tokens[name + 1].kind == .word { name += 1 }
            var end = name + 1
            while end + 1 < tokens.count, tokens[end].isSign("."), tokens[end + 1].kind == .word { end += 2 }
            guard end == tokens.count || tokens[end].startsLine || tokens[end].isSign(";") else { return nil }
            var start = index
            // Attributes and access in front of it, such as `@preconcurrency`.
            while start > 0, !tokens[start].startsLine, tokens[start - 1].isSign("@") || tokens[start - 1].kind == .word { start -= 1 }
            guard tokens[start].startsLine || start > 0 && tokens[start - 1].isSign(";") else { return nil }
            return Import(tokens: start..<end, name: name)
        }
    }
}

/// Leaves out the imports of what is on a device and not on a host: `import WatchKit` in code of the watch. Where another module has the names, it is
/// imported instead.
///
/// Conditions about these modules are answered no (``Side``), and code that asks before it imports is not affected.
enum ImportRewriter {
    static func edits(for tokens: [Token]) -> [SourceEdit] {
        Import.all(in: tokens).compactMap { found in
            let end = tokens[found.tokens.upperBound - 1].range.upperBound
            if let other = HostModules.simulated[tokens[found.name].text] {
                // `import os.log` is of a part of the module, `import class os.Logger` of a name in it.
                let isPart = found.name > 0 && tokens[found.name - 1].isWord("import")
                let name = tokens[found.name].range
                return SourceEdit(range: name.lowerBound..<(isPart ? end : name.upperBound), text: other)
            }
            guard HostModules.isLeftOut(tokens[found.name].text) else { return nil }
            return SourceEdit(range: tokens[found.tokens.lowerBound].range.lowerBound..<end, text: "")
        }
    }
}

/// Finds names of modules that no host has, in code that is compiled.
enum AbsentNames {
    static func problem(
        in tokens: [Token], source: String, path: String, recipe: String, ignoring isIgnored: (Token) -> Bool
    ) -> SourceProblem? {
        let imports = Import.all(in: tokens)
        let modules = imports.map { tokens[$0.name] }.filter { !isIgnored($0) }.map(\.text)
        let prefixes = modules.flatMap { module in (HostModules.absent[module] ?? []).map { (module, $0) } }
        guard !prefixes.isEmpty else { return nil }
        for (index, token) in tokens.enumerated() where token.kind == .word && !isIgnored(token) {
            // A module may be called as its names begin: `AVKit`.
            guard index == 0 || !tokens[index - 1].isSign("."), !imports.contains(where: { $0.tokens.contains(index) }),
                let (module, _) = prefixes.first(where: { begins(token.text, with: $0.1) })
            else { continue }
            let file = path.split(separator: "/").last ?? ""
            return SourceProblem(
                at: token.range.lowerBound, in: source,
                "'\(token.text)' is of \(module), which hosts do not have: put what needs it between '#if canImport(\(module))' and '#endif', "
                    + "or leave the file out: '// OneSource: without …/\(file)' in \(recipe)")
        }
        return nil
    }

    private static func begins(_ name: Substring, with prefix: Substring) -> Bool {
        guard name.hasPrefix(prefix), let next = name.dropFirst(prefix.count).first else { return false }
        return next.isUppercase
    }
}
