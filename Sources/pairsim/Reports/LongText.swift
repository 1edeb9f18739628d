/// Texts that no terminal shows at once, such as a value of a hundred thousand letters. Reports for programs have the whole.
enum LongText {
    /// What is shown of a text at most, in characters: some ten lines.
    static let limit = 800
    private static let part = 240

    /// What is shown of two texts: of a long one its beginning, what stands where the other one differs first, and how long it is.
    static func shown(_ one: String?, besides other: String?) -> String? {
        guard let one else { return nil }
        let count = one.count
        guard count > limit else { return one }
        let difference = other.map { zip(one, $0).prefix { $0 == $1 }.count }
        let beginning = one.prefix(part)
        var pieces = ["\(beginning) …"]
        if let difference, difference >= part, difference < count {
            let start = difference - 40
            let piece = one.dropFirst(start).prefix(part)
            pieces.append("… \(piece)\(start + piece.count < count ? " …" : "")")
        }
        let place = difference.map { $0 < count && $0 >= part ? "; what differs first is character \($0 + 1)" : "" } ?? ""
        return (pieces + ["(\(count) characters\(place); a report has them all: --report json=FILE)"]).joined(separator: "\n")
    }
}
