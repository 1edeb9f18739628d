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
        var unanswered = 0
    }

    private let path: String
    private let arguments: [String]
    private let environment: [String: String]
    private let state = Mutex(State())

    /// Begins the first conversation.
    /// - Parameters:
    ///   - path: The program.
    ///   - arguments: After `account`.
    ///   - unwanted: Variables of the environment that it does not get.
    package init(path: String, arguments: [String] = [], without unwanted: [String] = []) throws(Fault) {
        (self.path, self.arguments) = (path, arguments)
        environment = ProcessInfo.processInfo.environment.filter { !unwanted.contains($0.key) }
        let first = try Conversation(path, arguments, environment)
        state.withLock { $0.idle.append(first) }
    }

    /// How many questions it could not answer.
    package var unanswered: Int { state.withLock { $0.unanswered } }

    package func account(of scenario: String, isWhole: Bool) -> RunAccount? {
        let idle = state.withLock { $0.idle.popLast() }
        guard let conversation = idle ?? (try? Conversation(path, arguments, environment)),
            let answer = conversation.answer(to: AccountTalk.Question(scenario: scenario, isWhole: isWhole))
        else {
            // Its process has ended, or is ended here. The next question begins another.
            state.withLock { $0.unanswered += 1 }
            return nil
        }
        state.withLock { state in
            state.idle.append(conversation)
            if answer.account == nil { state.unanswered += 1 }
        }
        return answer.account
    }
}

/// One process of the other build, which answers one question after the other. Used by one thread at a time.
private final class Conversation: @unchecked Sendable {
    /// How long the first line may take, in milliseconds: a program that is no build of the tool may never say one.
    private static let patience: Int32 = 20_000

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
        guard let line = next(within: Self.patience), let greeting = AccountTalk.message(AccountTalk.Greeting.self, in: line) else {
            end()
            throw OtherTool.Fault(
                reason: "it does not answer as `pairsim account` does; it must be a build of pairsim that has that command")
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
        private static let sendFlags: Int32 = 0
    #else
        private static let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        private static let sendFlags = Int32(MSG_NOSIGNAL)
    #endif

    /// - Returns: `nil` where its process has ended, or says something else.
    func answer(to question: AccountTalk.Question) -> AccountTalk.Answer? {
        guard let bytes = AccountTalk.line(question), send(bytes), let line = next(within: -1) else { return nil }
        return AccountTalk.message(AccountTalk.Answer.self, in: line)
    }

    private func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { self.send($0) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    private func send(_ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Darwin)
            Darwin.send(descriptor, bytes.baseAddress, bytes.count, Self.sendFlags)
        #else
            Glibc.send(descriptor, bytes.baseAddress, bytes.count, Self.sendFlags)
        #endif
    }

    /// - Parameter milliseconds: -1: for ever. The other build gives up a run that does not end.
    private func next(within milliseconds: Int32) -> [UInt8]? {
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            if let line = lines.next() { return line }
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = poll(&waiting, 1, milliseconds)
            if ready < 0, errno == EINTR { continue }
            guard ready > 0 else { return nil }
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0, lines.byteCount <= AccountTalk.lineLimit else { return nil }
            lines.take(Array(chunk[..<count]))
        }
    }

    /// Closes the descriptor once: its number may be another file's by the next time.
    private func end() {
        guard !isOver else { return }
        isOver = true
        close(descriptor)
        if process.isRunning { process.terminate() }
    }
}
