import Foundation

/// A terminal that gives each key as it is pressed and shows nothing by itself, until ``restore()``.
struct RawTerminal {
    private let descriptor: Int32
    private let before: termios

    /// `nil` for what is no terminal.
    init?(_ descriptor: Int32) {
        var settings = termios()
        guard tcgetattr(descriptor, &settings) == 0 else { return nil }
        self.descriptor = descriptor
        before = settings
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
        settings.c_iflag &= ~tcflag_t(IXON | ICRNL | INLCR)
        guard tcsetattr(descriptor, TCSADRAIN, &settings) == 0 else { return nil }
    }

    func restore() {
        var settings = before
        _ = tcsetattr(descriptor, TCSADRAIN, &settings)
    }
}
