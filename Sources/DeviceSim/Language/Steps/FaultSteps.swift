import DeviceSimCore
import Foundation
import LocalData

/// Something goes wrong on a device, or stops going wrong.
public struct FaultStep: Sendable, Hashable {
    /// On which device.
    public let device: DeviceID
    /// What goes wrong, or no longer does.
    public let action: Action

    /// A fault of a device.
    public init(_ device: DeviceID, _ action: Action) {
        self.device = device
        self.action = action
    }

    /// What can go wrong.
    public enum Action: Sendable, Hashable {
        /// Operations of the disk fail.
        case disk(DiskOperation, FaultTrigger, ErrnoName)
        /// Operations of the keychain fail.
        case keychain(KeychainOperation, FaultTrigger, KeychainStatus)
        /// Operations of preferences fail.
        case preferences(PreferencesOperation, FaultTrigger, ErrnoName)
        /// Puts a symbolic link at a path of the disk, where nothing is yet.
        case link(at: String, to: String)
        /// Takes back all faults of the disk, the keychain or the preferences.
        case clearDisk
        /// Takes back all faults of the keychain.
        case clearKeychain
        /// Takes back all faults of preferences.
        case clearPreferences
        /// What a power loss leaves of what was not synchronized, from now on.
        case powerLossLeaves(PowerLossRemainder)
        /// How the person answers authentication prompts from now on.
        case person(PersonAnswer)
        /// Changes the stored bytes of a key behind LocalData's back.
        case damage(KeyReference, Damage)
        /// The app crashes, or the device loses power, just before that storage operation (1-based) of the step that comes next, whatever that is: also one
        /// that lets time pass, or is about the other device. Nothing happens where it has fewer.
        case interruption(Interruption, atOperation: Int)
        /// A false snapshot arrives from the counterpart.
        case lie(CounterpartLie, by: LieCarrier = .context)
    }

    /// What ends in the midst of a step.
    public enum Interruption: String, Sendable, Hashable, CaseIterable {
        /// The app: what it handed to the system stays.
        case crash
        /// The device's power: what was not made durable may be gone.
        case powerLoss
    }

    /// Which operations of the disk a fault is about.
    public enum DiskOperation: String, Sendable, Hashable, CaseIterable {
        /// One of the calls that LocalData's file system has.
        case create, write, close, rename, read, attributes, remove, exclude, list, createDirectory
        /// Extended attributes of files.
        case setAttribute, readAttribute
        /// What makes a file or a directory durable.
        case syncFile, syncDirectory
        /// Of a file or a directory.
        case sync
        /// Any of them.
        case operation
    }

    /// Which operations of preferences a fault is about.
    public enum PreferencesOperation: String, Sendable, Hashable, CaseIterable {
        /// A value is read or set, the keys of a suite are listed, or changes are handed to the system.
        case read, set, list, sync
        /// Any of them.
        case operation
    }

    /// Which operations of the keychain a fault is about.
    public enum KeychainOperation: String, Sendable, Hashable, CaseIterable {
        /// One of the four calls of SecItem.
        case add, read, update, delete
        /// Any of them.
        case operation
    }

    /// What a person does when asked to authenticate.
    public enum PersonAnswer: String, Sendable, Hashable, CaseIterable {
        /// Is recognized.
        case authenticates
        /// Is not recognized.
        case fails
        /// Dismisses the prompt.
        case cancels
        /// Is not there: the system takes the prompt away after a while.
        case away
    }

    /// What becomes of stored bytes.
    public enum Damage: Sendable, Hashable {
        /// Inverts the last byte.
        case flip
        /// Cuts them off.
        case truncate(toByteCount: Int)
        /// Puts the bytes stored for another key in its place.
        case copy(of: KeyReference)
        /// Puts other bytes in their place.
        case overwrite(ScenarioValue)
        /// Puts a text into the attribute beside a keychain item's secret, as other code of the app may.
        case attribute(String)
    }
}

