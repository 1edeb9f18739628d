/// Finds the word that was meant.
enum Suggestion {
    /// The known word that is closest to what was typed; `nil` when none is close enough to be worth saying.
    static func closest(to typed: String, among known: some Sequence<String>) -> String? {
        guard !typed.isEmpty, typed.count <= 64 else { return nil }
        let wanted = Array(typed.lowercased())
        var best: (word: String, distance: Int)?
        for word in known {
            let candidate = Array(word.lowercased())
            let distance = distance(wanted, candidate)
            let isStart = wanted.count >= 2 && candidate.starts(with: wanted)
            // A third of the letters may be wrong, one at least; a word that only lacks its end is always close.
            guard isStart || distance <= max(1, max(wanted.count, candidate.count) / 3) else { continue }
            if distance < best?.distance ?? .max {
                best = (word, distance)
            }
        }
        return best?.word
    }

    /// Insertions, deletions, replacements and swaps of neighbours.
    private static func distance(_ from: [Character], _ to: [Character]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...to.count)
        for (row, letter) in from.enumerated() {
            var current = [row + 1]
            for (column, other) in to.enumerated() {
                var cost = min(last[column] + (letter == other ? 0 : 1), last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, letter == to[column - 1], from[row - 1] == other {
                    cost = min(cost, beforeLast[column - 1] + 1)
                }
                current.append(cost)
            }
            beforeLast = last
            last = current
        }
        return last[to.count]
    }
}
