import DeviceSim
import Foundation
import Testing

/// Every operation of LocalData, cut short before every one of its storage operations on a simulated device, relaunched, recovered, and held against
/// the laws of ``CrashLaw``. The numbers of crash points are printed.
///
/// ```sh
/// swift test --filter CrashTests                      # points that leave something of their own; a few second crashes
/// CRASH_POINTS=all swift test --filter CrashTests     # every kind of crash at every point, every pair of first and second crash
/// ```
@Suite struct CrashTests {
    static let extent: CrashCampaign.Extent = ProcessInfo.processInfo.environment["CRASH_POINTS"] == "all" ? .full : .usual

    @Test(arguments: CrashOperation.groups) func nothingIsLost(_ group: CrashOperation.Group) async {
        let results = await withTaskGroup(of: (Int, CrashCampaign.Result).self) { tasks in
            for (index, operation) in group.operations.enumerated() {
                tasks.addTask { (index, CrashCampaign(operation: operation, extent: Self.extent).run()) }
            }
            return await tasks.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
        }
        CrashReport.shared.add(results, of: group.name)
        for result in results {
            #expect(result.firstCrashes >= 3, "\(result.operation) has no storage operation to be cut short at")
            for violation in result.violations { Issue.record("\(violation)") }
        }
    }

    @Test func namesTellOperationsApart() {
        let names = CrashOperation.groups.flatMap { $0.operations.map(\.name) }
        #expect(Set(names).count == names.count)
        #expect(names.count > 100)
    }
}
