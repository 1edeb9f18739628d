/// A replacement of some bytes of a source. It has no line break, so that everything stays on its line.
struct SourceEdit: Equatable {
    let range: Range<Int>
    let text: String
}

extension [SourceEdit] {
    /// The source with all of the edits, which do not overlap, made.
    func applied(to source: String) -> String {
        let bytes = Array<UInt8>(source.utf8)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + 64 * count)
        var position = 0
        for edit in sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            result += bytes[position..<edit.range.lowerBound]
            result += Array<UInt8>(edit.text.utf8)
            position = edit.range.upperBound
        }
        result += bytes[position...]
        return String(decoding: result, as: UTF8.self)
    }
}
