import DeviceSim
import Testing

@testable import DeviceSimCore

@Suite struct KnobTableTests {
    @Test func theTableHasEveryKnobOnceAndInOrder() throws {
        let properties = Mirror(reflecting: Knobs()).children.compactMap(\.label)
        let named = try Knobs.table.flatMap { try Self.differing(Self.changed($0).knobs) }
        #expect(named.sorted() == properties.sorted(), "add what is missing to Knobs+Table.swift")
        #expect(Knobs.table.map(\.name) == Knobs.table.map(\.name).sorted())
        #expect(Set(Knobs.table.map(\.name)).count == Knobs.table.count)
    }

    @Test(arguments: Knobs.table.indices)
    func eachEntrySetsOnePropertyAndNoOther(_ index: Int) throws {
        let knob = Knobs.table[index]
        var (changed, setting) = try Self.changed(knob)
        #expect(changed[knob] == setting)
        #expect(Self.differing(changed).count == 1)
        #expect(Knobs.descriptor(named: knob.name)?.meaning == knob.meaning)
        let isOfAnotherKind = changed.set(knob, to: setting == .flag(true) || setting == .flag(false) ? .bytes(1) : .flag(true))
        #expect(!isOfAnotherKind)
    }

    /// The defaults but for one knob.
    private static func changed(_ knob: Knobs.Descriptor) throws -> (knobs: Knobs, setting: Knobs.Setting) {
        let standard = Knobs()
        var changed = standard
        let setting: Knobs.Setting =
            switch standard[knob] {
            case .duration(let value): .duration(value == .zero ? .seconds(1) : .zero)
            case .flag(let value): .flag(!value)
            case .bytes(let value): .bytes(value + 1)
            case .count(let value): .count(value + 1)
            case .status(let value): .status(try #require(statuses(of: knob).first { $0 != value }))
            case .choice(let name): .choice(try #require(names(of: knob).first { $0 != name }))
            }
        let isSet = changed.set(knob, to: setting)
        #expect(isSet)
        return (changed, setting)
    }

    /// The properties that are not at their defaults.
    private static func differing(_ changed: Knobs) -> [String] {
        zip(Mirror(reflecting: Knobs()).children, Mirror(reflecting: changed).children)
            .filter { "\($0.value)" != "\($1.value)" }.compactMap(\.0.label)
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
