import Foundation
import Testing

@testable import LocalData

/// The version of what is made of several values that synced.
@Suite struct LegacyVersionTests {
    private static func version(
        _ place: String, _ counter: UInt64, _ device: String = "phone", content: EarlierVersion.Content = .value, isReduced: Bool = false,
        isSameName: Bool = false
    ) -> EarlierVersion {
        EarlierVersion(
            place: place, stamp: SyncStamp(counter: counter, device: device), isSameName: isSameName, isReduced: isReduced, content: content
        )
    }

    private static func found(_ versions: [EarlierVersion]) -> SyncStamp {
        .found(as: LegacyVersion(combining: versions), on: "here")
    }

    /// Whichever source is edited, on whichever device, what is made of it is later. The order in which sources are listed is none.
    @Test(arguments: 1...4 as ClosedRange<UInt64>, 1...4 as ClosedRange<UInt64>)
    func anEditOfAnySourceMakesALaterVersion(first: UInt64, last: UInt64) {
        let before = Self.found([Self.version("first", first), Self.version("last", last)])
        #expect(before == Self.found([Self.version("last", last), Self.version("first", first)]))
        for device in ["phone", "watch"] {
            #expect(before < Self.found([Self.version("first", first + 1, device), Self.version("last", last)]))
            #expect(before < Self.found([Self.version("first", first), Self.version("last", last + 1, device)]))
            #expect(before < Self.found([Self.version("first", first), Self.version("last", last + 1, device, content: .deleted)]))
        }
        #expect(before < SyncStamp(counter: 1, device: ""))
    }

    /// Who removed all sources knew of what was made of them before, and removed that.
    @Test func theRemovalOfAllSourcesIsLater() throws {
        let made = Self.found([Self.version("first", 1), Self.version("last", 1)])
        let removed = [Self.version("first", 2, content: .deleted), Self.version("last", 2, content: .deleted)]
        let removal = try #require(LegacyVersion(ofRemovals: removed))
        #expect(made < .found(as: removal, on: "here"))
        #expect(
            SyncStamp.found(as: removal, on: "here") < Self.found([Self.version("first", 3), Self.version("last", 2, content: .deleted)]))
        #expect(LegacyVersion(ofRemovals: [removed[0], Self.version("last", 1)]) == nil)
        #expect(LegacyVersion(ofRemovals: [removed[0], Self.version("last", 1, content: .gone)]) == nil)
        #expect(LegacyVersion(ofRemovals: []) == nil)
    }

    /// Two versions are equal only where those of all sources are.
    @Test func equalSumsOfOtherVersionsAreOtherVersions() {
        let stamps = [(1, 3), (2, 2), (3, 1)].map { Self.found([Self.version("first", $0), Self.version("last", $1)]) }
        #expect(Set(stamps).count == 3)
        #expect(
            Self.found([Self.version("a", 1, "phone"), Self.version("b", 1)])
                != Self.found([Self.version("a", 1, "watch"), Self.version("b", 1)]))
    }

    @Test func oneSourceKeepsItsVersionAndWhatIsGoneHasNone() {
        let one = Self.found([Self.version("first", 5), Self.version("last", 7, content: .gone)])
        #expect(one == SyncStamp(counter: 0, device: "~0000000000000005.phone"))
        #expect(LegacyVersion(combining: [Self.version("first", 5, content: .deleted)]) == nil)
        #expect(LegacyVersion(combining: []) == nil)
    }

    @Test func aSmallerPartMakesASmallerForm() {
        #expect(LegacyVersion(combining: [Self.version("a", 1), Self.version("b", 1, isReduced: true)])?.isReduced == true)
        #expect(LegacyVersion(combining: [Self.version("a", 1)])?.isReduced == false)
    }

    /// Another lineage counts from 1 again, and comes after.
    @Test func anEndedLineageIsEarlier() {
        let later = "^0123456789abcdef.phone"
        #expect(Self.found([Self.version("a", 9_000)]) < Self.found([Self.version("a", 1, later)]))
        #expect(
            Self.found([Self.version("a", 9_000), Self.version("b", 1)]) < Self.found([Self.version("a", 1, later), Self.version("b", 1)]))
    }

    /// The destination's own value in an older form: what is added comes right after that version, before the next edit.
    @Test func whatIsAddedToAVersionOfItsOwnComesRightAfterIt() {
        let own = Self.version("name", 4, isSameName: true)
        let combined = Self.found([own, Self.version("last", 2)])
        #expect(own.stamp < combined && combined < SyncStamp(counter: 5, device: "a"))
        #expect(Self.found([own]) == own.stamp)
    }

    /// What a migration renamed counts from the beginning again under the new name. An edit before that, and one after it, makes a later version all the same.
    @Test func editsOfRenamedSourcesCount() {
        func renamed(_ counter: UInt64, _ device: String = "phone", times: Int = 1) -> SyncStamp {
            (0..<times).reduce(SyncStamp(counter: counter, device: device)) { stamp, _ in
                .found(as: LegacyVersion(stamp: stamp, isSameName: false), on: "here")
            }
        }
        func made(_ first: SyncStamp, _ last: SyncStamp, isRemoved: Bool = false) -> SyncStamp {
            Self.found([
                Self.version("first", first.counter, first.device),
                Self.version("last", last.counter, last.device, content: isRemoved ? .deleted : .value),
            ])
        }
        for times in 1...3 {
            for (first, last) in [(1, 1), (7, 2), (2, 7)] as [(UInt64, UInt64)] {
                let before = made(renamed(first, times: times), renamed(last, times: times))
                for device in ["a", "watch"] {
                    #expect(before < made(renamed(first + 1, device, times: times), renamed(last, times: times)))
                    #expect(before < made(renamed(first, times: times), renamed(last + 1, device, times: times)))
                    #expect(before < made(renamed(first, times: times), renamed(last + 1, device, times: times), isRemoved: true))
                    let edited = made(SyncStamp(counter: 1, device: device), renamed(last, times: times))
                    #expect(before < edited)
                    #expect(edited < made(SyncStamp(counter: 1, device: device), renamed(1, device, times: times - 1)))
                }
            }
        }
        #expect(made(renamed(1), renamed(2)).device.hasPrefix("~0000000000000000.~0000000000000003."))
        // Where no part was renamed it is what it was before that counted.
        #expect(made(SyncStamp(counter: 1, device: "phone"), SyncStamp(counter: 2, device: "phone")).device.utf8.count == 18 + 32)
    }

    /// A value that keeps its name, and to which update after update adds a part.
    @Test func stampsGrowBySteps() {
        var stamp = SyncStamp(counter: 3, device: "phone")
        for step in 1...20 {
            stamp = Self.found([Self.version("name", stamp.counter, stamp.device, isSameName: true), Self.version("part", 1)])
            #expect(stamp.device.utf8.count == 5 + step * 50)
        }
    }

    @Test func stampsStayShort() {
        let many = (0..<200).map { Self.version("source \($0)", .max, "^0123456789abcdef,0123456789abcdef.device") }
        #expect(Self.found(many).device.utf8.count <= SnapshotLimits.maximumDeviceLength)
    }
}
