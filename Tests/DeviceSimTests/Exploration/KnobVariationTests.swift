import DeviceSim
import Testing

@testable import DeviceSimCore
@testable import DeviceSimSearch

/// What is not known of real devices is drawn, and what a scenario file says about it is kept.
@Suite struct KnobVariationTests {
    @Test func everyKnobThatIsVariedExistsAndIsVaried() {
        var varied: Set<String> = []
        for seed in 0..<200 {
            var random = SeededGenerator(seed: UInt64(seed))
            var knobs = Knobs()
            KnobVariation.vary(&knobs, &random)
            for knob in Knobs.table where knobs[knob] != Knobs()[knob] { varied.insert(knob.name) }
        }
        #expect(varied == Set(KnobVariation.names))
    }

    /// A new knob is varied, or says why not.
    @Test func everyKnobIsVariedOrLeftAloneForAReason() {
        let leftAlone = KnobVariation.leftAlone.flatMap(\.names)
        #expect((Set(KnobVariation.names).sorted() + leftAlone).sorted() == Knobs.table.map(\.name))
    }

    @Test func whatAFileSaysStays() {
        for seed in 0..<200 {
            var random = SeededGenerator(seed: UInt64(seed))
            var knobs = Knobs()
            knobs.activationLatency = .seconds(7)
            knobs.lockGrace = .seconds(7)
            KnobVariation.vary(&knobs, &random)
            #expect(knobs.activationLatency == .seconds(7) && knobs.lockGrace == .seconds(7))
        }
    }
}
