import DeviceSimLanguage
import Foundation
import LocalData
import Testing

@testable import DeviceSimRunner

/// A key of a scenario declares the same in every guise.
@Suite struct KeyGuiseTests {
    /// Nothing as `StorageKey` has it by default.
    private func declared() -> DeclaredKey<[Int]> {
        var declaration = KeyDeclaration(name: "counts")
        declaration.domain = .keychain(service: "s")
        declaration.security = .keychain(accessibility: .afterFirstUnlock, accessControl: .biometryAny)
        declaration.formerSecurity = [.none, .recommended]
        declaration.owner = "Somebody"
        declaration.description = "Counts."
        declaration.availability = .phoneOnly
        declaration.syncPolicy = .manual
        declaration.accessGroup = "group.com.example"
        declaration.missingKeyPolicy = .discard
        declaration.schemaVersion = 3
        let key = DeclaredKey<[Int]>(declaration, serializer: .plist)
        return key.with(AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key(key.placeOnly))))
    }

    @Test func aSmallerFormChangesNothingOfTheDeclaration() {
        let plain = declared()
        let key = WatchFormKey(plain, form: WatchForm(first: 2))
        let defaults = DeclaredKey<[Int]>(KeyDeclaration(name: "other"), serializer: .json)
        #expect(StorageKeyDescriptor.from(key) == .from(plain))
        #expect(key.schemaVersion == plain.schemaVersion && key.migration != nil)
        // What is compared differs from what a requirement that is left out would say.
        let (mine, other) = (StorageKeyDescriptor.from(plain), StorageKeyDescriptor.from(defaults))
        #expect(
            mine.formerSecurity != other.formerSecurity && mine.security != other.security && mine.serializer != other.serializer
                && mine.availability != other.availability && mine.syncPolicy != other.syncPolicy && mine.accessGroup != other.accessGroup
                && mine.missingKeyPolicy != other.missingKeyPolicy && plain.schemaVersion != defaults.schemaVersion)
    }

    /// A requirement that is new has a default, so the compiler does not ask for it.
    @Test func everyRequirementIsForwarded() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let requirements = try String(contentsOf: root.appending(path: "Sources/LocalData/Keys/StorageKey.swift"), encoding: .utf8)
        let names = requirements.matches(of: /(?m)^    var (\w+): .* \{ get \}$/).map { String($0.output.1) }
        #expect(names.count >= 13 && names.contains("formerSecurity"))
        for guise in ["WatchFormKey", "DeclaredKey"] {
            let source = try String(contentsOf: root.appending(path: "Sources/DeviceSim/Runner/Run/\(guise).swift"), encoding: .utf8)
            for name in names {
                #expect(source.contains("    var \(name): ") || source.contains("    let \(name): "), "\(guise) leaves out '\(name)'")
            }
        }
    }
}
