import Dispatch
import Foundation
import LocalData
import Synchronization

/// Everything that a command reads from or does to the world. Tests bring their own.
struct Host {
    /// How the user calls the tool: `pairsim`, or `swift run pairsim` from the package.
    var program = "pairsim"
    var environment: [String: String]
    var files: any FileAccess
    var output: any TextSink
    var errors: any TextSink
    /// Cells in a line of the terminal that standard output is; `nil` when it is a pipe or a file.
    var columns: Int?
    var cores: Int
    /// Seconds since some fixed instant, for durations.
    var seconds: @Sendable () -> Double
    var interruption: Interruption
    /// The current folder.
    var folder = "/"
    /// Standard input.
    var input: any LineSource = NoInput()
    /// Waits for so many seconds, or less where the person asks to stop; `false` where there is no more to wait for.
    var pause: (Double) -> Bool = { _ in false }
    /// A digest of the program that runs, which another build of it does not have; `nil` where that cannot be told.
    var build: @Sendable () -> String? = { nil }
    /// Sends what app code prints elsewhere than to standard output, from now on.
    var sendAppOutput: (AppOutput) -> Void = { _ in }
    /// Where the command was called with `--json`: takes what it says.
    var answer: JSONAnswer?
}

extension Host {
    /// The process that `pairsim` is.
    static func process() -> Host {
        let environment = ProcessInfo.processInfo.environment
        let clock = ContinuousClock()
        let start = clock.now
        let interruption = Interruption()
        let output = DescriptorSink(STDOUT_FILENO)
        // Who has the signal ignored wants to be told of it by the status, and the work done.
        if !isIgnored(SIGPIPE) { output.whenUnheard = { interruption.request() } }
        let columns = columns(environment)
        return Host(
            program: environment[programVariable]
                ?? program(calledAs: CommandLine.arguments.first ?? "", in: FileManager.default.currentDirectoryPath),
            environment: environment, files: RealFiles(),
            output: output, errors: DescriptorSink(STDERR_FILENO),
            columns: columns, cores: ProcessInfo.processInfo.activeProcessorCount,
            seconds: {
                let passed = (clock.now - start).components
                return Double(passed.seconds) + Double(passed.attoseconds) / 1e18
            },
            interruption: interruption, folder: FileManager.default.currentDirectoryPath,
            input: StandardInput(
                STDIN_FILENO, output: output, columns: columns, terminal: environment["TERM"], interruption: interruption),
            pause: { seconds in
                let end = clock.now + .seconds(seconds)
                while clock.now < end, !interruption.isRequested { usleep(20_000) }
                return !interruption.isRequested
            },
            build: {
                guard let path = Bundle.main.executablePath,
                    let program = try? Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
                else { return nil }
                return SHA256Digest.digest(of: program).prefix(16).map { String(format: "%02x", $0) }.joined()
            },
            sendAppOutput: { output.keepToItself(sendingOthersTo: $0) })
    }

    /// Says how the user calls the tool where another program called it for him, such as the plugin `pairsim`.
    static let programVariable = "PAIRSIM_PROGRAM"

    /// How the user calls the tool again, from the folder where he stands: by the package that it was built in, by its path, or by its name.
    static func program(calledAs path: String, in folder: String) -> String {
        let absolute = path.hasPrefix("/") ? path : "\(folder)/\(path)"
        guard let build = absolute.range(of: "/.build/") else { return path.contains("/") ? ShellWord.quoted(path) : "pairsim" }
        let package = absolute[..<build.lowerBound]
        guard folder == package || folder.hasPrefix("\(package)/") else { return ShellWord.quoted(path) }
        let product = absolute.split(separator: "/").last.map(String.init) ?? "pairsim"
        return "swift run \(absolute[build.upperBound...].contains("release/") ? "-c release " : "")\(ShellWord.quoted(product))"
    }

    private static func columns(_ environment: [String: String]) -> Int? {
        guard isatty(STDOUT_FILENO) == 1 else { return nil }
        var size = winsize()
        if ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
        return environment["COLUMNS"].flatMap { Int($0) } ?? 80
    }

    /// Why standard output did not take everything, such as a full disk.
    var troubleOfOutput: String? { (output as? DescriptorSink)?.trouble }

    /// Whether nobody reads standard output any more.
    var isOutputUnheard: Bool { (output as? DescriptorSink)?.isUnheard == true }

    /// Goes on although nobody reads standard output any more, where something else is to come of the work. Without that it would be done for nobody, and ends.
    func goOnUnheard() { (output as? DescriptorSink)?.whenUnheard = nil }

    /// Takes Ctrl-C, the request to end that CI systems and containers send, and the end of the terminal as a wish to stop; a second one ends the process at
    /// once. Who started the tool so that it outlives its terminal (`nohup`) has that. Called once, before there are threads.
    ///
    /// By a handler, not by a source of events: between a signal's being ignored and somebody's listening one would be lost, and a tool that waits for its input
    /// would wait for ever.
    func watchForInterruption() {
        StopSignals.interruption = interruption
        for number in [SIGINT, SIGTERM] + (Self.isIgnored(SIGHUP) ? [] : [SIGHUP]) {
            var action = sigaction()
            #if canImport(Darwin)
                action.__sigaction_u.__sa_handler = StopSignals.handler
            #else
                action.__sigaction_handler.sa_handler = StopSignals.handler
            #endif
            // What is being written is written.
            action.sa_flags = Int32(SA_RESTART)
            sigaction(number, &action, nil)
            Self.unblock(number)
        }
        if environment[Self.endsWithParentVariable] != nil { watchParent() }
    }

