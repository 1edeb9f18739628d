/// A binary property list file made by hand: its objects may name each other as no honest writer lets them.
public struct ForgedPropertyList: Sendable {
    public enum Object: Sendable {
        case string(String)
        case integer(Int64)
        case real(Double)
        case bool(Bool)
        case date(Double)
        case data([UInt8])
        /// Containers name objects by their numbers, also by those that are not there.
        case array([Int])
        case dictionary([Int], [Int])
    }

    public private(set) var objects: [Object] = []

    public init() {}

    /// - Returns: the object's number.
    public mutating func add(_ object: Object) -> Int {
        objects.append(object)
        return objects.count - 1
    }

    /// Arrays within arrays, each naming the next one twice: values double at every level, bytes do not.
    public static func doubling(levels: Int, dictionaries: Bool = false) -> [UInt8] {
        var file = ForgedPropertyList()
        let keys = [file.add(.string("a")), file.add(.string("b"))]
        for level in 0..<levels {
            let next = level + 3
            _ = file.add(dictionaries ? .dictionary(keys, [next, next]) : .array([next, next]))
        }
        _ = file.add(.string("leaf"))
        return file.bytes(top: 2)
    }

    /// Containers that name any objects, themselves included.
    public static func graph(_ random: inout FuzzGenerator) -> [UInt8] {
        var file = ForgedPropertyList()
        let count = 1 + random.below(random.below(3) == 0 ? 300 : 12)
        for number in 0..<count {
            func reference() -> Int { random.below(4) == 0 ? random.below(count + 1) : min(count - 1, number + 1 + random.below(3)) }
            let width = random.below(4)
            switch random.below(8) {
            case 0: _ = file.add(.string(random.element(of: ["", "a", "b", "key", "é"])))
            case 1: _ = file.add(.integer(random.element(of: [0, 1, -1, .max, .min])))
            case 2: _ = file.add(.data(random.bytes(random.below(20))))
            case 3: _ = file.add(.dictionary((0..<width).map { _ in reference() }, (0..<width).map { _ in reference() }))
            default: _ = file.add(.array((0..<width).map { _ in reference() }))
            }
        }
        return file.bytes(top: 0)
    }

    public func bytes(top: Int) -> [UInt8] {
        let referenceSize = objects.count < 255 ? 1 : 2
        var file = Array("bplist00".utf8)
        var offsets: [Int] = []
        for object in objects {
            offsets.append(file.count)
            file += bytes(of: object, referenceSize: referenceSize)
        }
        let table = file.count
        for offset in offsets { file += Self.integer(offset, size: 4) }
        file += [0, 0, 0, 0, 0, 0, 4, UInt8(referenceSize)]
        file += Self.integer(objects.count, size: 8) + Self.integer(top, size: 8) + Self.integer(table, size: 8)
        return file
    }

    private func bytes(of object: Object, referenceSize: Int) -> [UInt8] {
        func references(_ numbers: [Int]) -> [UInt8] { numbers.flatMap { Self.integer($0, size: referenceSize) } }
        switch object {
        case .string(let string) where string.utf8.allSatisfy { $0 < 0x80 }: return Self.head(0x50, string.utf8.count) + Array(string.utf8)
        case .string(let string): return Self.head(0x60, string.utf16.count) + string.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        case .integer(let integer): return [0x13] + Self.integer(Int(truncatingIfNeeded: integer), size: 8)
        case .real(let double): return [0x23] + Self.integer(Int(bitPattern: UInt(double.bitPattern)), size: 8)
        case .bool(let bool): return [bool ? 0x09 : 0x08]
        case .date(let seconds): return [0x33] + Self.integer(Int(bitPattern: UInt(seconds.bitPattern)), size: 8)
        case .data(let data): return Self.head(0x40, data.count) + data
        case .array(let numbers): return Self.head(0xA0, numbers.count) + references(numbers)
        case .dictionary(let keys, let values): return Self.head(0xD0, keys.count) + references(keys) + references(values)
        }
    }

    private static func head(_ marker: UInt8, _ count: Int) -> [UInt8] {
        count < 15 ? [marker | UInt8(count)] : [marker | 0xF, 0x12] + integer(count, size: 4)
    }

    private static func integer(_ number: Int, size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: number >> (8 * (size - 1 - $0))) }
    }
}
