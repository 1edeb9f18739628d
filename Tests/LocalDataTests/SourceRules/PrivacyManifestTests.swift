import Foundation
import Testing

/// App Store Connect refuses apps that use some of the system's functions and do not say why (Apple, "Describing use of required reason API"). What LocalData
/// uses of them, its privacy manifest says.
@Suite struct PrivacyManifestTests {
    /// What the categories' pages list, as far as Swift code would name it.
    private static let categories = [
        "UserDefaults": #"\bUserDefaults\b"#,
        "FileTimestamp":
            #"\b(f|l)?stat(at)?\(|\bf?getattrlist(at|bulk)?\(|\b(creation|modification|fileModification|contentModification)Date(Key)?\b"#,
        "SystemBootTime": #"\bsystemUptime\b|\bmach_absolute_time\b"#,
        "DiskSpace": #"\bf?statv?fs(at)?\(|\bvolume(Available|Total)Capacity|\bsystem(Free)?Size\b"#,
        "ActiveKeyboards": #"\bactiveInputModes\b"#,
    ]

    @Test func theManifestSaysWhatTheSourcesUse() throws {
        let files = try SourceRulesTests.sourceFiles().filter { $0.path.contains("/Sources/LocalData/") && !$0.path.contains("/Portable/") }
        let folder = try #require(files.lazy.map(\.path).first?.components(separatedBy: "/Sources/LocalData/").first)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/Sources/LocalData/PrivacyInfo.xcprivacy"))
        let manifest = try #require(PropertyListSerialization.propertyList(from: bytes, format: nil) as? [String: Any])
        #expect(manifest["NSPrivacyTracking"] as? Bool == false)
        #expect((manifest["NSPrivacyCollectedDataTypes"] as? [Any])?.isEmpty == true)
        let told = try #require(manifest["NSPrivacyAccessedAPITypes"] as? [[String: Any]])
        for entry in told { #expect((entry["NSPrivacyAccessedAPITypeReasons"] as? [String])?.isEmpty == false) }

        var used: Set<String> = []
        for file in files {
            let code = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
                .map(SourceRulesTests.withoutCommentsAndStrings).joined(separator: "\n")
            for (category, functions) in Self.categories where code.range(of: functions, options: .regularExpression) != nil {
                used.insert("NSPrivacyAccessedAPICategory\(category)")
            }
        }
        #expect(used == Set(told.compactMap { $0["NSPrivacyAccessedAPIType"] as? String }))
    }
}