/// Which of the matching operations fail, counted from the step on.
public enum FaultTrigger: Sendable, Hashable {
    /// The n-th one (1-based), once. The next one is 1.
    case once(Int)
    /// Every one from the n-th on.
    case always(from: Int)
}

/// The `errno`s that a scenario can name. Their numbers are the host's own.
public enum ErrnoName: String, Sendable, Hashable, CaseIterable {
    /// Errors of POSIX by their names, since their numbers differ among hosts.
    case EACCES, EDQUOT, EEXIST, EFBIG, EINTR, EINVAL, EIO, EISDIR, EMFILE, ENAMETOOLONG, ENFILE, ENODEV, ENOENT, ENOSPC, ENOTDIR,
        /// Further errors of POSIX by their names.
        EPERM, EROFS, ESTALE, ETXTBSY

    /// The host's own number of it.
    public var number: Int32 {
        switch self {
        case .EACCES: Foundation.EACCES
        case .EDQUOT: Foundation.EDQUOT
        case .EEXIST: Foundation.EEXIST
        case .EFBIG: Foundation.EFBIG
        case .EINTR: Foundation.EINTR
        case .EINVAL: Foundation.EINVAL
        case .EIO: Foundation.EIO
        case .EISDIR: Foundation.EISDIR
        case .EMFILE: Foundation.EMFILE
        case .ENAMETOOLONG: Foundation.ENAMETOOLONG
        case .ENFILE: Foundation.ENFILE
        case .ENODEV: Foundation.ENODEV
        case .ENOENT: Foundation.ENOENT
        case .ENOSPC: Foundation.ENOSPC
        case .ENOTDIR: Foundation.ENOTDIR
        case .EPERM: Foundation.EPERM
        case .EROFS: Foundation.EROFS
        case .ESTALE: Foundation.ESTALE
        case .ETXTBSY: Foundation.ETXTBSY
        }
    }
}

