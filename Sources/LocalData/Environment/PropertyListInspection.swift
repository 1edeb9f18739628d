import Foundation

/// Looks over the bytes of a property list file before Foundation reads them.
///
/// Foundation trusts what it reads more than strangers' bytes deserve: a binary file whose containers refer to one container many times over is
/// expanded level upon level (a hundred bytes become gigabytes), one whose containers contain each other ends the process, and so does a decoder
/// on too deep nesting. What passes here costs Foundation time and memory in proportion to its bytes.
struct PropertyListInspection {
    /// The deepest nesting of containers that is let through: as deep as `JSONDecoder` goes.
    static let maximumNesting = 512

    /// - Throws: ``PropertyListValueError`` for what must not be read. Other damage is left to whoever reads.
    static func check(_ data: Data) throws {
        let bytes = [UInt8](data)
        if bytes.starts(with: "bplist".utf8) {
            var inspection = try BinaryPropertyListInspection(bytes)
            try inspection.check()
        } else if isXML(bytes) {
            try checkXML(bytes)
        } else {
            throw PropertyListValueError(keyPath: "", problem: "neither binary nor XML")
        }
    }

    static func problem(_ problem: String) -> PropertyListValueError { PropertyListValueError(keyPath: "", problem: problem) }

    // MARK: XML

    /// Whether the first character is a `<`, after white space and the byte order mark of UTF-8.
    private static func isXML(_ bytes: [UInt8]) -> Bool {
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        return text.first { !isBlank($0) } == UInt8(ascii: "<")
    }

    /// Counts how deep elements are nested, whatever their names, and lets nothing through that a reader may understand otherwise than this: no
    /// instructions after the first, no declarations of one's own, no attributes but those of `plist`. Text has no `<`; comments and CDATA sections
    /// may, and are passed over.
    private static func checkXML(_ bytes: [UInt8]) throws {
        var depth = 0
        var index = 0
        // Looked for once: a tag that begins there is the first of the file.
        let begin = bytes.firstIndex { !isBlank($0) && $0 <= 0x7F } ?? bytes.endIndex
        while let start = bytes[index...].firstIndex(of: UInt8(ascii: "<")) {
            let rest = bytes[start...]
            if rest.starts(with: "<!--".utf8) {
                index = end(of: "-->", in: bytes, from: start + 4)
            } else if rest.starts(with: "<![CDATA[".utf8) {
                index = end(of: "]]>", in: bytes, from: start + 9)
            } else {
                index = (rest.firstIndex(of: UInt8(ascii: ">")) ?? bytes.count - 1) + 1
                depth += try change(ofDepthBy: bytes[start..<index], isFirst: start == begin)
                guard depth <= maximumNesting else { throw problem("nested deeper than \(maximumNesting) levels") }
            }
        }
    }

    /// How much deeper it is after a tag, which is what lies between `<` and `>`.
    private static func change(ofDepthBy tag: ArraySlice<UInt8>, isFirst: Bool) throws -> Int {
        let name = tag.dropFirst().prefix { !isBlank($0) && !">/[".utf8.contains($0) }
        if tag.starts(with: "<?".utf8) {
            guard isFirst, name.elementsEqual("?xml".utf8) else { throw problem("an instruction within the XML") }
            return 0
        }
        if tag.starts(with: "<!".utf8) {
            guard name.elementsEqual("!DOCTYPE".utf8), !tag.contains(UInt8(ascii: "[")) else {
                throw problem("a declaration within the XML")
            }
            return 0
        }
        if tag.starts(with: "</".utf8) { return -1 }
        let attributes = tag.dropFirst(1 + name.count).filter { !isBlank($0) && !">/".utf8.contains($0) }
        guard attributes.isEmpty || name.elementsEqual("plist".utf8) else { throw problem("attributes of an element") }
        return tag.dropLast().last == UInt8(ascii: "/") ? 0 : 1
    }

    private static func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

    private static func end(of mark: StaticString, in bytes: [UInt8], from start: Int) -> Int {
        let count = mark.utf8CodeUnitCount
        var index = start
        while index + count <= bytes.count {
            if (0..<count).allSatisfy({ bytes[index + $0] == mark.utf8Start[$0] }) { return index + count }
            index += 1
        }
        return bytes.count
    }
}

/// What the containers of a binary property list file come to when they are expanded.
///
/// The file is a list of objects; a container names others by their numbers. Writers name every container once, so all that a reader makes of a file
/// is fewer values than the file has bytes.
struct BinaryPropertyListInspection {
    private let bytes: [UInt8]
    private let offsetSize: Int
    private let referenceSize: Int
    private let objectCount: Int
    private let top: Int
    private let offsetTable: Int

