import Foundation

/// Where a command reads lines from: a terminal, a pipe, or what a test supplies.
///
/// Confined to the thread of the command.
protocol LineSource: AnyObject {
    /// Whether a person types the lines.
    var isInteractive: Bool { get }
    /// The next line without its end; `nil` when there is no more.
    /// - Parameters:
    ///   - prompt: Shown where a person types.
    ///   - complete: See ``LineEditor``.
    func readLine(prompt: String, complete: @escaping (String) -> [String]) -> String?
    /// All the bytes that are left; of more than `limit`, a few more than that.
    func readAll(upTo limit: Int) -> [UInt8]
    /// The bytes that have come, at least one; waits for them, and is `nil` when there are no more.
    func readBytes() -> [UInt8]?
}

/// An input without anything in it.
final class NoInput: LineSource {
    let isInteractive = false
    func readLine(prompt: String, complete: @escaping (String) -> [String]) -> String? { nil }
    func readAll(upTo limit: Int) -> [UInt8] { [] }
    func readBytes() -> [UInt8]? { nil }
}

/// Standard input: lines of a pipe, or of a person at a terminal.
final class StandardInput: LineSource {
    private let descriptor: Int32
    private let output: any TextSink
    /// Cells in a line of the terminal.
    private let columns: Int?
    private let interruption: Interruption
    private var buffer: [UInt8] = []
    private var position = 0
    private var isOver = false
    private var history: [String] = []
    let isInteractive: Bool

    /// - Parameter columns: `nil` where the output is no terminal: nobody sees a prompt then, and nobody can edit a line.
    init(_ descriptor: Int32, output: any TextSink, columns: Int?, terminal: String?, interruption: Interruption) {
        self.descriptor = descriptor
        self.output = output
        self.columns = terminal == "dumb" ? nil : columns
        self.interruption = interruption
        isInteractive = isatty(descriptor) == 1 && columns != nil
    }

    func readLine(prompt: String, complete: @escaping (String) -> [String]) -> String? {
        guard isInteractive else { return plainLine() }
        guard let columns, let raw = RawTerminal(descriptor) else {
            // A terminal that cannot be edited in still shows where one is.
            output.write(prompt)
            return plainLine()
        }
        defer { raw.restore() }
        return editedLine(prompt, complete, columns: columns)
    }

    func readAll(upTo limit: Int) -> [UInt8] {
        while buffer.count - position <= limit, fill(endsWhenInterrupted: true) {}
        // What was read of it is no file, and nothing was begun that could be ended in order.
        if interruption.isRequested { _exit(ExitStatus.interrupted.rawValue) }
        defer { position = buffer.count }
        return Array(buffer[position...])
    }

    func readBytes() -> [UInt8]? {
        guard position < buffer.count || fill() else { return nil }
        defer { position = buffer.count }
        return Array(buffer[position...])
    }

    // MARK: Bytes

    /// - Parameter endsWhenInterrupted: Whether a wish to stop ends the waiting. An editor of lines has keys for that.
    private func fill(endsWhenInterrupted: Bool? = nil) -> Bool {
        guard !isOver else { return false }
        if endsWhenInterrupted ?? !isInteractive, !isReady() {
            isOver = true
            return false
        }
        if position > 65_536 {
            buffer.removeFirst(position)
            position = 0
        }
        var bytes = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = bytes.withUnsafeMutableBytes { Foundation.read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR || errno == EAGAIN, !interruption.isRequested { continue }
            guard count > 0 else {
                isOver = true
                return false
            }
            buffer += bytes[..<count]
            return true
        }
    }

    /// Waits until there is something to read, or the end of it.
    /// - Returns: False if somebody wants to stop meanwhile.
    private func isReady() -> Bool {
        while !interruption.isRequested {
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let count = poll(&entry, 1, 100)
            // Where that cannot be told, reading tells.
            if count > 0 || (count < 0 && errno != EINTR && errno != EAGAIN) { return true }
        }
        return false
    }