extension FaultStep {
    /// The lines that say what goes wrong, or no longer does.
    enum Forms {
        static let diskNext = disk(
            "DEVICE disk fails next DISK-OPERATION with ERRNO", "fails the next one, once",
            example: "phone disk fails next write with ENOSPC"
        ) { _ in .once(1) }
        static let diskNth = disk(
            "DEVICE disk fails DISK-OPERATION COUNT with ERRNO", "fails the n-th one from now, once",
            example: "phone disk fails sync 2 with EIO"
        ) { $0.count().map { .once($0) } }
        static let diskEvery = disk(
            "DEVICE disk fails every DISK-OPERATION [from COUNT] with ERRNO", "fails them all, or from the n-th on",
            example: "phone disk fails every rename with EIO"
        ) { .always(from: $0.count() ?? 1) }
        static let diskLink = Form(
            .fault, "DEVICE disk links STRING to STRING",
            "puts a symbolic link where nothing is yet; from then on the first path leads to the second",
            example: "phone disk links \"/Containers/Shared/AppGroup/group.app/old\" to \"/Containers/Shared/AppGroup/group.app/Documents\""
        ) { match in
            guard let path = match.string(0), let destination = match.string(1) else { return nil }
            return step(match, .link(at: path, to: destination))
        }
        static let diskWorks = plain("DEVICE disk works", "takes back all faults of the disk", example: "phone disk works", .clearDisk)
        static let keychainNext = keychain(
            "DEVICE keychain fails next KEYCHAIN-OPERATION with STATUS", "fails the next one, once",
            example: "phone keychain fails next add with errSecNotAvailable"
        ) { _ in .once(1) }
        static let keychainNth = keychain(
            "DEVICE keychain fails KEYCHAIN-OPERATION COUNT with STATUS", "fails the n-th one from now, once",
            example: "phone keychain fails read 2 with errSecIO"
        ) { $0.count().map { .once($0) } }
        static let keychainEvery = keychain(
            "DEVICE keychain fails every KEYCHAIN-OPERATION [from COUNT] with STATUS", "fails them all, or from the n-th on",
            example: "phone keychain fails every operation with errSecMissingEntitlement"
        ) { .always(from: $0.count() ?? 1) }
        static let keychainWorks = plain(
            "DEVICE keychain works", "takes back all faults of the keychain", example: "phone keychain works", .clearKeychain)
        static let preferencesNext = preferences(
            "DEVICE preferences fail next PREFERENCES-OPERATION with ERRNO", "fails the next one, once",
            example: "phone preferences fail next set with EIO"
        ) { _ in .once(1) }
        static let preferencesNth = preferences(
            "DEVICE preferences fail PREFERENCES-OPERATION COUNT with ERRNO", "fails the n-th one from now, once",
            example: "phone preferences fail read 2 with EIO"
        ) { $0.count().map { .once($0) } }
        static let preferencesEvery = preferences(
            "DEVICE preferences fail every PREFERENCES-OPERATION [from COUNT] with ERRNO", "fails them all, or from the n-th on",
            example: "phone preferences fail every sync with ENOSPC"
        ) { .always(from: $0.count() ?? 1) }
        static let preferencesWork = plain(
            "DEVICE preferences work", "takes back all faults of the preferences", example: "phone preferences work", .clearPreferences)
        static let powerLossLeaves = Form(
            .fault, "DEVICE power loss leaves REMAINDER",
            "what a power loss leaves of what was not synchronized, from now on; otherwise `nothing`",
            example: "phone power loss leaves garbage"
        ) { match in match.word(.remainder).flatMap { PowerLossRemainder(rawValue: $0) }.flatMap { step(match, .powerLossLeaves($0)) } }
        static let crashInNext = interruption(
            "DEVICE crashes at operation COUNT of the next step",
            "the app ends just before that operation of the storage in the step that follows, such as `settle`; not at all where it has fewer",
            example: "watch crashes at operation 3 of the next step", .crash)
        static let powerLossInNext = interruption(
            "DEVICE loses power at operation COUNT of the next step", "the device ends there",
            example: "phone loses power at operation 3 of the next step", .powerLoss)
        static let lieByContext = lie(
            "DEVICE is lied to about LIE",
            "a context arrives, made of the counterpart's last one, as of a counterpart that is broken or lies; of `additions` a true one, with more in it",
            example: "phone is lied to about counters", .context)
        static let lieByMessage = lie(
            "DEVICE is lied to about LIE by message", "the same arrives as a message that wants no reply",
            example: "phone is lied to about counters by message", .message)
        static let lieByUserInfo = lie(
            "DEVICE is lied to about LIE by user info", "the same arrives as a user info",
            example: "phone is lied to about counters by user info", .userInfo)
        static let lieByNextReply = lie(
            "DEVICE is lied to about LIE by next reply", "the same arrives in the place of the next reply to a message of the app",
            example: "watch is lied to about counters by next reply", .nextReply)
        static let personAuthenticates = plain(
            "DEVICE person authenticates", "the person answers authentication prompts", example: "phone person authenticates",
            .person(.authenticates))
        static let personFails = plain(
            "DEVICE person fails", "the person fails authentication prompts", example: "phone person fails", .person(.fails))
        static let personCancels = plain(
            "DEVICE person cancels", "the person cancels authentication prompts", example: "phone person cancels", .person(.cancels))
        static let personIsAway = plain(
            "DEVICE person is away", "nobody answers authentication prompts", example: "phone person is away", .person(.away))
        static let damage = bytes("DEVICE damage KEY", "inverts the last byte of what is stored", example: "phone damage token") { _ in
            .flip
        }
        static let truncate = bytes("DEVICE truncate KEY to BYTES", "cuts what is stored", example: "phone truncate token to 10 bytes") {
            $0.count(.bytes).map { .truncate(toByteCount: $0) }
        }
        static let overwriteAttribute = bytes(
            "DEVICE overwrite attribute of KEY with STRING",
            "other code of the app puts a text into the attribute `kSecAttrGeneric` of the keychain item",
            example: "phone overwrite attribute of token with \"com.example.app.tokenkey\""
        ) { $0.string().map { .attribute($0) } }
        static let overwrite = Form(
            .fault, "DEVICE overwrite KEY with VALUE", "puts other bytes in its place: data, or the bytes of a text",
            example: "phone overwrite token with data(64 bytes)"
        ) { match in
            guard let value = match.value(), let capture = match.capture(.value), let key = match.key() else { return nil }
            switch value {
            case .data, .string: return step(match, .damage(key, .overwrite(value)))
            default:
                match.diagnose(
                    capture.range, "what is stored is bytes, and this is \(value.kindName)",
                    hint: "write `data(64 bytes)`, `base64(\"…\")` or a text")
                return nil
            }
        }
        static let copy = Form(
            .fault, "DEVICE copy KEY over KEY", "puts the bytes stored for the first key in the place of the second",
            example: "phone copy token over secret"
        ) { match in
            guard let source = match.key(0), let target = match.key(1) else { return nil }
            return step(match, .damage(target, .copy(of: source)))
        }

