import DeviceSim
import Testing

@testable import DeviceSimCore

@Suite struct DiskPathTests {
    @Test func takesNormalizedPathsApart() {
        #expect(DiskPath.plainComponents(of: "/Containers/Data/a b.txt") == ["Containers", "Data", "a b.txt"])
        #expect(DiskPath.plainComponents(of: "/...") == ["..."])
    }

    @Test(arguments: ["", "a", "/", "//", "/a/", "/a//b", "/./a", "/a/..", "/ä", "/a\0b"]) func leavesOtherPaths(_ path: String) {
        #expect(DiskPath.plainComponents(of: path) == nil)
    }

    @Test(arguments: [(255, true), (256, false)]) func leavesNamesThatAreTooLong(_ count: Int, _ isTaken: Bool) {
        #expect((DiskPath.plainComponents(of: "/" + String(repeating: "a", count: count)) != nil) == isTaken)
    }

    @Test func joinsWhatItTookApart() throws {
        for path in ["/", "/a", "/a/b c/d"] {
            #expect(DiskPath.joined(try DiskPath.components(of: path, operation: "open")) == path)
        }
    }
}
