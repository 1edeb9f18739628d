import Dispatch
import Foundation
import Synchronization

/// Another build of the tool, asked through processes of `pairsim account`: one for each thread that asks at the same time.
package final class OtherTool: OtherBuild {
    /// Why another build cannot be asked.
    package struct Fault: Error {
        package let reason: String
    }

    private struct State {
        var idle: [Conversation] = []
        /// How many questions in a row it has not answered, and why not.
        var ended = 0
        var late = 0
    }

    private let path: String
    private let arguments: [String]
    private let environment: [String: String]
    /// How long an answer may take, in seconds; `nil`: for ever.
    private let patience: Double?
    private let state = Mutex(State())

    /// Begins the first conversation.
    /// - Parameters:
    ///   - path: The program.
    ///   - arguments: After `account`.
    ///   - patience: How long an answer may take, in seconds; `nil`: for ever.
    ///   - unwanted: Variables of the environment that it does not get.
    package init(path: String, arguments: [String] = [], patience: Double?, without unwanted: [String] = []) throws(Fault) {
        (self.path, self.arguments, self.patience) = (path, arguments, patience)
        environment = ProcessInfo.processInfo.environment.filter { !unwanted.contains($0.key) }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw Fault(reason: "there is no such file; name the program by its path")
        }
        guard !isFolder.boolValue else { throw Fault(reason: "it is a folder; name the program in it, such as .build/release/pairsim") }
        let first = try Conversation(path, arguments, environment)
        state.withLock { $0.idle.append(first) }
    }

    private static let maximumLate = 3
    private static let maximumEnded = 20

    /// Why it is not asked any more; `nil` while it is.
    package var fault: Fault? {
        let (ended, late) = state.withLock { ($0.ended, $0.late) }
        if late >= Self.maximumLate, let patience {
            return Fault(
                reason:
                    "it has not answered \(late) times in a row within \(Decimals.fixed(patience, places: 0)) s; --stuck-after gives it more time"
            )
        }
        return ended >= Self.maximumEnded ? Fault(reason: "it has ended, or said something else, \(ended) times in a row") : nil
    }

    package func account(of scenario: String, isWhole: Bool, waiting: () -> Void) -> OtherAnswer {
        guard fault == nil else { return .none(.ended) }
        let idle = state.withLock { $0.idle.popLast() }
        guard let conversation = idle ?? (try? Conversation(path, arguments, environment)) else { return noting(.ended) }
        let question = AccountTalk.Question(scenario: scenario, isWhole: isWhole)
        do throws(Silence) {
            let answer = try conversation.answer(to: question, within: patience, waiting: waiting)
            state.withLock { state in
                state.idle.append(conversation)
                (state.ended, state.late) = (0, 0)
            }
            return answer.account.map { .account($0) } ?? .none(.unknown)
        } catch {
            // Its process has ended, or is ended here. The next question begins another.
            return noting(error.obstacle)
        }
    }

    private func noting(_ obstacle: RunComparison.Obstacle) -> OtherAnswer {
        state.withLock { state in
            if obstacle == .late { state.late += 1 } else { state.ended += 1 }
        }
        return .none(obstacle)
    }
}

/// Why there is no answer.
private struct Silence: Error {
    let obstacle: RunComparison.Obstacle
}

/// One process of the other build, which answers one question after the other. Used by one thread at a time.
private final class Conversation: @unchecked Sendable {
    /// How long the first line may take, in seconds: a program that is no build of the tool may never say one.
    private static let patience = 20.0
    /// How long is waited at once, in milliseconds.
    private static let slice: Int32 = 50

    private let process = Process()
    private let descriptor: Int32
    private var lines = LineFraming()
    private var isOver = false

