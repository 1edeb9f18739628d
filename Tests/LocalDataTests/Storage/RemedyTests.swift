import Foundation
import Testing

@testable import LocalData

/// What errors advise. Whoever does as they say must not lose anything.
@Suite struct RemedyTests {
    /// Whether the value is there cannot be told from the code alone, so that no remedy says to do away with it.
    @Test(arguments: StorageError.Code.allCases) func noRemedySaysToRemoveWhatMayBeWhole(_ code: StorageError.Code) {
        let words = code.remedy.lowercased()
        for word in ["remove", "delete", "discard", "erase", "set it anew", "overwrite", "reinstall"] {
            #expect(!words.contains(word), "\(code): \(code.remedy)")
        }
        if words.contains("regenerate") { #expect(words.contains("do not regenerate"), "\(code): \(code.remedy)") }
    }

    /// A default that a watch stores at its first launch has no version before it, and may replace what the person has on the phone.
    @Test func anAbsentValueIsNotToBeSet() {
        let words = StorageError.Code.notFound.remedy.lowercased()
        #expect(words.contains("treat it as absent") && words.contains("store no default"))
        #expect(!words.contains("set it"))
    }

    /// A write may have been done when it fails: the directory's sync comes after the rename.
    @Test(arguments: [StorageError.Code.inputOutput, .noSpace, .accessDenied])
    func noFailureOfAWritePromisesTheEarlierValue(_ code: StorageError.Code) {
        #expect(!code.remedy.contains("intact"), "\(code): \(code.remedy)")
        #expect(!code.remedy.contains("untouched"), "\(code): \(code.remedy)")
    }

    /// Values in conflict are whole, and the app decides by setting one.
    @Test func conflictingSourcesAreUndecided() {
        let error = MigrationError.conflictingSources(key: "k", sources: ["a", "b"]).readError(of: ValueKey<String>("k"))
        #expect(error.code == .undecided)
        #expect(error.facts == ["the migration's sources disagree: a, b"])
        #expect(error.description.contains("Set a value to decide"))
    }
}
