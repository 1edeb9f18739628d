import Dispatch
import Foundation
import Synchronization

/// Another build of the tool, asked through processes of `pairsim account`: one for each thread that asks at the same time.
package final class OtherTool: OtherBuild {
    /// Why another build cannot be asked.
    package struct Fault: Error {
        package let reason: String
        package var obstacle = RunComparison.Obstacle.ended
    }

    private struct State {
        var idle: [Conversation] = []
        /// How many questions in a row it has not answered, and why not.
        var ended = 0
        var late = 0
        var fault: Fault?
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

    /// Why it is not asked any more; `nil` while it is. Once there is a reason, it stays.
    package var fault: Fault? { state.withLock { $0.fault } }

    package func account(of scenario: String, isWhole: Bool, waiting: () -> Void) -> OtherAnswer {
        let (idle, fault) = state.withLock { state in (state.fault == nil ? state.idle.popLast() : nil, state.fault) }
        if let fault { return .none(fault.obstacle) }
        do throws(Silence) {
            let conversation = if let idle { idle } else { try begin(waiting) }
            let question = AccountTalk.Question(scenario: scenario, isWhole: isWhole)
            let answer = try conversation.answer(to: question, within: patience, waiting: waiting)
            state.withLock { state in
                state.idle.append(conversation)
                (state.ended, state.late) = (0, 0)
            }
            return answer.account.map { .account($0) } ?? .none(.unknown)
        } catch {
            // Its process has ended, or is ended here. The next question begins another.
            note(error.obstacle)
            return .none(error.obstacle)
        }
    }

    private func begin(_ waiting: () -> Void) throws(Silence) -> Conversation {
        do throws(Fault) {
            return try Conversation(path, arguments, environment, waiting)
        } catch {
            throw Silence(obstacle: error.obstacle)
        }
    }

    private func note(_ obstacle: RunComparison.Obstacle) {
        state.withLock { state in
            if obstacle == .late { state.late += 1 } else { state.ended += 1 }
            guard state.fault == nil else { return }
            if state.late >= Self.maximumLate {
                let within = patience.map { " within \(Decimals.fixed($0, places: 0)) s" } ?? ""
                state.fault = Fault(
                    reason: "it has not answered \(state.late) times in a row\(within); --stuck-after gives it more time", obstacle: .late)
            } else if state.ended >= Self.maximumEnded {
                state.fault = Fault(reason: "it has ended, or said something else, \(state.ended) times in a row")
            }
        }
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

    init(
        _ path: String, _ arguments: [String], _ environment: [String: String], _ waiting: () -> Void = {}
    ) throws(OtherTool.Fault) {
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
        let greeting: AccountTalk.Greeting
        do throws(Silence) {
            let line = try next(Wait(begin: DispatchTime.now().uptimeNanoseconds, seconds: Self.patience), waiting)
            guard let message = AccountTalk.message(AccountTalk.Greeting.self, in: line) else { throw Silence(obstacle: .ended) }
            greeting = message
        } catch {
            end()
            let within = error.obstacle == .late ? ", within \(Decimals.fixed(Self.patience, places: 0)) s" : ""
            throw OtherTool.Fault(
                reason: "it does not answer as `pairsim account` does\(within); it must be a build of pairsim that has that command",
                obstacle: error.obstacle)
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
            if ready < 0, errno != EINTR { throw Silence(obstacle: .ended) }
            // One that goes on saying something is late as well.
            if wait.isOver { throw Silence(obstacle: .late) }
            if ready > 0 { return }
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
        guard process.isRunning else { return }
        // One that hangs may not heed any other signal, and may be below a script that began it.
        let identifier = process.processIdentifier
        kill(getpgid(identifier) == identifier ? -identifier : identifier, SIGKILL)
    }
}