    init(_ path: String, _ arguments: [String], _ environment: [String: String]) throws(OtherTool.Fault) {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Self.kind, 0, &ends) == 0 else {
            throw OtherTool.Fault(reason: "no connection to it can be made: \(String(cString: strerror(errno)))")
        }
        // The other end is closed when its last copy is: no other child may keep one.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        descriptor = ends[0]
        #if canImport(Darwin)
            var isOn: Int32 = 1
            setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
        #endif
        let theirs = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = ["account"] + arguments
        process.environment = environment
        process.standardInput = theirs
        process.standardOutput = theirs
        process.standardError = FileHandle.nullDevice
        do {
            try process.run()
        } catch {
            end()
            throw OtherTool.Fault(reason: "it cannot be started: \(error.localizedDescription)")
        }
        try? theirs.close()
        let wait = Wait(begin: DispatchTime.now().uptimeNanoseconds, seconds: Self.patience)
        guard let line = try? next(wait, {}), let greeting = AccountTalk.message(AccountTalk.Greeting.self, in: line) else {
            end()
            throw OtherTool.Fault(
                reason:
                    "it does not answer as `pairsim account` does, within \(Decimals.fixed(Self.patience, places: 0)) s; it must be a build of pairsim that has that command"
            )
        }
        guard greeting.accounts == AccountTalk.version else {
            end()
            throw OtherTool.Fault(
                reason:
                    "it is pairsim \(greeting.pairsim), whose accounts have format \(greeting.accounts); this build reads \(AccountTalk.version)"
            )
        }
    }

    deinit { end() }

    #if canImport(Darwin)
        private static let kind = SOCK_STREAM
        private static let sendFlags = MSG_DONTWAIT
    #else
        private static let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        private static let sendFlags = Int32(MSG_NOSIGNAL | MSG_DONTWAIT)
    #endif

    func answer(
        to question: AccountTalk.Question, within seconds: Double?, waiting: () -> Void
    ) throws(Silence) -> AccountTalk.Answer {
        guard let bytes = AccountTalk.line(question) else { throw Silence(obstacle: .unknown) }
        let wait = Wait(begin: DispatchTime.now().uptimeNanoseconds, seconds: seconds)
        try send(bytes, wait, waiting)
        guard let answer = AccountTalk.message(AccountTalk.Answer.self, in: try next(wait, waiting)) else {
            throw Silence(obstacle: .ended)
        }
        return answer
    }

    /// How long is waited all in all.
    private struct Wait {
        let begin: UInt64
        let seconds: Double?

        var isOver: Bool {
            guard let seconds else { return false }
            return Double(DispatchTime.now().uptimeNanoseconds - begin) / 1_000_000_000 >= seconds
        }
    }

    /// Returns when the descriptor can be read, or written.
    private func wait(for event: Int32, _ wait: Wait, _ waiting: () -> Void) throws(Silence) {
        while true {
            waiting()
            var asked = pollfd(fd: descriptor, events: Int16(event), revents: 0)
            let ready = poll(&asked, 1, Self.slice)
            if ready > 0 { return }
            if ready < 0, errno != EINTR { throw Silence(obstacle: .ended) }
            if wait.isOver { throw Silence(obstacle: .late) }
        }
    }

    private func send(_ bytes: [UInt8], _ wait: Wait, _ waiting: () -> Void) throws(Silence) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { self.send($0) }
            if count < 0, errno == EAGAIN || errno == EWOULDBLOCK {
                try self.wait(for: POLLOUT, wait, waiting)
                continue
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Silence(obstacle: .ended) }
            sent += count
        }
    }

    private func send(_ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Darwin)
            Darwin.send(descriptor, bytes.baseAddress, bytes.count, Self.sendFlags)
        #else
            Glibc.send(descriptor, bytes.baseAddress, bytes.count, Self.sendFlags)
        #endif
    }

    private func next(_ wait: Wait, _ waiting: () -> Void) throws(Silence) -> [UInt8] {
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            if let line = lines.next() { return line }
            try self.wait(for: POLLIN, wait, waiting)
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0, lines.byteCount <= AccountTalk.lineLimit else { throw Silence(obstacle: .ended) }
            lines.take(Array(chunk[..<count]))
        }
    }

    /// Closes the descriptor once: its number may be another file's by the next time.
    private func end() {
        guard !isOver else { return }
        isOver = true
        close(descriptor)
        // One that hangs may not heed any other signal.
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }
}
