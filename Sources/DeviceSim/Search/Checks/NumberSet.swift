/// A set of small numbers, as bits.
struct NumberSet: Sendable, Hashable {
    private var words: [UInt64] = []

    init() {}

    init(_ numbers: some Sequence<Int>) {
        for number in numbers { insert(number) }
    }

    func contains(_ number: Int) -> Bool {
        let word = number >> 6
        return word < words.count && words[word] & (1 << UInt64(number & 63)) != 0
    }

    mutating func insert(_ number: Int) {
        let word = number >> 6
        while words.count <= word { words.append(0) }
        words[word] |= 1 << UInt64(number & 63)
    }

    mutating func formUnion(_ other: NumberSet) {
        while words.count < other.words.count { words.append(0) }
        for index in other.words.indices { words[index] |= other.words[index] }
    }

    /// From the lowest on.
    var numbers: [Int] {
        words.indices.flatMap { word in (0..<64).filter { words[word] & (1 << UInt64($0)) != 0 }.map { word * 64 + $0 } }
    }
}
