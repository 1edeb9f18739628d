import DeviceSim
import Testing

@testable import DeviceSimCore

@Suite struct KnobTableTests {
    @Test func theTableHasEveryKnobOnceAndInOrder() {
        let properties = Mirror(reflecting: Knobs()).children.compactMap(\.label)
        #expect(Knobs.table.map(\.property).sorted() == properties.sorted(), "add what is missing to Knobs+Table.swift")
        #expect(Knobs.table.map(\.name) == Knobs.table.map(\.name).sorted())
        #expect(Set(Knobs.table.map(\.name)).count == Knobs.table.count)
    }

    @Test(arguments: Knobs.table.indices)
    func eachEntrySetsItsOwnPropertyAndNoOther(_ index: Int) throws {
        let knob = Knobs.table[index]
        let standard = Knobs()
        var changed = standard
        let setting: Knobs.Setting =
            switch standard[knob] {
            case .duration(let value): .duration(value == .zero ? .seconds(1) : .zero)
            case .flag(let value): .flag(!value)
            case .bytes(let value): .bytes(value + 1)
            case .count(let value): .count(value + 1)
            case .status(let value): .status(try #require(Self.statuses(of: knob).first { $0 != value }))
            case .choice(let name): .choice(try #require(Self.names(of: knob).first { $0 != name }))
            }
        let isSet = changed.set(knob, to: setting)
        #expect(isSet)
        #expect(changed[knob] == setting)
        let differing = zip(Mirror(reflecting: standard).children, Mirror(reflecting: changed).children)
            .filter { "\($0.value)" != "\($1.value)" }.compactMap(\.0.label)
        #expect(differing == [knob.property])
        #expect(Knobs.descriptor(named: knob.name)?.property == knob.property)
        let isOfAnotherKind = changed.set(knob, to: setting == .flag(true) || setting == .flag(false) ? .bytes(1) : .flag(true))
        #expect(!isOfAnotherKind)
    }

    private static func names(of knob: Knobs.Descriptor) -> [String] {
        guard case .choice(let names, _, _) = knob.field else { return [] }
        return names
    }

    private static func statuses(of knob: Knobs.Descriptor) -> [KeychainStatusName] {
        guard case .status(_, let statuses) = knob.field else { return [] }
        return statuses
    }
}