    private func nextByte() -> UInt8? {
        guard position < buffer.count || fill() else { return nil }
        defer { position += 1 }
        return buffer[position]
    }

    private func plainLine() -> String? {
        var line: [UInt8] = []
        // What has no ends of lines, such as a device, is cut into lines that nobody writes.
        while line.count < 1 << 20, let byte = nextByte() {
            guard byte != UInt8(ascii: "\n") else { return Self.text(line) }
            line.append(byte)
        }
        return line.isEmpty ? nil : Self.text(line)
    }

    private static func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes[...], as: UTF8.self)
    }

    // MARK: A person's line

    private func editedLine(_ prompt: String, _ complete: @escaping (String) -> [String], columns: Int) -> String? {
        var decoder = KeyDecoder()
        var editor = LineEditor(history: history, complete: complete)
        show(prompt, editor, columns: columns)
        while let byte = nextByte() {
            guard let key = decoder.take(byte) else { continue }
            switch editor.take(key) {
            case .nothing: continue
            case .redraw: show(prompt, editor, columns: columns)
            case .clearScreen:
                output.write("\u{1B}[H\u{1B}[2J")
                show(prompt, editor, columns: columns)
            case .candidates(let candidates):
                output.write(
                    "\r\n" + TextColumns.lines(candidates.map(SafeText.line), width: columns - 1).joined(separator: "\r\n") + "\r\n")
                show(prompt, editor, columns: columns)
            case .dropped:
                output.write("^C\r\n")
                show(prompt, editor, columns: columns)
            case .line(let line):
                output.write("\r\n")
                history = editor.history
                return line
            case .ended:
                output.write("\r\n")
                return nil
            }
        }
        return nil
    }

    /// The prompt and as much of the line around the cursor as fits into one line of the terminal.
    private func show(_ prompt: String, _ editor: LineEditor, columns: Int) {
        let view = LineView(prompt: prompt, text: editor.text, cursor: editor.cursor, columns: columns)
        output.write("\r" + view.text + "\u{1B}[K\r" + (view.column > 0 ? "\u{1B}[\(view.column)C" : ""))
    }
}

/// One line of a terminal with a prompt and the part of a text that has its cursor.
struct LineView: Equatable {
    let text: String
    /// Cells before the cursor.
    let column: Int

    init(prompt: String, text: [Character], cursor: Int, columns: Int) {
        let prompt = SafeText.cells(prompt) < columns / 2 ? prompt : "> "
        // The last cell stays free: some terminals wrap when it is filled.
        let room = max(1, columns - 1 - SafeText.cells(prompt))
        var first = 0
        while first < cursor, SafeText.cells(SafeText.line(String(text[first..<cursor]))) >= room { first += max(1, room / 2) }
        first = min(first, cursor)
        var shown = ""
        for character in text[first...] {
            let next = shown + SafeText.line(String(character))
            guard SafeText.cells(next) <= room else { break }
            shown = next
        }
        self.text = prompt + shown
        column = SafeText.cells(prompt) + SafeText.cells(SafeText.line(String(text[first..<cursor])))
    }
}

/// Words in columns, as shells list candidates.
enum TextColumns {
    static func lines(_ words: [String], width: Int, limit: Int = 200) -> [String] {
        let shown = words.prefix(limit)
        let cell = (shown.map { SafeText.cells($0) }.max() ?? 0) + 2
        let count = max(1, width / max(1, cell))
        var lines: [String] = []
        for start in stride(from: 0, to: shown.count, by: count) {
            let row = shown[start..<min(shown.count, start + count)]
            lines.append(row.map { $0 + String(repeating: " ", count: max(0, cell - SafeText.cells($0))) }.joined().trimmingEnd)
        }
        return words.count > limit ? lines + ["… and \(words.count - limit) more"] : lines
    }
}

extension String {
    fileprivate var trimmingEnd: String {
        var text = self[...]
        while text.last == " " { text = text.dropLast() }
        return String(text)
    }
}
