import TestSupport
import Testing

extension Golden {
    /// Expects the text to be that of a file beside these tests.
    static func check(_ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation) {
        Golden(name, in: "Tests/pairsimTests/Goldens").check(text, sourceLocation: sourceLocation)
    }
}