    static func isIgnored(_ signal: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(signal, nil, &action) == 0 else { return false }
        #if canImport(Darwin)
            let handler = action.__sigaction_u.__sa_handler
        #else
            let handler = action.__sigaction_handler.sa_handler
        #endif
        return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}

extension Host {
    /// Lets a signal in that who started the tool held back in its own thread, as a pool's threads do: a process inherits that.
    private static func unblock(_ number: Int32) {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, number)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    /// Says that the process is to end when the one that called it does: the plugin `pairsim`, which is told of no Ctrl-C.
    static let endsWithParentVariable = "PAIRSIM_ENDS_WITH_PARENT"

    private func watchParent() {
        let parent = getppid()
        let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "pairsim.interruption"))
        timer.schedule(deadline: .now(), repeating: .milliseconds(200))
        timer.setEventHandler { [interruption] in
            // Kept by this closure for as long as the process lives.
            withExtendedLifetime(timer) { if getppid() != parent { interruption.request() } }
        }
        timer.resume()
    }
}

/// What a request to stop does: only what may be done in a signal handler, reading and setting a flag, and `_exit`.
private enum StopSignals {
    /// Set once, before there is a handler.
    nonisolated(unsafe) static var interruption: Interruption?

    static let handler: @convention(c) (Int32) -> Void = { _ in
        guard let interruption = StopSignals.interruption else { return }
        if interruption.isRequested { _exit(ExitStatus.interrupted.rawValue) }
        interruption.request()
    }
}

/// Writes to a file descriptor, all of it or until nobody reads any more.
final class DescriptorSink: TextSink {
    private var descriptor: Int32
    /// Why something could not be written.
    private(set) var trouble: String?
    /// Whether it is a pipe that nobody reads any more.
    private(set) var isUnheard = false
    /// Called once where that becomes known.
    var whenUnheard: (() -> Void)?

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// From now on what others in the process write there goes to another place, and what is written here goes where it did. Called before there are threads.
    func keepToItself(sendingOthersTo place: AppOutput) {
        fflush(nil)
        let own = dup(descriptor)
        let other = place == .errors ? dup(STDERR_FILENO) : open("/dev/null", O_WRONLY)
        defer { if other >= 0 { close(other) } }
        // Without another descriptor all goes on as before.
        guard own >= 0, other >= 0, dup2(other, descriptor) >= 0 else {
            if own >= 0 { close(own) }
            return
        }
        descriptor = own
    }

    func write(_ text: String) {
        guard !isUnheard else { return }
        var text = text
        text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while let start = rest.baseAddress, !rest.isEmpty {
                let count = Foundation.write(descriptor, start, rest.count)
                if count < 0, errno == EINTR || errno == EAGAIN { continue }
                guard count > 0 else {
                    isUnheard = errno == EPIPE
                    trouble = String(cString: strerror(errno))
                    if isUnheard { whenUnheard?() }
                    return
                }
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
        }
    }
}

/// Where goes what app code under test prints.
enum AppOutput {
    case errors
    case nowhere
}

/// Whether the user has asked to stop.
final class Interruption: Sendable {
    private let flag = Atomic(false)

    func request() { flag.store(true, ordering: .releasing) }
    var isRequested: Bool { flag.load(ordering: .acquiring) }
}

/// The file system as commands use it.
protocol FileAccess: Sendable {
    /// What is there; `nil` when nothing is.
    func kind(of path: String) throws(FileError) -> FileKind?
    /// The names in a folder, in no particular order. What is not UTF-8 in one is shown as U+FFFD; nothing is found under that name then.
    func names(in folder: String) throws(FileError) -> [String]
    /// Replaces the file as a whole, or leaves it as it was. Makes the folders on the way.
    func write(_ data: Data, to path: String) throws(FileError)
    /// Writes a file that is not there yet, as a whole or not at all. Makes the folders on the way.
    /// - Returns: `false` when something is there.
    func create(_ data: Data, at path: String) throws(FileError) -> Bool
    /// Writes behind what is there, which others may do at the same time.
    func append(_ data: Data, to path: String) throws(FileError)
    func read(_ path: String) throws(FileError) -> Data
    /// The first bytes of a file, or all of it.
    func read(_ path: String, first count: Int) throws(FileError) -> Data
    /// What tells one file or folder from all others, whichever name or link leads to it; `nil` when nothing is there or it cannot be told.
    func identity(of path: String) -> String?
    /// Where a file lies, or would lie, that is named so: the same path for all names that lead to one place, also where nothing is there yet.
    func place(of path: String) -> String
    /// What changes when the file's contents do; `nil` when nothing is there.
    func stamp(of path: String) -> String?
    /// Does something to a file while no other process does, as far as the file system can say so.
    func alone(at path: String, _ work: () -> Void)
    /// Why no file can be written in a folder, which need not be there yet; `nil` where nothing speaks against it. Nothing is made for that.
    func obstacle(toWritingIn folder: String) -> FileError?
    /// Makes a folder and those on the way to it.
    func makeFolder(_ path: String) throws(FileError)
    /// The folder of scenarios beside the tool itself, in an archive of it; `nil` where there is none.
    var ownScenarios: String? { get }
}

enum FileKind: Equatable, Sendable {
    case file
    /// A folder; the identity is the same whichever name or link leads to it.
    case folder(identity: String)
    /// A device, a pipe, a socket.
    case other
}

/// Why a file or folder could not be used.
struct FileError: Error, Equatable, Sendable {
    let path: String
    /// As it ends a sentence: "permission denied".
    let reason: String

    /// - Parameter verb: What was tried: "read", "write".
    func text(_ verb: String) -> String { "cannot \(verb) \(SafeText.line(path)): \(reason)" }
}