        /// In the order in which the grammar shows them, and in which they are tried.
        static let all: [Form] =
            [
                diskNext, diskNth, diskEvery, diskLink, diskWorks, keychainNext, keychainNth, keychainEvery, keychainWorks, preferencesNext,
                preferencesNth, preferencesEvery, preferencesWork, powerLossLeaves, crashInNext, powerLossInNext, lieByContext,
                lieByMessage, lieByUserInfo,
                lieByNextReply, personAuthenticates, personFails, personCancels, personIsAway, damage, truncate, overwriteAttribute,
                overwrite, copy,
            ]

        private static func disk(
            _ pattern: String, _ help: String, example: String, _ trigger: @escaping @Sendable (Match) -> FaultTrigger?
        ) -> Form {
            Form(.fault, pattern, help, example: example) { match in
                guard let operation = match.word(.diskOperation).flatMap({ FaultStep.DiskOperation(rawValue: $0) }),
                    let number = match.word(.errno).flatMap({ ErrnoName(rawValue: $0) }), let trigger = trigger(match)
                else { return nil }
                return step(match, .disk(operation, trigger, number))
            }
        }

        private static func preferences(
            _ pattern: String, _ help: String, example: String, _ trigger: @escaping @Sendable (Match) -> FaultTrigger?
        ) -> Form {
            Form(.fault, pattern, help, example: example) { match in
                guard let operation = match.word(.preferencesOperation).flatMap({ FaultStep.PreferencesOperation(rawValue: $0) }),
                    let number = match.word(.errno).flatMap({ ErrnoName(rawValue: $0) }), let trigger = trigger(match)
                else { return nil }
                return step(match, .preferences(operation, trigger, number))
            }
        }

        private static func keychain(
            _ pattern: String, _ help: String, example: String, _ trigger: @escaping @Sendable (Match) -> FaultTrigger?
        ) -> Form {
            Form(.fault, pattern, help, example: example) { match in
                guard let operation = match.word(.keychainOperation).flatMap({ FaultStep.KeychainOperation(rawValue: $0) }),
                    let name = match.word(.status).flatMap({ KeychainStatusName(rawValue: $0) }), let trigger = trigger(match)
                else { return nil }
                return step(match, .keychain(operation, trigger, name.status))
            }
        }

        private static func bytes(
            _ pattern: String, _ help: String, example: String, _ damage: @escaping @Sendable (Match) -> FaultStep.Damage?
        ) -> Form {
            Form(.fault, pattern, help, example: example) { match in
                guard let key = match.key(), let damage = damage(match) else { return nil }
                return step(match, .damage(key, damage))
            }
        }

        private static func interruption(
            _ pattern: String, _ help: String, example: String, _ kind: FaultStep.Interruption
        ) -> Form {
            // Such a line has no outcome: its own `crashes` is none.
            Form(.fault, pattern, help, example: example) { match in
                match.count().flatMap { step(match, .interruption(kind, atOperation: $0)) }
            }
        }

