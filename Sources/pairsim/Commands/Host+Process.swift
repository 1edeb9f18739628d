import Dispatch
import Foundation

extension Host {
    /// The process that `pairsim` is.
    static func process() -> Host {
        let environment = ProcessInfo.processInfo.environment
        let clock = ContinuousClock()
        let start = clock.now
        let isBuiltHere = CommandLine.arguments.first?.contains("/.build/") == true
        return Host(
            program: isBuiltHere ? "swift run pairsim" : "pairsim", environment: environment, files: RealFiles(),
            output: DescriptorSink(STDOUT_FILENO), errors: DescriptorSink(STDERR_FILENO),
            columns: columns(environment), cores: ProcessInfo.processInfo.activeProcessorCount,
            seconds: {
                let passed = (clock.now - start).components
                return Double(passed.seconds) + Double(passed.attoseconds) / 1e18
            },
            interruption: Interruption())
    }

    private static func columns(_ environment: [String: String]) -> Int? {
        guard isatty(STDOUT_FILENO) == 1 else { return nil }
        var size = winsize()
        if ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
        return environment["COLUMNS"].flatMap { Int($0) } ?? 80
    }

    /// Why standard output did not take everything, such as a full disk.
    var troubleOfOutput: String? { (output as? DescriptorSink)?.trouble }

    /// Takes Ctrl-C, and the request to end that CI systems and containers send, as a wish to stop; a second one ends the process at once.
    ///
    /// - Returns: What has to be kept for as long as it should work.
    func watchForInterruption() -> [any DispatchSourceSignal] {
        let queue = DispatchQueue(label: "pairsim.interruption")
        return [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { [interruption] in
                if interruption.isRequested { _exit(ExitStatus.interrupted.rawValue) }
                interruption.request()
            }
            source.resume()
            return source
        }
    }
}

/// Writes to a file descriptor, all of it or until nobody reads any more.
final class DescriptorSink: TextSink {
    private let descriptor: Int32
    /// Why something could not be written.
    private(set) var trouble: String?

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    func write(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while let start = rest.baseAddress, !rest.isEmpty {
                let count = Foundation.write(descriptor, start, rest.count)
                if count < 0, errno == EINTR || errno == EAGAIN { continue }
                guard count > 0 else {
                    trouble = String(cString: strerror(errno))
                    return
                }
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
        }
    }
}
