import Foundation
import Synchronization

/// Says which input was being read when the process ends: of a crash nothing else is left, and of a hang nothing at all.
///
/// What runs in the signal handler is only what may: reading numbers, `write`, `_exit`.
enum FuzzNote {
    /// How many targets may run at the same time in one process.
    private static let slotCount = 8
    /// Nobody waits so long for one input, not on a busy machine either.
    static let hangSeconds: UInt32 = 120

    private struct Slot {
        var name: UnsafeMutablePointer<CChar>?
        var seed: UInt64 = 0
        var number: Int = -1
    }

    /// Written by the thread that fuzzes, read by the handler: at worst it reads a number that is one old.
    private nonisolated(unsafe) static let slots: UnsafeMutablePointer<Slot> = {
        let slots = UnsafeMutablePointer<Slot>.allocate(capacity: slotCount)
        slots.initialize(repeating: Slot(), count: slotCount)
        return slots
    }()
    private static let taken = Mutex<Set<Int>>([])

    /// - Returns: `nil` if too many run; those then go without a note.
    static func enter(_ target: String, seed: UInt64) -> Int? {
        installed
        return taken.withLock { taken in
            guard let slot = (0..<slotCount).first(where: { !taken.contains($0) }) else { return nil }
            taken.insert(slot)
            slots[slot] = Slot(name: strdup(target), seed: seed)
            return slot
        }
    }

    static func note(_ number: Int, in slot: Int?) {
        if let slot { slots[slot].number = number }
        // Each call puts the alarm off.
        if number % 64 == 0 { alarm(hangSeconds) }
    }

    static func leave(_ slot: Int?) {
        guard let slot else { return }
        taken.withLock { taken in
            let name = slots[slot].name
            slots[slot] = Slot()
            free(name)
            taken.remove(slot)
            if taken.isEmpty { alarm(0) }
        }
    }

    private static let installed: Void = {
        // Before a handler could be the first to ask for it.
        _ = slots
        for signal in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGALRM] {
            var action = sigaction()
            #if canImport(Darwin)
                action.__sigaction_u.__sa_handler = handler
            #else
                action.__sigaction_handler.sa_handler = handler
            #endif
            action.sa_flags = Int32(SA_ONSTACK)
            sigaction(signal, &action, nil)
        }
    }()

    private static let handler: @convention(c) (Int32) -> Void = { signal in
        for index in 0..<FuzzNote.slotCount {
            guard let name = FuzzNote.slots[index].name else { continue }
            say(signal == SIGALRM ? "fuzzing: an input takes for ever: " : "fuzzing: the process ended at an input of ")
            _ = write(STDERR_FILENO, name, strlen(name))
            say("\n    replay with: LOCALDATA_FUZZ_INPUT=")
            _ = write(STDERR_FILENO, name, strlen(name))
            say(":")
            say(number: FuzzNote.slots[index].seed)
            say(":")
            say(number: UInt64(max(0, FuzzNote.slots[index].number)))
            say(" swift test --filter FuzzTests\n")
        }
        _exit(128 + signal)
    }

    private static func say(_ text: StaticString) {
        _ = write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount)
    }

    private static func say(number: UInt64) {
        var divisor: UInt64 = 1
        while number / divisor >= 10 { divisor *= 10 }
        while divisor > 0 {
            var digit = UInt8(ascii: "0") + UInt8(number / divisor % 10)
            _ = write(STDERR_FILENO, &digit, 1)
            divisor /= 10
        }
    }
}
