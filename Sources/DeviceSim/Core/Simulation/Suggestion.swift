/// "Did you mean": finds the known word nearest to a mistyped one.
package enum Suggestion {
    /// Among more words than this nobody looks for a typing error, and comparing each of them with each error of a file takes too long.
    static let maximumCandidateCount = 2_000

    /// The nearest of `candidates`, if one is near enough; of equally near ones the first in alphabetical order.
    package static func nearest(to word: String, in candidates: some Sequence<String>) -> String? {
        guard word.utf8.count <= 64 else { return nil }
        let lowered = Array(word.lowercased().unicodeScalars)
        let allowed = lowered.count <= 2 ? 1 : max(1, (lowered.count + 1) / 3)
        var best: (distance: Int, word: String)?
        var count = 0
        for candidate in candidates where candidate.utf8.count <= 64 {
            count += 1
            guard count <= maximumCandidateCount else { return nil }
            let other = Array(candidate.lowercased().unicodeScalars)
            guard abs(other.count - lowered.count) <= allowed else { continue }
            let distance = distance(lowered, other)
            guard distance <= allowed, distance < other.count else { continue }
            if let found = best, (found.distance, found.word) <= (distance, candidate) { continue }
            best = (distance, candidate)
        }
        return best?.word
    }

    /// The known word that is closest to what was typed on a command line, where the beginning of a word is close as well; of equally close ones the
    /// first. `nil` when none is close enough to be worth saying.
    package static func closest(to typed: String, among known: some Sequence<String>) -> String? {
        guard !typed.isEmpty, typed.count <= 64 else { return nil }
        let wanted = Array(typed.lowercased().unicodeScalars)
        var best: (word: String, distance: Int)?
        for word in known {
            let candidate = Array(word.lowercased().unicodeScalars)
            let distance = distance(wanted, candidate)
            let isStart = wanted.count >= 2 && candidate.starts(with: wanted)
            // A third of the letters may be wrong, one at least; a word that only lacks its end is always close.
            guard isStart || distance <= max(1, max(wanted.count, candidate.count) / 3) else { continue }
            if distance < best?.distance ?? .max { best = (word, distance) }
        }
        return best?.word
    }

    /// What a word means here that developers know from elsewhere.
    package static func meant(by word: String) -> String? {
        guard word.utf8.count <= 40 else { return nil }
        let word = word.lowercased()
        return known[word] ?? notSimulated.first { $0.words.contains(word) }.map { "\($0.meaning): `\($0.example)`" }
    }

    /// What people ask for that no step does, and what to write where that matters to the data. FIDELITY.md says more of what is not simulated.
    package static let notSimulated: [(words: [String], meaning: String, example: String)] = [
        (
            ["offload", "offloads", "offloading"],
            "that the system offloads an app and keeps its data is not simulated. What it means to the data an update does: the app ends, is replaced, and all that it stored is there; `phone uninstall` removes the data too",
            "phone update to 1.0"
        ),
        (
            ["permission", "permissions", "authorization", "authorize"],
            "what a person allows an app (notifications, location, health) is not simulated; asked for notifications, the system says no. What the app does with the answer is an action of the app; prompts of the keychain are answered by `phone person fails` and the like",
            "phone app does \"deny notifications\""
        ),
        (
            ["charger", "charging", "charge", "charges"],
            "energy decides nothing here, and charging is not simulated. A watch that is put on its charger is taken off, and locks itself; one whose battery is empty loses power: `watch power loss`",
            "watch taken off"
        ),
        (
            ["sign out", "sign", "signout", "signs out", "log out", "logout"],
            "a sign-out is what the app does with its values: remove each of them, or ask the app under test for its action, as in `phone app does \"sign out\"`. A person's sign-out of iCloud is not simulated: no data of LocalData are there",
            "phone remove token"
        ),
    ]

    private static let known: [String: String] = [
        "kill": "the system ends an app with `phone terminate`",
        "quit": "a person ends the app with `phone swipe away`, the system with `phone terminate`",
        "force": "a person ends the app with `phone swipe away`, the system with `phone terminate`",
        "forcequit": "a person ends the app with `phone swipe away`, the system with `phone terminate`",
        "open": "a person opens the app with `phone launch`",
        "restart": "the device restarts with `phone reboot`, the app with `phone relaunch`",
        "close": "a person leaves the app with `phone background`, and ends it with `phone swipe away`",
        "end": "the system ends an app with `phone terminate`",
        "stop": "the system ends an app with `phone terminate`",
        "exit": "the system ends an app with `phone terminate`",
        "swipe": "a person ends the app with `phone swipe away`, the system with `phone terminate`",
        "start": "a person opens the app with `phone launch`",
        "starts": "a person opens the app with `phone launch`",
        "opens": "a person opens the app with `phone launch`",
        "wake": "the system starts the app with `phone launch in background`",
        "locks": "write `phone lock`",
        "unlocks": "write `phone unlock`",
        "battery": "a device goes off with `phone power off`, and at once with `phone power loss`",
        "shutdown": "a device goes off with `phone power off`",
        "delete": "the app is deleted with `phone uninstall`, a value with `phone remove theme`",
        "reinstall": "write `phone uninstall` and `phone install`",
        "suspend": "the system suspends an app that is in the background: `phone background`",
        "save": "a value is set with `phone set theme \"dark\"`",
        "read": "a value is read with `phone get theme`",
        "fetch": "a value is read with `phone get theme`",
        "connect": "the devices find each other with `link up`",
        "wifi": "the devices lose each other with `link down`",
        "bluetooth": "the devices lose each other with `link down`",
        "pair": "write `devices pair`",
        "unpair": "write `devices unpair`",
        "airplane":
            "where Bluetooth goes off too, the devices lose each other: `link down`; mostly it stays on, and nothing changes for them",
        "application": "write `phone update context {…}`, and `expect watch session receivedApplicationContext {…}`",
        "receivedapplicationcontext": "write `expect watch session receivedApplicationContext {…}`",
        "applicationcontext": "write `expect phone session applicationContext {…}`",
        "didreceiveapplicationcontext": "write `expect watch received context 1 time`",
        "didreceivemessage": "write `expect watch received message 1 time`",
        "didreceiveuserinfo": "write `expect watch received user info 1 time`",
        "didreceivefile": "write `expect watch received file 1 time`",
        "wcerror.notreachable": "write `fails notReachable`",
        "wcerrorcodenotreachable": "write `fails notReachable`",
        "wcerrorcodesessionnotactivated": "write `fails sessionNotActivated`",
        "7004": "write `fails sessionNotActivated`",
        "7007": "write `fails notReachable`",
        "7012": "write `fails messageReplyTimedOut`",
        "7014": "write `fails deliveryFailed`",
        "upgrade": "write `phone update to 2.0`",
        "ios": "the app is updated with `phone update to 2.0`; updates of the system are not simulated",
        "userinfo": "write `phone transfer user info {…}`",
        "file": "write `phone transfer file \"Documents/name\"`",
        "user": "write `phone transfer user info {…}`",
        "wkrefreshbackgroundtask":
            "what wakes a watch app for content is simulated, and its tasks with it; `watch never completes refresh tasks` leaves them open",
        "offline": "the devices lose each other with `link down`",
        "disconnect": "the devices lose each other with `link down`",
        "online": "the devices find each other with `link up`",
        "reconnect": "the devices find each other with `link up`",
        "out": "the devices lose each other with `link down`",
        "unreachable": "the devices lose each other with `link down`",
        "reach": "the devices lose each other with `link down`, and find each other with `link up`",
        "reachable": "write `expect phone session isReachable true`",
        "context": "write `phone update context {…}`",
        "message": "write `phone send message {…}`",
        "eventually": "`expect … within 5s` waits for something",
        "after": "time passes with `wait 5s`",
        "everywhere": "write `crashes at every operation`",
        "transferuserinfo": "write `phone transfer user info {…}`",
        "transferfile": "write `phone transfer file \"Documents/name\"`",
        "sendmessagedata": "write `phone send data base64(\"…\")`",
        "transfercurrentcomplicationuserinfo": "write `phone transfer complication {…}`",
        "sendmessage": "write `phone send message {…}`",
        "updateapplicationcontext": "write `phone update context {…}`",
        "isreachable": "write `expect phone session isReachable true`",
        "ispaired": "write `expect phone session isPaired true`",
        "iswatchappinstalled": "write `expect phone session isWatchAppInstalled true`",
        "activationstate": "write `expect phone session activationState activated`",
        "equals": "values stand behind the key, without a word: `expect phone theme \"dark\"`",
        "is": "values stand behind the key, without a word: `expect phone theme \"dark\"`",
        "nil": "a key without a value is `missing`: `expect phone theme missing`",
        "null": "a key without a value is `missing`: `expect phone theme missing`",
        "xctassertequal": "write `expect …`",
        "#expect": "write `expect …`, without the sign",
        "await": "time passes with `wait 5s`; `expect … within 5s` waits for something",
        "delay": "time passes with `wait 5s`",
        "assert": "write `expect …`",
        "xctassert": "write `expect …`",
        "verify": "write `expect …`",
        "check": "write `expect …`",
        "sleep": "time passes with `wait 5s`",
        "!": "there is no expectation of another value; say which it is",
        "=": "values stand behind the key, without a sign: `expect phone theme \"dark\"`, `phone set theme \"dark\"`",
    ]

    /// Insertions, deletions, replacements, and swaps of neighbours (optimal string alignment).
    package static func distance(_ first: [Unicode.Scalar], _ second: [Unicode.Scalar]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...second.count)
        for (row, left) in first.enumerated() {
            var current = [row + 1]
            current.reserveCapacity(second.count + 1)
            for (column, right) in second.enumerated() {
                var cost = min(last[column + 1] + 1, current[column] + 1, last[column] + (left == right ? 0 : 1))
                if row > 0, column > 0, left == second[column - 1], first[row - 1] == right {
                    cost = min(cost, beforeLast[column - 1] + 1)
                }
                current.append(cost)
            }
            beforeLast = last
            last = current
        }
        return last[second.count]
    }

    /// `a`, `b` or `c`; the first of many, and how many more.
    package static func list(_ words: [String], limit: Int = 12, last conjunction: String = "or") -> String {
        let quoted = words.map { "`\($0)`" }
        if quoted.count > limit {
            return quoted.prefix(limit).joined(separator: ", ") + " and \(quoted.count - limit) more"
        }
        guard let last = quoted.last, quoted.count > 1 else { return quoted.first ?? "" }
        return quoted.dropLast().joined(separator: ", ") + " \(conjunction) " + last
    }
}
