import Foundation
import Testing

@testable import DeviceSim

@Suite struct SpecimenTable {
    static let seconds = ProcessInfo.processInfo.environment["SPECIMEN_SECONDS"].flatMap(Double.init)

    @Test(.enabled(if: seconds != nil)) func table() throws {
        for specimen in Specimen.all {
            var line = specimen.name
            for strategy in [OrderStrategy.fifo, .random, .pct] {
                let explorer = specimen.explorer(strategies: [strategy])
                let begin = ContinuousClock.now
                let found = specimen.find(with: explorer, limit: .max) { ContinuousClock.now - begin > .seconds(Self.seconds ?? 1) }
                let time = ContinuousClock.now - begin
                if let found {
                    let shrinkBegin = ContinuousClock.now
                    let small = explorer.shrink(found.index, replay: "replay")
                    line += " | \(strategy.rawValue) \(found.index + 1) runs \(time) \(found.breach.promise) \(small?.stepCount ?? -1) steps \(small?.isConfirmed ?? false) in \(ContinuousClock.now - shrinkBegin)"
                    if strategy == .fifo { line += "\n" + (small?.text ?? "") }
                } else {
                    line += " | \(strategy.rawValue) -"
                }
            }
            print(line)
        }
    }

    @Test(.enabled(if: seconds != nil)) func control() throws {
        for specimen in [Specimen.handmade[0], Specimen.localData[0]] {
            var options = Explorer.Options(world: specimen.world)
            options.run = specimen.right
            let explorer = Explorer(options)
            let begin = ContinuousClock.now
            var index = 0
            while ContinuousClock.now - begin < .seconds(4 * (Self.seconds ?? 1)) {
                if let breach = explorer.run(index).breach {
                    print("CONTROL \(specimen.name) run \(index): \(breach.promise) \(breach.explanation)")
                    print(explorer.shrink(index, replay: "x")?.text ?? "")
                    break
                }
                index += 1
            }
            print("CONTROL \(specimen.name): \(index) runs")
        }
    }
}
