/// Where spaces stand between tokens.
enum TokenSpacing {
    static func text(of tokens: some Sequence<Token>) -> String {
        var text = ""
        var last: Token?
        for token in tokens {
            if let last, needsSpace(between: last, and: token) { text += " " }
            text += token.text
            last = token
        }
        return text
    }

    private static func needsSpace(between left: Token, and right: Token) -> Bool {
        if right.kind == .sign {
            switch right.text {
            case ",", ":", ")", "]", "}": return false
            case "(": return left.kind != .word
            default: break
            }
        }
        if left.kind == .sign {
            switch left.text {
            case "(", "[", "{": return false
            default: break
            }
        }
        return true
    }
}