        private static func lie(_ pattern: String, _ help: String, example: String, _ carrier: LieCarrier) -> Form {
            Form(.fault, pattern, help, example: example) { match in
                match.word(.lie).flatMap { CounterpartLie(rawValue: $0) }.flatMap { step(match, .lie($0, by: carrier)) }
            }
        }

        private static func plain(_ pattern: String, _ help: String, example: String, _ action: FaultStep.Action) -> Form {
            Form(.fault, pattern, help, example: example) { step($0, action) }
        }

        private static func step(_ match: Match, _ action: FaultStep.Action) -> Meaning? {
            match.device.map { .step(.fault(FaultStep($0, action))) }
        }
    }

    /// The line that says it. The compiler asks here for the form of a new action.
    var wording: Wording {
        switch action {
        case .disk(let operation, let trigger, let number):
            trigger.wording(
                next: Forms.diskNext, nth: Forms.diskNth, every: Forms.diskEvery,
                [.diskOperation: operation.rawValue, .errno: number.rawValue])
        case .keychain(let operation, let trigger, let status):
            trigger.wording(
                next: Forms.keychainNext, nth: Forms.keychainNth, every: Forms.keychainEvery,
                [.keychainOperation: operation.rawValue, .status: (KeychainStatusName(status) ?? .errSecIO).rawValue])
        case .preferences(let operation, let trigger, let number):
            trigger.wording(
                next: Forms.preferencesNext, nth: Forms.preferencesNth, every: Forms.preferencesEvery,
                [.preferencesOperation: operation.rawValue, .errno: number.rawValue])
        case .link(let path, let destination):
            Forms.diskLink.filled([.string: ScenarioValue.quoted(path), .string: ScenarioValue.quoted(destination)])
        case .clearDisk: Forms.diskWorks.filled()
        case .clearKeychain: Forms.keychainWorks.filled()
        case .clearPreferences: Forms.preferencesWork.filled()
        case .powerLossLeaves(let remainder): Forms.powerLossLeaves.filled([.remainder: remainder.rawValue])
        case .interruption(.crash, let number): Forms.crashInNext.filled([.count: "\(number)"])
        case .interruption(.powerLoss, let number): Forms.powerLossInNext.filled([.count: "\(number)"])
        case .lie(let lie, .context): Forms.lieByContext.filled([.lie: lie.rawValue])
        case .lie(let lie, .message): Forms.lieByMessage.filled([.lie: lie.rawValue])
        case .lie(let lie, .userInfo): Forms.lieByUserInfo.filled([.lie: lie.rawValue])
        case .lie(let lie, .nextReply): Forms.lieByNextReply.filled([.lie: lie.rawValue])
        case .person(.authenticates): Forms.personAuthenticates.filled()
        case .person(.fails): Forms.personFails.filled()
        case .person(.cancels): Forms.personCancels.filled()
        case .person(.away): Forms.personIsAway.filled()
        case .damage(let key, .flip): Forms.damage.filled([.key: key.identifier])
        case .damage(let key, .truncate(let count)): Forms.truncate.filled([.key: key.identifier, .bytes: count.bytesNotation])
        case .damage(let key, .attribute(let text)):
            Forms.overwriteAttribute.filled([.key: key.identifier, .string: ScenarioValue.quoted(text)])
        case .damage(let key, .overwrite(let value)): Forms.overwrite.filled([.key: key.identifier, .value: value.notation])
        case .damage(let key, .copy(let source)): Forms.copy.filled([.key: source.identifier, .key: key.identifier])
        }
    }
}

extension FaultTrigger {
    fileprivate func wording(next: Form, nth: Form, every: Form, _ contents: KeyValuePairs<Slot, String?>) -> Wording {
        switch self {
        case .once(1): next.filled(contents)
        case .once(let number): nth.filled(contents).with(.count, "\(number)")
        case .always(1): every.filled(contents)
        case .always(let number): every.filled(contents).with(.count, "\(number)")
        }
    }
}
