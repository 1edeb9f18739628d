import Foundation
import LocalData
import Testing

@testable import DeviceSimCore

/// What a counterpart that lies makes of its snapshot.
@Suite struct ContextForgeryTests {
    private static let entry = PropertyListValue.dictionary(["counter": .integer(3), "device": .string("d"), "value": .data(Data([1]))])

    /// As LocalData's counterpart says it, with the app's own context beside it.
    private static let said: [String: PropertyListValue] = [
        "own": .string("of the app"),
        SyncSnapshot.entryKey: .dictionary([
            "sequence": .integer(4), "content": .integer(4), "epoch": .string("e"),
            "acknowledged": .dictionary(["epoch": .string("f"), "sequence": .integer(2), "content": .integer(2)]),
            "entries": .dictionary(["a": entry, "b": entry]), "omitted": .array([.string("c")]),
            "omittedVersions": .dictionary(["c": .dictionary(["counter": .integer(9), "device": .string("d")])]),
        ]),
    ]

    private static func forged(_ lie: CounterpartLie) -> [String: PropertyListValue]? {
        ContextForgery(said: said, saidFirst: said, own: [:]).forged(lie)
    }

    /// Members of a later version stand on each level that has members of LocalData's own, and take the place of none.
    @Test func additionsStandOnEveryLevel() throws {
        var count = 0
        func reduced(_ value: PropertyListValue, named name: String) -> PropertyListValue {
            guard case .dictionary(var members) = value else { return value }
            // The names of these are those of keys.
            if name == "entries" || name == "omittedVersions" {
                #expect(members["later"] == nil)
            } else {
                #expect(members.removeValue(forKey: "later") != nil, "\(name)")
                count += 1
            }
            for (name, member) in members { members[name] = reduced(member, named: name) }
            return .dictionary(members)
        }
        let forged = try #require(Self.forged(.additions))
        #expect(reduced(.dictionary(forged), named: "context") == .dictionary(Self.said))
        #expect(count == 6)
    }

    /// Every other one is no truth; `repeat` is an old one, and here there is none but the first.
    @Test(arguments: CounterpartLie.allCases) func whatIsFalseDiffers(lie: CounterpartLie) throws {
        #expect((try #require(Self.forged(lie)) == Self.said) == (lie == .repeat))
    }

    /// Of who said nothing nothing can be falsified.
    @Test(arguments: CounterpartLie.allCases) func nothingIsMadeOfNothing(lie: CounterpartLie) {
        #expect(ContextForgery(said: ["own": .string("of the app")], saidFirst: [:], own: [:]).forged(lie) == nil)
    }
}