    /// How many values each object comes to, itself included; 0 before that is known.
    private var valueCounts: [Int]
    private var isOpen: [Bool]
    private var referenceCount = 0

    /// Reads the trailer, the last 32 bytes.
    init(_ bytes: [UInt8]) throws {
        guard bytes.count >= 40 else { throw PropertyListInspection.problem("the binary file is cut off") }
        let trailer = bytes.count - 32
        self.bytes = bytes
        offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
            let objectCount = Self.integer(in: bytes, at: trailer + 8, size: 8),
            let top = Self.integer(in: bytes, at: trailer + 16, size: 8),
            let offsetTable = Self.integer(in: bytes, at: trailer + 24, size: 8),
            (1...bytes.count).contains(objectCount), top < objectCount, offsetTable <= trailer,
            objectCount <= (trailer - offsetTable) / offsetSize
        else { throw PropertyListInspection.problem("the binary file's trailer is damaged") }
        self.objectCount = objectCount
        self.top = top
        self.offsetTable = offsetTable
        valueCounts = Array(repeating: 0, count: objectCount)
        isOpen = Array(repeating: false, count: objectCount)
    }

    /// Walks the containers from the outermost one, each once.
    mutating func check() throws {
        var stack = [(object: top, references: try references(of: top), next: 0)]
        isOpen[top] = true
        while let (object, references, next) = stack.last {
            guard next < references.count else {
                try close(object, references)
                stack.removeLast()
                continue
            }
            stack[stack.count - 1].next += 1
            let child = references[next]
            guard valueCounts[child] == 0 else { continue }
            guard !isOpen[child] else { throw PropertyListInspection.problem("a container contains itself") }
            guard stack.count <= PropertyListInspection.maximumNesting else {
                throw PropertyListInspection.problem("nested deeper than \(PropertyListInspection.maximumNesting) levels")
            }
            isOpen[child] = true
            stack.append((child, try self.references(of: child), 0))
        }
    }

    private mutating func close(_ object: Int, _ references: [Int]) throws {
        isOpen[object] = false
        var count = 1
        for child in references {
            // Neither term exceeds the number of bytes.
            count += valueCounts[child]
            guard count <= bytes.count else { throw PropertyListInspection.problem("more values than its bytes can hold") }
        }
        valueCounts[object] = count
    }

    /// The objects that an object names: none, unless it is a container.
    private mutating func references(of object: Int) throws -> [Int] {
        guard let offset = Self.integer(in: bytes, at: offsetTable + object * offsetSize, size: offsetSize), offset < offsetTable else {
            throw PropertyListInspection.problem("the binary file's offsets are damaged")
        }
        let marker = bytes[offset]
        switch marker >> 4 {
        // Booleans, numbers, dates, data, text.
        case 0 where marker == 0x08 || marker == 0x09, 1...7: return []
        case 0xA, 0xD: break
        // Null, sets and the references of archives. Foundation's reader knows them and crashes on some.
        default: throw PropertyListInspection.problem("an object of a kind that property lists do not have")
        }
        var start = offset + 1
        var count = Int(marker & 0xF)
        if count == 0xF {
            guard start < offsetTable, bytes[start] >> 4 == 1 else {
                throw PropertyListInspection.problem("a container's length is damaged")
            }
            let size = 1 << Int(bytes[start] & 0xF)
            guard size <= 8, let length = Self.integer(in: bytes, at: start + 1, size: size) else {
                throw PropertyListInspection.problem("a container's length is damaged")
            }
            count = length
            start += 1 + size
        }
        guard count <= bytes.count / (marker >> 4 == 0xD ? 2 : 1) else {
            throw PropertyListInspection.problem("a container's length is damaged")
        }
        if marker >> 4 == 0xD { count *= 2 }
        referenceCount += count
        // Containers that share their references take no bytes of their own either.
        guard start <= offsetTable, count <= (offsetTable - start) / referenceSize, referenceCount <= bytes.count else {
            throw PropertyListInspection.problem("more values than its bytes can hold")
        }
        return try (0..<count).map { index in
            guard let child = Self.integer(in: bytes, at: start + index * referenceSize, size: referenceSize), child < objectCount else {
                throw PropertyListInspection.problem("a container names an object that is not there")
            }
            return child
        }
    }

    /// A big-endian number; `nil` where it is not within the bytes or too large.
    private static func integer(in bytes: [UInt8], at start: Int, size: Int) -> Int? {
        guard start >= 0, size <= bytes.count, start <= bytes.count - size else { return nil }
        var number: UInt64 = 0
        for index in start..<start + size { number = number << 8 | UInt64(bytes[index]) }
        return Int(exactly: number)
    }
}
