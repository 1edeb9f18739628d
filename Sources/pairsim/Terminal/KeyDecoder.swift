/// A key that a person pressed.
enum Key: Equatable, Sendable {
    case character(Character)
    case enter, tab, backspace, delete, left, right, up, down, home, end
    /// Ctrl-C, Ctrl-D, Ctrl-U, Ctrl-K, Ctrl-W, Ctrl-L.
    case interrupt, endOfFile, clearBefore, clearAfter, clearWord, redraw
    /// Nothing that the editor knows.
    case other
}

/// Makes keys of the bytes that a terminal sends: ASCII, UTF-8, and the escape sequences of cursor keys. What it does not know it passes over.
struct KeyDecoder {
    private var pending: [UInt8] = []

    /// The keys that are complete with this byte.
    mutating func take(_ byte: UInt8) -> Key? {
        pending.append(byte)
        if pending[0] == 0x1B { return takeEscape() }
        if pending[0] >= 0x80 { return takeUnicode() }
        pending = []
        switch byte {
        case 0x01: return .home
        case 0x02: return .left
        case 0x03: return .interrupt
        case 0x04: return .endOfFile
        case 0x05: return .end
        case 0x06: return .right
        case 0x08, 0x7F: return .backspace
        case 0x09: return .tab
        case 0x0A, 0x0D: return .enter
        case 0x0B: return .clearAfter
        case 0x0C: return .redraw
        case 0x0E: return .down
        case 0x10: return .up
        case 0x15: return .clearBefore
        case 0x17: return .clearWord
        case 0..<0x20: return .other
        default: return .character(Character(Unicode.Scalar(byte)))
        }
    }

    /// `ESC [ A`, `ESC O A`, `ESC [ 3 ~`.
    private mutating func takeEscape() -> Key? {
        guard pending.count > 1 else { return nil }
        guard pending[1] == UInt8(ascii: "[") || pending[1] == UInt8(ascii: "O") else {
            pending = []
            return .other
        }
        guard pending.count > 2 else { return nil }
        let last = pending[pending.count - 1]
        // Parameters go on until a byte from @ to ~.
        guard (0x40...0x7E).contains(last) || pending.count > 16 else { return nil }
        let parameters = String(decoding: pending[2..<(pending.count - 1)], as: UTF8.self)
        pending = []
        switch (last, parameters) {
        case (UInt8(ascii: "A"), _): return .up
        case (UInt8(ascii: "B"), _): return .down
        case (UInt8(ascii: "C"), _): return .right
        case (UInt8(ascii: "D"), _): return .left
        case (UInt8(ascii: "H"), _), (UInt8(ascii: "~"), "1"), (UInt8(ascii: "~"), "7"): return .home
        case (UInt8(ascii: "F"), _), (UInt8(ascii: "~"), "4"), (UInt8(ascii: "~"), "8"): return .end
        case (UInt8(ascii: "~"), "3"): return .delete
        default: return .other
        }
    }

    private mutating func takeUnicode() -> Key? {
        let first = pending[0]
        let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1
        if pending.count > 1, pending[pending.count - 1] & 0xC0 != 0x80 {
            // The character is broken off: what came instead counts for itself.
            let byte = pending[pending.count - 1]
            pending = []
            return take(byte)
        }
        guard pending.count >= length else { return nil }
        let text = String(decoding: pending, as: UTF8.self)
        pending = []
        guard length > 1, text.count == 1, let character = text.first, character != "\u{FFFD}" else { return .other }
        return .character(character)
    }
}
