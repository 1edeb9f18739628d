/// A line that a person writes, with its history: keys in, what is to be shown out. It knows no terminal.
struct LineEditor {
    private(set) var text: [Character] = []
    private(set) var cursor = 0
    /// Oldest first.
    private(set) var history: [String]
    /// The place in the history that is shown; its count for the line that is being written.
    private var recalled: Int
    /// What was being written before something of the history was shown.
    private var draft: [Character] = []
    /// The candidates for the word at the cursor.
    private let complete: (String) -> [String]

    static let historyLimit = 1_000
    static let lengthLimit = 10_000

    enum Effect: Equatable {
        /// The line is to be shown again.
        case redraw
        case nothing
        /// The line is complete.
        case line(String)
        /// Several candidates, to be shown.
        case candidates([String])
        /// Ctrl-C: the line is dropped.
        case dropped
        /// Ctrl-D on an empty line.
        case ended
        case clearScreen
    }

    /// - Parameter complete: Given the text before the cursor, whole words that may stand in place of its last one.
    init(history: [String] = [], complete: @escaping (String) -> [String] = { _ in [] }) {
        self.history = history
        recalled = history.count
        self.complete = complete
    }

    var line: String { String(text) }
    var beforeCursor: String { String(text[..<cursor]) }

    mutating func take(_ key: Key) -> Effect {
        switch key {
        case .character(let character):
            guard text.count < Self.lengthLimit else { return .nothing }
            text.insert(character, at: cursor)
            cursor += 1
        case .enter: return finish()
        case .tab: return completeWord()
        case .backspace:
            guard cursor > 0 else { return .nothing }
            cursor -= 1
            text.remove(at: cursor)
        case .delete:
            guard cursor < text.count else { return .nothing }
            text.remove(at: cursor)
        case .left: cursor = max(0, cursor - 1)
        case .right: cursor = min(text.count, cursor + 1)
        case .home: cursor = 0
        case .end: cursor = text.count
        case .up: recall(recalled - 1)
        case .down: recall(recalled + 1)
        case .clearBefore:
            text.removeFirst(cursor)
            cursor = 0
        case .clearAfter: text.removeLast(text.count - cursor)
        case .clearWord:
            var start = cursor
            while start > 0, text[start - 1].isWhitespace { start -= 1 }
            while start > 0, !text[start - 1].isWhitespace { start -= 1 }
            text.removeSubrange(start..<cursor)
            cursor = start
        case .interrupt:
            reset()
            return .dropped
        case .endOfFile:
            guard text.isEmpty else { return take(.delete) }
            return .ended
        case .redraw: return .clearScreen
        case .other: return .nothing
        }
        return .redraw
    }

    private mutating func finish() -> Effect {
        let line = self.line
        if !line.allSatisfy(\.isWhitespace), history.last != line {
            history.append(line)
            if history.count > Self.historyLimit { history.removeFirst(history.count - Self.historyLimit) }
        }
        reset()
        return .line(line)
    }

    private mutating func reset() {
        text = []
        draft = []
        cursor = 0
        recalled = history.count
    }

    private mutating func recall(_ place: Int) {
        guard (0...history.count).contains(place) else { return }
        if recalled == history.count { draft = text }
        recalled = place
        text = place == history.count ? draft : Array(history[place])
        cursor = text.count
    }

    private mutating func completeWord() -> Effect {
        let candidates = complete(beforeCursor)
        guard let first = candidates.first else { return .nothing }
        let word = text[..<cursor].reversed().prefix { !$0.isWhitespace }.count
        let common = candidates.dropFirst().reduce(Array(first)) { common, candidate in
            Array(zip(common, candidate).prefix { $0 == $1 }.map(\.0))
        }
        guard common.count > word || candidates.count == 1 else { return .candidates(candidates) }
        text.replaceSubrange((cursor - word)..<cursor, with: common)
        cursor += common.count - word
        if candidates.count == 1, cursor == text.count || text[cursor] != " " {
            text.insert(" ", at: cursor)
            cursor += 1
        }
        return .redraw
    }
}
